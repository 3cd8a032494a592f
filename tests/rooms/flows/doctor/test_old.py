"""The doctor names what is wrong, and what to do about it."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from echovessel.adapters.config import FileSettings, Layers
from echovessel.adapters.store import open_store
from echovessel.adapters.templates import load_catalog
from echovessel.core.errors import ModelRefusedKey
from echovessel.core.ids import ConversationId, JobId, MessageId, PersonaId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.flows.bell import Bell
from echovessel.flows.deps import Deps
from echovessel.flows.doctor import HomeFacts, examine, look_at_home
from echovessel.flows.live import LiveReplies
from echovessel.ports.changes import (
    Change,
    ClaimJob,
    EndJob,
    Fence,
    FenceKind,
    HearMessage,
    Lease,
    OpenConversation,
    PutPersona,
    PutUser,
    PutVectors,
    ScheduleJob,
)
from echovessel.ports.front import Check, Verdict
from echovessel.ports.index import PairIndex
from echovessel.ports.records import Persona, PersonaKind, StoreHealth, User
from echovessel.ports.store import Store
from echovessel.testing.clock import CountedIds, StoppedClock
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.nearby import FoundNearby
from echovessel.testing.scripted_model import ScriptedModel

OWNER = UserId("owner")
HOME = HomeFacts(path="~/.echovessel", exists=True, open_to_others=[], free_bytes=10**10, page_built=True)


def _named(checks: Sequence[Check], name: str) -> Check:
    (check,) = (c for c in checks if c.name == name)
    return check


@pytest.mark.parametrize(
    ("facts", "name", "verdict", "remedy"),
    [
        (HOME, "home", Verdict.OK, ""),
        (replace(HOME, exists=False), "home", Verdict.BROKEN, "echovessel init"),
        (replace(HOME, open_to_others=["token"]), "home", Verdict.BROKEN, "new token"),
        (replace(HOME, free_bytes=10**6), "disk", Verdict.BROKEN, "Free some space"),
        (replace(HOME, page_built=False), "page", Verdict.NOTE, "make setup"),
    ],
)
def test_the_home(facts: HomeFacts, name: str, verdict: Verdict, remedy: str) -> None:
    check = _named(look_at_home(facts), name)

    assert check.verdict is verdict
    assert remedy in check.do


@pytest.fixture
async def deps(tmp_path: Path) -> AsyncIterator[Deps]:
    """A new vessel's ports, with a model that is not configured."""
    clock = StoppedClock()
    store = open_store(url=None, path=tmp_path / "memory.db", clock=clock)
    await store.apply([PutUser(user=User(id=OWNER, name="", zone="UTC", locale="en", created_at=clock.now()))])
    yield Deps(
        store=store,
        index=cast("PairIndex", None),
        embedder=HashEmbedder(),
        models=ScriptedModel(),
        nearby=FoundNearby(),
        clock=clock,
        ids=CountedIds(clock),
        settings=FileSettings(tmp_path / "config.toml"),
        catalog=load_catalog(),
        live=LiveReplies(),
        bell=Bell(),
    )
    await store.close()


@pytest.mark.parametrize(
    ("zone", "locale", "verdict"),
    [
        ("UTC", "zh", Verdict.NOTE),
        ("Etc/UTC", "zh", Verdict.NOTE),
        ("Asia/Shanghai", "zh", Verdict.OK),
        ("UTC", "en", Verdict.OK),
    ],
)
async def test_who_you_are_is_told_and_a_zone_that_may_be_wrong(
    deps: Deps, zone: str, locale: str, verdict: Verdict
) -> None:
    user = User(id=OWNER, name="阿青", zone=zone, locale=locale, created_at=deps.clock.now())
    await deps.store.apply([PutUser(user=user)])

    you = _named(await examine(deps, OWNER), "you")

    assert (you.verdict, "--zone" in you.do) == (verdict, verdict is Verdict.NOTE)
    assert you.found == f"阿青, time zone {zone}, language {locale}."


async def test_a_new_vessel_is_well(deps: Deps) -> None:
    checks = await examine(deps, OWNER)

    assert [c for c in checks if c.verdict is Verdict.BROKEN] == []
    assert _named(checks, "database").verdict is Verdict.OK
    assert _named(checks, "model").verdict is Verdict.NOTE
    assert all(bool(c.do) == (c.verdict is not Verdict.OK) for c in checks)


