"""Trying a connection: what is measured, what disappoints, and what stands on the ledger."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from echovessel.adapters.llm import ConfiguredModels
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import DailyCapReached, ModelEmpty, ModelFileUnusable, ModelRefusedKey, ModelRejected
from echovessel.flows.deps import Deps
from echovessel.flows.probe import ENOUGH_TOKENS, probe, worries
from echovessel.ports.llm import ProbeResult
from echovessel.ports.settings import LlmSettings, ModelSettings, PromptSettings, Settings
from echovessel.testing.model_dialects import knows_formats
from echovessel.testing.model_scripts import fails, hangs_after, says
from echovessel.testing.model_server import ModelServer
from echovessel.testing.world import World
from tests.support.settings import MemorySettings, llm_settings

THIRTY = " ".join(["one two three four five six seven eight nine ten"] * 3)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path) as vessel:
        yield vessel


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def _tried(world: World, settings: ModelSettings, owner_s: LlmSettings | None = None) -> ProbeResult:
    """The probe of these settings by real connections and a real clock."""
    clock, held = SystemClock(), MemorySettings(Settings(llm=owner_s or LlmSettings()))  # pyright: ignore[reportCallIssue]
    models = ConfiguredModels(settings=held, clock=clock)
    deps: Deps = replace(world.vessel.deps, models=models, clock=clock, settings=held)
    return world.run(probe(settings, deps, world.vessel.owner))


def test_it_lists_the_models_and_measures_one(world: World, server: ModelServer) -> None:
    server.models = ("luna-7b", "sol-70b")
    server.will(says(THIRTY, pause=0.01))

    found = _tried(world, llm_settings(base_url=server.base_url, model="sol-70b"))

    assert (found.model, found.models) == ("sol-70b", ("luna-7b", "sol-70b"))
    assert 0 < found.first_token_s < 5
    assert found.tokens_per_s
    assert 1 < found.tokens_per_s < 1000
    assert found.worries == ()


def test_it_hangs_up_when_it_has_heard_enough(world: World, server: ModelServer) -> None:
    server.will(hangs_after("word " * ENOUGH_TOKENS))

    assert _tried(world, llm_settings(base_url=server.base_url)).model == "scripted"
    assert server.waits_for_hang_up()


@pytest.mark.parametrize(
    ("known", "answer", "mode"),
    [
        (("json_schema",), '{"legs": 4}', "schema"),
        (("json_object",), '{"legs": 4}', "object"),
        ((), '{"legs": 4}', "none"),
        (("json_schema",), "A cat has four legs.", "none"),
    ],
    ids=["schema", "object", "nothing", "taken and not kept to"],
)
def test_it_tells_what_holds_an_answer_to_json(
    world: World, server: ModelServer, known: tuple[str, ...], answer: str, mode: str
) -> None:
    script = knows_formats(says(answer), *known)
    server.will(says(THIRTY), script, script, script)

    assert _tried(world, llm_settings(base_url=server.base_url)).json_mode == mode


def test_an_answer_of_a_word_has_no_speed(world: World, server: ModelServer) -> None:
    server.will(says("Hello."))

    assert _tried(world, llm_settings(base_url=server.base_url)).tokens_per_s is None


def test_without_a_name_the_first_model_is_tried(world: World, server: ModelServer) -> None:
    server.models = ("luna-7b",)
    server.will(says("Hello."))

    assert _tried(world, llm_settings(base_url=server.base_url, model="")).model == "luna-7b"


def test_an_endpoint_that_lists_nothing_may_still_answer(world: World, server: ModelServer) -> None:
    server.lists = fails(404)
    server.will(says("Hello."))

    assert _tried(world, llm_settings(base_url=server.base_url, model="m")).models == ()
    with pytest.raises(ModelRejected, match=r"No model is chosen|no chat"):
        _tried(world, llm_settings(base_url=server.base_url, model=""))


def test_a_model_file_that_was_moved_is_told_though_it_is_loaded(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ConfiguredModels, "_loaded", lambda *_: world.model)
    for text in (THIRTY, '{"legs": 4}'):
        world.model_says(text)

    with pytest.raises(ModelFileUnusable, match="moved") as told:
        _tried(world, llm_settings(file=str(tmp_path / "moved.gguf"), model="m"))

    assert "file" in told.value.do
    assert not world.model.requests


def test_it_tells_what_is_wrong_and_leaves_its_line_either_way(world: World, server: ModelServer) -> None:
    server.lists = fails(401)
    with pytest.raises(ModelRefusedKey):
        _tried(world, llm_settings(base_url=server.base_url, api_key="wrong"))
    server.lists = None
    server.will(fails(404, "The model `m` does not exist"), says("one two three"))
    with pytest.raises(ModelRejected, match="no model called 'm'"):
        _tried(world, llm_settings(base_url=server.base_url, model="m"))
    _tried(world, llm_settings(base_url=server.base_url, model="m"))

    spent = world.run(world.vessel.deps.store.spent(world.clock.now().replace(year=2000)))
    assert spent.calls == 3, "a failure, an answer, and a try at JSON; the list of models is no call"
    assert spent.tokens_out > 0


def test_a_model_that_thinks_its_whole_allowance_away_is_told(world: World, server: ModelServer) -> None:
    server.will(says("", thinks="hm " * 50, finish="length"))

    with pytest.raises(ModelEmpty, match="length limit"):
        _tried(world, llm_settings(base_url=server.base_url))
    assert server.asked[-1].body["max_tokens"] == 800


def test_a_cap_that_is_reached_is_minded(world: World, server: ModelServer) -> None:
    server.will(says(THIRTY), says("never"))
    capped = llm_settings(base_url=server.base_url, daily_token_cap=1)
    _tried(world, capped, capped)

    with pytest.raises(DailyCapReached):
        _tried(world, capped, capped)


def _result(**values: object) -> ProbeResult:
    return replace(ProbeResult(model="m", models=(), first_token_s=1, tokens_per_s=30, context_tokens=8192), **values)


@pytest.mark.parametrize(
    ("result", "codes"),
    [
        (_result(), []),
        (_result(context_tokens=None, tokens_per_s=None), []),
        (_result(context_tokens=6799), ["model-small-context"]),
        (_result(first_token_s=12), ["model-slow-start"]),
        (_result(tokens_per_s=4.9), ["model-slow"]),
        (
            _result(context_tokens=2048, first_token_s=30, tokens_per_s=1),
            ["model-small-context", "model-slow-start", "model-slow"],
        ),
    ],
)
def test_what_will_disappoint_is_told_with_numbers_and_a_remedy(result: ProbeResult, codes: list[str]) -> None:
    found = worries(result, ModelSettings(), PromptSettings())  # pyright: ignore[reportCallIssue]

    assert [worry.code for worry in found] == codes
    assert all(worry.do and any(c.isdigit() for c in worry.message) for worry in found)
