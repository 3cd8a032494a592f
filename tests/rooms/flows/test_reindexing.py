"""Changing the embedder: nothing is compared that should not be, nothing is lost, and it can be stopped at any time."""

from pathlib import Path

import pytest

from echovessel.core.errors import Conflict, EmbedderDown
from echovessel.flows import reindexing
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


async def _to_the_end(flow: FlowReindexing) -> None:
    while (await flow.prepare(anew=False)).measuring:
        pass


def test_measuring_goes_on_behind_whoever_asked_and_its_failure_is_told_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reindexing, "PATIENCE_S", 0.05)
    with EmbeddingServer(dimension=32) as server, opened(tmp_path, settings(server, "one")) as vessel:
        flow = FlowReindexing(vessel.vessel.deps)
        vessel.run(_to_the_end(flow))
        server.will(lambda exchange: exchange.wait(0.2) or exchange.json(401, {}))

        assert vessel.run(flow.prepare(anew=True)).measuring
        with pytest.raises(EmbedderDown, match="refused the key"):
            vessel.run(_to_the_end(flow))


def test_anew_is_measured_although_an_earlier_measuring_runs_or_ended_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reindexing, "PATIENCE_S", 0.05)
    with EmbeddingServer(dimension=32) as server, opened(tmp_path, settings(server, "one")) as vessel:
        flow = FlowReindexing(vessel.vessel.deps)
        vessel.run(flow.prepare(anew=False))  # whoever asked goes away

        vessel.run(flow.prepare(anew=True))
        vessel.run(_to_the_end(flow))

        assert vessel.run(flow.look()).embedder == "one-32@2"
