"""A saved key goes only where it was saved for."""

from typing import Any

import pytest

from echovessel.api.dto.settings import LlmTest
from echovessel.api.keys import merged, to_forget, without_shown
from echovessel.core.errors import BadInput
from echovessel.ports.settings import Settings

KEY = "sk-very-secret"
HERE, THERE = "http://127.0.0.1:9/v1", "https://there.example/v1"
CLAUDE = "https://api.anthropic.com"


def saved(**more: object) -> Settings:
    section = {"base_url": HERE, "model": "m", "api_key": KEY, "api_key_file": "key.txt", "retries": 4}
    profiles = {
        "cloud": {"base_url": THERE, "api_key": "sk-cloud"},
        "claude": {"kind": "anthropic", "api_key": "sk-claude"},
    }
    return Settings.model_validate({"llm": section, "profiles": profiles, **more})


@pytest.mark.parametrize(
    ("test", "used", "used_file"),
    [
        ({"base_url": HERE}, KEY, "key.txt"),
        ({"base_url": HERE + "/"}, KEY, "key.txt"),
        ({"base_url": THERE}, "", ""),
        ({"base_url": HERE + "/../../evil"}, "", ""),
        ({"base_url": HERE.upper().replace("HTTP", "http")}, "", ""),
        ({"base_url": HERE, "proxy": "http://evil.example"}, "", ""),
        ({"base_url": THERE, "api_key": "sk-new"}, "sk-new", ""),
        ({"base_url": HERE, "api_key": ""}, "", ""),
        ({"profile": "cloud", "base_url": THERE}, "sk-cloud", ""),
        ({"profile": "cloud", "base_url": THERE, "proxy": "http://127.0.0.1:1"}, "sk-cloud", ""),
        ({"profile": "cloud", "base_url": HERE}, "", ""),
        ({"profile": "nobody", "base_url": HERE}, "", ""),
        ({"profile": "claude", "kind": "anthropic"}, "sk-claude", ""),
        ({"profile": "claude", "base_url": CLAUDE}, "sk-claude", ""),
        ({"profile": "claude", "kind": "openai", "base_url": THERE}, "", ""),
        ({"kind": "anthropic"}, "", ""),
    ],
)
def test_a_test_sends_the_saved_key_only_where_it_was_saved_for(
    test: dict[str, Any], used: str, used_file: str
) -> None:
    tried = merged(saved(), LlmTest.model_validate({"model": "n", **test}))

    assert (tried.api_key.get_secret_value(), tried.api_key_file) == (used, used_file)
    assert tried.model == "n"


def test_what_is_not_tried_is_as_it_was_saved() -> None:
    assert merged(saved(), LlmTest.model_validate({"base_url": HERE, "model": "n"})).retries == 4


def test_an_address_that_only_looks_like_the_saved_one_gets_no_key() -> None:
    test = LlmTest.model_construct(kind="auto", base_url="http://127.0.0.1:9/v1@evil.example/v1", model="n")
    assert merged(saved(), test).api_key.get_secret_value() == ""


def test_nothing_is_not_tried() -> None:
    with pytest.raises(BadInput):
        merged(saved(), LlmTest.model_validate({"model": "n"}))


@pytest.mark.parametrize(
    ("values", "forgotten"),
    [
        ({"llm.model": "n"}, {}),
        ({"llm.base_url": HERE + "/"}, {}),
        ({"llm.base_url": THERE}, {"llm.api_key": "", "llm.api_key_file": ""}),
        ({"llm.base_url": THERE, "llm.api_key": "new"}, {"llm.api_key_file": ""}),
        ({"llm.proxy": "http://127.0.0.1:1"}, {"llm.api_key": "", "llm.api_key_file": ""}),
        ({"profiles.cloud.proxy": "http://127.0.0.1:1"}, {}),
        ({"profiles.cloud.base_url": HERE}, {"profiles.cloud.api_key": ""}),
        ({"profiles.cloud": None}, {}),
        ({"profiles.new.base_url": THERE}, {}),
        ({"profiles.claude.kind": "openai"}, {"profiles.claude.api_key": ""}),
        ({"profiles.claude.base_url": CLAUDE}, {}),
    ],
)
def test_a_change_of_the_way_forgets_the_key_of_that_connection(
    values: dict[str, Any], forgotten: dict[str, str]
) -> None:
    assert to_forget(values, saved()) == forgotten


def test_a_proxy_can_read_along_however_the_address_is_written() -> None:
    settings = Settings.model_validate({"llm": {"base_url": "HTTP://127.0.0.1:9/v1", "api_key": KEY}})
    assert to_forget({"llm.proxy": "http://127.0.0.1:1"}, settings) == {"llm.api_key": ""}


def test_an_address_that_comes_back_as_it_was_shown_keeps_its_login_and_its_key() -> None:
    with_login = "http://me:hunter2@127.0.0.1:9/v1"
    settings = Settings.model_validate({"llm": {"base_url": with_login, "api_key": KEY}})
    assert without_shown({"llm.base_url": HERE, "llm.model": "n"}, settings) == {"llm.model": "n"}
    assert without_shown({"llm.base_url": THERE}, settings) == {"llm.base_url": THERE}
    tried = merged(settings, LlmTest.model_validate({"base_url": HERE, "model": "n"}))
    assert (tried.base_url, tried.api_key.get_secret_value()) == (with_login, KEY)
