import pytest

from echovessel.core.errors import ModelBusy, ModelCut, ModelDown, ModelRefusedKey, ModelTimeout, ModelUnreachable
from echovessel.flows.resting import LONGEST_REST_S, REST_S, Resting
from echovessel.testing.scripted_model import ScriptedModel
from tests.support.settings import llm_settings

NOW = 1000.0


@pytest.fixture
def models() -> list[ScriptedModel]:
    return [ScriptedModel(profile=name) for name in ("", "cloud", "local")]


def order(resting: Resting, models: list[ScriptedModel], now: float) -> list[str]:
    return [model.profile for model in resting.last(models, now)]


@pytest.mark.parametrize(
    ("failure", "seconds"),
    [
        (ModelUnreachable("no", do="x"), REST_S),
        (ModelTimeout("no", do="x"), REST_S),
        (ModelBusy("no", do="x", retry_after=20), 20),
        (ModelBusy("no", do="x", retry_after=1e9), LONGEST_REST_S),
        (ModelBusy("no", do="x"), 0),
        (ModelRefusedKey("no", do="x"), 0),
        (ModelCut("no", do="x"), 0),
        (ModelDown("no", do="x"), 0),
    ],
)
def test_who_made_us_wait_in_vain_is_asked_last_for_a_while(
    models: list[ScriptedModel], failure: ModelDown, seconds: float
) -> None:
    resting = Resting()
    resting.note(models[0], failure, NOW)
    if seconds:
        assert order(resting, models, NOW + seconds - 0.1) == ["cloud", "local", ""]
    assert order(resting, models, NOW + seconds) == ["", "cloud", "local"]


def test_an_answer_ends_the_rest(models: list[ScriptedModel]) -> None:
    resting = Resting()
    resting.note(models[0], ModelUnreachable("no", do="x"), NOW)
    resting.note(models[0], None, NOW + 1)
    assert order(resting, models, NOW + 2) == ["", "cloud", "local"]


def test_another_connection_under_the_same_name_does_not_rest(models: list[ScriptedModel]) -> None:
    resting = Resting()
    resting.note(models[0], ModelUnreachable("no", do="x"), NOW)
    models[0].settings = llm_settings(base_url="http://127.0.0.1:1/v1")
    assert order(resting, models, NOW + 1) == ["", "cloud", "local"]


def test_when_all_rest_the_order_is_the_owners(models: list[ScriptedModel]) -> None:
    resting = Resting()
    for model in models:
        resting.note(model, ModelUnreachable("no", do="x"), NOW)
    assert order(resting, models, NOW + 1) == ["", "cloud", "local"]
