"""Settings over HTTP: no key is ever shown, and none travels to another address."""

from typing import Any

import pytest

from echovessel.core.errors import ModelRefusedKey
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
        ({"llm": {"profile": "nobody"}}, "llm.profile"),
        ({"llm": {"fallback": ["nobody"]}}, "llm.fallback"),
        ({"profiles": {"Cloud": {"model": "m"}}}, "profiles.Cloud.[key]"),
        ({"profiles": {"a.b": None}}, "profiles.a.b.[key]"),
        ({"profiles": {"cloud": {"daily_cost_cap": 1}}}, "profiles.cloud.daily_cost_cap"),
        ({"profiles": {"cloud": {"proxy": "http://me:secret@127.0.0.1:1"}}}, "profiles.cloud.proxy"),
        ({"profiles": {"cloud": 3}}, "profiles.cloud"),
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


def test_a_test_says_what_answered_how_fast_and_how_much_it_holds(api: Api, world: World) -> None:
    world.model_says("one two three")
    world.model_says('{"legs": 4}')
    world.model.holds = 4096
    told = api.post("/api/v1/settings/llm/test", {"base_url": HERE, "model": "qwen"})

    assert world.model.tried[-1].model == "qwen"
    assert (told["model"], told["models"], told["context_tokens"]) == ("scripted", ["scripted"], 4096)
    assert told["first_token_s"] is not None
    assert [worry["code"] for worry in told["worries"]] == ["model-small-context"]
    assert told["json_mode"] == "none", "this one keeps no answer to JSON, though it gave some"
    assert api.get("/api/v1/usage")["calls"] == 2, "it may cost"


def test_an_address_alone_says_which_models_there_are(api: Api) -> None:
    told = api.post("/api/v1/settings/llm/test", {"base_url": HERE})

    assert (told["model"], told["models"], told["first_token_s"]) == ("", ["scripted"], None)
    assert api.get("/api/v1/usage")["calls"] == 0


def test_a_test_that_fails_says_what_to_do(api: Api, world: World) -> None:
    world.model_fails(ModelRefusedKey("The endpoint refused the key.", do="Check the key."))
    answer = api.call("POST", "/api/v1/settings/llm/test", json={"base_url": HERE, "model": "qwen", "api_key": KEY})

    assert (answer.status_code, answer.json()["code"]) == (502, "model-refused-key")
    assert answer.json()["do"] == "Check the key."
    assert KEY not in answer.text


def test_a_profile_is_made_chosen_and_taken_away(api: Api, world: World) -> None:
    cloud = {"base_url": THERE, "model": "luna", "api_key": KEY, "price_cached_in": 0.1}
    saved = api.patch(
        "/api/v1/settings", {"profiles": {"cloud": cloud, "本地": {"file": "~/m.gguf"}}, "llm": {"profile": "cloud"}}
    )

    assert saved["profiles"]["cloud"]["speaks"] == "openai"
    assert saved["profiles"]["cloud"]["api_key_set"] is True
    assert saved["profiles"]["本地"]["speaks"] == "gguf"
    assert KEY not in api.call("GET", "/api/v1/settings").text
    assert api.patch("/api/v1/settings", {"llm": {"fallback": ["本地"]}})["llm"]["fallback"] == ["本地"]

    needed = api.call("PATCH", "/api/v1/settings", json={"profiles": {"cloud": None}})
    assert (needed.status_code, needed.json()["field"]) == (422, "llm.profile")

    left = api.patch("/api/v1/settings", {"profiles": {"cloud": None}, "llm": {"profile": "", "fallback": []}})
    assert list(left["profiles"]) == ["本地"]
    assert KEY not in world.home.config.read_text(encoding="utf-8")


def test_a_profile_that_moves_to_another_address_forgets_its_key_and_no_other(api: Api, world: World) -> None:
    save_key(api)
    api.patch("/api/v1/settings", {"profiles": {"cloud": {"base_url": THERE, "api_key": "sk-cloud"}}})
    moved = api.patch("/api/v1/settings", {"profiles": {"cloud": {"base_url": HERE}}})

    assert moved["profiles"]["cloud"]["api_key_set"] is False
    assert key(world) == KEY


def test_a_price_of_null_is_the_price_of_the_rest(api: Api) -> None:
    assert api.patch("/api/v1/settings", {"llm": {"price_cached_in": 0.1}})["llm"]["price_cached_in"] == 0.1
    assert api.patch("/api/v1/settings", {"llm": {"price_cached_in": None}})["llm"]["price_cached_in"] is None


def test_nothing_cannot_be_tried(api: Api) -> None:
    answer = api.call("POST", "/api/v1/settings/llm/test", json={"model": "qwen"})
    assert (answer.status_code, answer.json()["field"]) == (422, "base_url")
