"""Changing the embedder: nothing is compared that should not be, nothing is lost, and it can be stopped at any time."""

from pathlib import Path

import pytest

from echovessel.core.errors import Conflict
from echovessel.flows.reindexing import FlowReindexing
from echovessel.testing.embedding_server import EmbeddingServer
from echovessel.testing.world import World

CAT = "My cat is called Sesame and sleeps on the radiator."


def settings(server: EmbeddingServer, model: str) -> str:
    return f'[embedder]\nbase_url = "{server.base_url}"\nmodel = "{model}"\n[nearby]\nports = []\n'


def opened(folder: Path, text: str) -> World:
    return World(folder, settings=text, own_embedder=True)


async def _until_all_have_theirs(world: World) -> None:
    reindexing = FlowReindexing(world.vessel.deps)
    while (found := await reindexing.look()).waiting or found.others:
        await world.vessel.deps.clock.sleep(0.01)


def test_another_embedder_is_measured_and_takes_over_without_a_gap(tmp_path: Path) -> None:
    with EmbeddingServer(dimension=32) as server:
        with opened(tmp_path, settings(server, "one")) as vessel:
            vessel.hears(CAT)
            vessel.run(_until_all_have_theirs(vessel))
            first = vessel.run(FlowReindexing(vessel.vessel.deps).look())
        with opened(tmp_path, settings(server, "two")) as vessel:
            vessel.run(_until_all_have_theirs(vessel))
            second = vessel.run(FlowReindexing(vessel.vessel.deps).look())

    assert first.embedder == "one-32@1"
    assert (second.embedder, second.embedded, second.others) == ("two-32@1", first.embedded, {})


def test_an_embedder_that_is_switched_off_cannot_be_asked(tmp_path: Path) -> None:
    with opened(tmp_path, '[embedder]\nname = "none"\n[nearby]\nports = []\n') as vessel:
        reindexing = FlowReindexing(vessel.vessel.deps)
        with pytest.raises(Conflict, match="switched off"):
            vessel.run(reindexing.look())