def _heard(deps: Deps) -> list[Change]:
    now, pair = deps.clock.now(), Pair(UserId("u"), PersonaId("p"))
    conversation = ConversationId("c")
    return [
        PutUser(user=User(id=pair.user_id, name="", zone="UTC", locale="en", created_at=now)),
        PutPersona(
            persona=Persona(
                id=pair.persona_id, name="小满", kind=PersonaKind.FICTIONAL, locale="zh", zone="UTC", created_at=now
            )
        ),
        OpenConversation(conversation_id=conversation, pair=pair, channel="page", key="k", at=now),
        HearMessage(
            message_id=MessageId("m"),
            text_id=TextId("t"),
            turn_id=TurnId("turn"),
            conversation_id=conversation,
            pair=pair,
            channel="page",
            text="早",
            sent_at=now,
            zone="UTC",
            due_at=now,
        ),
    ]


async def test_waiting_vectors_and_those_of_another_embedder_are_noticed(deps: Deps) -> None:
    await deps.store.apply(_heard(deps))
    assert "1 messages wait" in _named(await examine(deps, OWNER), "vectors").found

    old = PutVectors(
        user_id=UserId("u"), persona_id=PersonaId("p"), embedder="old@1", vectors=((TextId("t"), bytes(16)),)
    )
    await deps.store.apply([old])

    still = _named(await examine(deps, OWNER), "vectors").found
    assert still == f"1 messages wait for a vector of {HashEmbedder.name}; there are 1 of old@1."

    await deps.store.apply([replace(old, embedder=HashEmbedder.name)])

    assert "1 of old@1 are no longer needed" in _named(await examine(deps, OWNER), "vectors").found


async def test_a_broken_embedder_is_named(deps: Deps) -> None:
    embedder = deps.embedder
    assert isinstance(embedder, HashEmbedder)
    embedder.down = True

    assert _named(await examine(deps, OWNER), "embedder").verdict is Verdict.BROKEN


async def test_no_embedder_is_the_owner_s_choice(deps: Deps) -> None:
    checks = await examine(replace(deps, embedder=None), OWNER)

    assert _named(checks, "embedder").verdict is Verdict.NOTE
    assert [c.name for c in checks if c.name == "vectors"] == []


async def test_a_configured_model_is_asked(deps: Deps, tmp_path: Path) -> None:
    environ = {"ECHOVESSEL_LLM__BASE_URL": "http://127.0.0.1:1/v1"}
    model = ScriptedModel(idle="yes")
    deps = replace(deps, models=model, settings=FileSettings(tmp_path / "config.toml", Layers(environ)))
    assert _named(await examine(deps, OWNER), "model").verdict is Verdict.OK

    model.will_fail(ModelRefusedKey("The key was refused.", do="Give another key."))

    check = _named(await examine(deps, OWNER), "model")
    assert (check.verdict, check.do) == (Verdict.BROKEN, "Give another key.")


async def test_a_job_that_was_given_up_is_named_with_its_error(deps: Deps) -> None:
    now = deps.clock.now()
    await deps.store.apply(
        [ScheduleJob(job_id=JobId("j"), kind="scrub", key="store", user_id=None, due_at=now)],
    )
    await deps.store.apply([ClaimJob(kinds=("scrub",), lease=Lease("token", 60))])
    await deps.store.apply([EndJob(job_id=JobId("j"), error="DiskFull")], Fence(FenceKind.JOB, "j", "token"))

    check = _named(await examine(deps, OWNER), "jobs")

    assert check.verdict is Verdict.BROKEN
    assert "scrub: DiskFull" in check.found


class _Sick:
    """A store whose health is as told."""

    def __init__(self, store: Store, health: StoreHealth) -> None:
        self._store = store
        self._health = health

    async def health(self) -> StoreHealth:
        return self._health

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)


@pytest.mark.parametrize(
    ("sick", "remedy"), [({"integrity": "row 3 missing from index"}, "backup"), ({"durable": False}, "synchronous")]
)
async def test_a_sick_database_is_broken(deps: Deps, sick: dict[str, object], remedy: str) -> None:
    health = replace(await deps.store.health(), **sick)
    store = cast("Store", _Sick(deps.store, health))

    check = _named(await examine(replace(deps, store=store), OWNER), "database")

    assert check.verdict is Verdict.BROKEN
    assert remedy in check.do
