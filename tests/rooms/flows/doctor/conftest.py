"""A new vessel's ports: a store of its own, an embedder, a scripted model, and settings that name none."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from echovessel.adapters.home import Home
from echovessel.core.ids import UserId
from echovessel.flows.deps import Deps
from echovessel.ports.changes import PutUser
from echovessel.ports.records import User
from echovessel.runtime.wiring import Overrides, build
from echovessel.testing.clock import CountedIds, StoppedClock
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.nearby import FoundNearby
from echovessel.testing.scripted_model import ScriptedModel
from tests.support.settings import MemorySettings

OWNER = UserId("owner")


@pytest.fixture
async def deps(tmp_path: Path) -> AsyncIterator[Deps]:
    clock = StoppedClock()
    vessel = await build(
        Home(tmp_path / "home"),
        Overrides(
            clock=clock,
            ids=CountedIds(clock),
            models=ScriptedModel(),
            nearby=FoundNearby(),
            embedder=HashEmbedder(),
            settings=MemorySettings(),
        ),
    )
    user = User(id=OWNER, name="", zone="UTC", locale="en", created_at=clock.now())
    await vessel.deps.store.apply([PutUser(user=user)])
    yield vessel.deps
    await vessel.close()
