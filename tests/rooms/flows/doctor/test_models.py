"""Every model that the settings name is asked."""

from dataclasses import replace

import pytest

from echovessel.core.errors import ModelRefusedKey
from echovessel.flows.deps import Deps
from echovessel.flows.doctor import models
from echovessel.flows.doctor.models import look_at_models
from echovessel.ports.front import Verdict
from echovessel.ports.nearby import NearbyModel, NearbyServer
from echovessel.ports.settings import Settings
from echovessel.testing.nearby import FoundNearby
from echovessel.testing.scripted_model import ScriptedModel
from tests.rooms.flows.doctor.conftest import OWNER
from tests.support.settings import MemorySettings

REFUSED = ModelRefusedKey("The key was refused.", do="Give another llm.api_key.")
CLOUD = {"base_url": "https://models.example/v1", "model": "cloud"}


def _with(deps: Deps, model: ScriptedModel, **settings: object) -> Deps:
    return replace(deps, models=model, settings=MemorySettings(Settings.model_validate(settings)))


async def test_without_a_model_what_is_near_is_offered(deps: Deps) -> None:
    server = NearbyServer(program="Ollama", base_url="http://127.0.0.1:1/v1", models=(NearbyModel(name="qwen3:8b"),))

    (check,) = await look_at_models(replace(deps, nearby=FoundNearby(server)), OWNER)

    assert (check.name, check.verdict) == ("model", Verdict.NOTE)
    assert "Ollama with qwen3:8b" in check.found
    assert "--model qwen3:8b" in check.do


async def test_a_model_that_answers_says_how_and_how_much_it_holds(deps: Deps) -> None:
    model = ScriptedModel(idle="one two three")
    model.holds = 32768

    (check,) = await look_at_models(_with(deps, model, llm=CLOUD), OWNER)

    assert check.verdict is Verdict.OK
    assert check.found.startswith("scripted answered after 0.0 seconds")
    assert check.found.endswith("It holds 32768 tokens. It has no JSON mode.")


async def test_a_window_that_is_too_small_is_noted_with_the_numbers(deps: Deps) -> None:
    model = ScriptedModel(idle="one two three")
    model.holds = 4096

    (check,) = await look_at_models(_with(deps, model, llm=CLOUD), OWNER)

    assert check.verdict is Verdict.NOTE
    assert "It holds 4096 tokens; prompt and reply may take 6800." in check.found
    assert "prompt.token_budget to 3296" in check.do


async def test_a_model_that_never_ends_is_not_waited_for(deps: Deps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "LONGEST_TRY_S", 0.05)
    model = ScriptedModel()
    model.will_say("one two three", hold_after=1)

    (check,) = await look_at_models(_with(deps, model, llm=CLOUD), OWNER)

    assert check.verdict is Verdict.BROKEN
    assert "we stopped waiting" in check.found
    assert (await deps.store.spent(deps.clock.now().replace(year=2000))).calls == 1, "it may have cost"


async def test_each_connection_is_asked_and_one_that_is_not_in_use_breaks_nothing(deps: Deps) -> None:
    model = ScriptedModel(idle="one two three")
    profiles = {"spare": CLOUD, "unused": CLOUD}
    settings = {"llm": {**CLOUD, "fallback": ("spare",)}, "profiles": profiles}
    for _ in range(3):
        model.will_fail(REFUSED)

    checks = await look_at_models(_with(deps, model, **settings), OWNER)

    assert [(check.name, check.verdict) for check in checks] == [
        ("model", Verdict.BROKEN),
        ("model spare", Verdict.BROKEN),
        ("model unused", Verdict.NOTE),
    ]
    assert [check.do for check in checks] == [
        "Give another llm.api_key.",
        "Give another profiles.spare.api_key.",
        "Give another profiles.unused.api_key.",
    ]
    assert "Not in use" in checks[2].found
