"""Settings over HTTP: no key is ever shown, and none travels to another address."""

from typing import Any

import pytest
from pydantic import SecretStr

from echovessel.api.dto.system import LlmTest
from echovessel.api.routes.settings import merged
from echovessel.core.errors import ModelRefusedKey
from echovessel.ports.settings import LlmSettings
from echovessel.testing.world import World
from tests.rooms.api.conftest import Api

KEY = "sk-very-secret"
HERE, THERE = "http://127.0.0.1:9/v1", "http://127.0.0.1:10/v1"


def save_key(api: Api) -> dict[str, Any]:
    return api.patch("/api/v1/settings", {"llm": {"base_url": HERE, "model": "m", "api_key": KEY}})


def key(world: World) -> str:
    return world.vessel.deps.settings.current().llm.api_key.get_secret_value()


def test_what_is_saved_stays_and_the_key_is_only_said_to_be_there(api: Api, world: World) -> None:
    saved = save_key(api)

    assert saved["llm"]["base_url"] == HERE
    assert saved["llm"]["api_key_set"] is True
    assert api.get("/api/v1/settings") == saved
    assert KEY not in api.call("GET", "/api/v1/settings").text
    assert key(world) == KEY


def test_other_settings_leave_the_key_alone(api: Api, world: World) -> None:
    save_key(api)
    api.patch("/api/v1/settings", {"llm": {"base_url": HERE + "/", "model": "n"}, "turn": {"debounce_s": 1.5}})

    assert key(world) == KEY
    assert world.vessel.deps.settings.current().turn.debounce_s == 1.5


def test_another_address_forgets_the_key(api: Api, world: World) -> None:
    save_key(api)
    moved = api.patch("/api/v1/settings", {"llm": {"base_url": THERE}})

    assert moved["llm"]["api_key_set"] is False
    assert key(world) == ""


def test_another_address_with_its_own_key_keeps_that(api: Api, world: World) -> None:
    save_key(api)
    api.patch("/api/v1/settings", {"llm": {"base_url": THERE, "api_key": "sk-other"}})

    assert key(world) == "sk-other"


@pytest.fixture
def key_in_environment(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ECHOVESSEL_LLM__API_KEY", KEY)
    return "ECHOVESSEL_LLM__API_KEY"


@pytest.mark.parametrize("own_key", [{}, {"api_key": "sk-other"}])
def test_a_key_of_the_environment_keeps_the_address_it_was_given_for(
    key_in_environment: str, api: Api, world: World, own_key: dict[str, str]
) -> None:
    answer = api.call("PATCH", "/api/v1/settings", json={"llm": {"base_url": THERE, **own_key}})

    assert (answer.status_code, answer.json()["field"]) == (422, "llm.base_url" if not own_key else "llm.api_key")
    assert key_in_environment in answer.json()["detail"]
    assert key_in_environment in answer.json()["do"]
    assert KEY not in answer.text
    assert world.vessel.deps.settings.current().llm.base_url == ""
    assert not world.home.config.exists()


def test_beside_a_key_of_the_environment_the_rest_can_be_changed(
    key_in_environment: str, api: Api, world: World
) -> None:
    changed = api.patch("/api/v1/settings", {"llm": {"base_url": "", "model": "n"}})

    assert (changed["llm"]["model"], changed["llm"]["api_key_set"]) == ("n", True)
    assert key(world) == KEY


def test_a_null_temperature_is_the_endpoints_own(api: Api) -> None:
    assert api.patch("/api/v1/settings", {"llm": {"temperature": 0.5}})["llm"]["temperature"] == 0.5
    assert api.patch("/api/v1/settings", {"llm": {"model": None}})["llm"]["temperature"] == 0.5
    assert api.patch("/api/v1/settings", {"llm": {"temperature": None}})["llm"]["temperature"] is None


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"server": {"allowed_hosts": ["evil.example"]}}, "server"),
        ({"database": {"url": "postgresql://x"}}, "database"),
        ({"llm": {"api_key_file": "/etc/passwd"}}, "llm.api_key_file"),
        ({"llm": {"base_url": "file:///etc/passwd"}}, "llm.base_url"),
        ({"llm": {"retries": 99}}, "llm.retries"),
        ({"llm": {"api_key": "sk a"}}, "llm.api_key"),
        ({"llm": {"api_key": "sk\n"}}, "llm.api_key"),
        ({"llm": {"api_key": "é"}}, "llm.api_key"),
        ({"turn": {"debounce_s": -1}}, "turn.debounce_s"),
        ({"prompt": {"history_share": 1}}, "prompt.history_share"),
    ],
)
def test_what_may_not_be_changed_here_is_named_and_nothing_is_saved(
    api: Api, change: dict[str, Any], field: str
) -> None:
    before = save_key(api)
    body = {"llm": {"model": "changed"}} | change
    answer = api.call("PATCH", "/api/v1/settings", json=body)

    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert api.get("/api/v1/settings") == before


def test_half_a_surrogate_pair_is_no_key(steady: Api) -> None:
    headers = {"Content-Type": "application/json"}
    answer = steady.call("PATCH", "/api/v1/settings", content=rb'{"llm": {"api_key": "\ud800"}}', headers=headers)

    assert (answer.status_code, answer.json()["field"]) == (422, "llm.api_key")


def test_a_test_says_what_answered(api: Api) -> None:
    told = api.post("/api/v1/settings/llm/test", {"base_url": HERE, "model": "qwen"})

    assert (told["model"], told["first_token_s"]) == ("qwen", 0.1)


def test_an_address_alone_says_which_models_there_are(api: Api) -> None:
    told = api.post("/api/v1/settings/llm/test", {"base_url": HERE})

    assert told == {"model": "", "models": ["scripted"], "first_token_s": None}


def test_a_test_that_fails_says_what_to_do(api: Api, world: World) -> None:
    world.model_fails(ModelRefusedKey("The endpoint refused the key.", do="Check the key."))
    answer = api.call("POST", "/api/v1/settings/llm/test", json={"base_url": HERE, "model": "qwen", "api_key": KEY})

    assert (answer.status_code, answer.json()["code"]) == (502, "model-refused-key")
    assert answer.json()["do"] == "Check the key."
    assert KEY not in answer.text


SAVED = LlmSettings.model_validate(
    {"base_url": HERE, "model": "m", "api_key": KEY, "api_key_file": "key.txt", "retries": 4}
)


@pytest.mark.parametrize(
    ("base_url", "api_key", "used", "used_file"),
    [
        (HERE, None, KEY, "key.txt"),
        (HERE + "/", None, KEY, "key.txt"),
        (THERE, None, "", ""),
        (HERE + "/../../evil", None, "", ""),
        (HERE.upper().replace("HTTP", "http"), None, "", ""),
        ("http://127.0.0.1:9/v1@evil.example/v1", None, "", ""),
        (THERE, "sk-new", "sk-new", ""),
        (HERE, "", "", ""),
    ],
)
def test_the_saved_key_goes_only_where_it_was_saved_for(
    base_url: str, api_key: str | None, used: str, used_file: str
) -> None:
    test = LlmTest.model_construct(
        base_url=base_url, model="n", api_key=None if api_key is None else SecretStr(api_key)
    )
    tried = merged(SAVED, test)

    assert (tried.api_key.get_secret_value(), tried.api_key_file) == (used, used_file)
    assert (tried.base_url, tried.model, tried.retries) == (base_url, "n", 4)
