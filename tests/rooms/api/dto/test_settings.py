"""Settings as they are shown and changed."""

import pytest
from pydantic import SecretStr, ValidationError

from echovessel.api.dto.settings import LlmTest, SettingsChange, SettingsView
from echovessel.ports.settings import Settings


def test_settings_are_shown_without_their_secrets() -> None:
    settings = Settings.model_validate(
        {"llm": {"api_key": "sk-secret", "api_key_file": "private.txt"}, "database": {"url": "postgresql://u:pw@h/d"}}
    )
    shown = SettingsView.of(settings).model_dump_json()

    assert SettingsView.of(settings).llm.api_key_set
    assert not [secret for secret in ("sk-secret", "private.txt", "pw") if secret in shown]


@pytest.mark.parametrize(("llm", "is_set"), [({}, False), ({"api_key": "k"}, True), ({"api_key_file": "f"}, True)])
def test_a_key_is_set_by_value_or_by_file(llm: dict[str, str], is_set: bool) -> None:
    assert SettingsView.of(Settings.model_validate({"llm": llm})).llm.api_key_set is is_set


def test_a_change_holds_what_was_sent() -> None:
    change = SettingsChange.model_validate(
        {"llm": {"model": "m", "small_model": None, "temperature": None, "api_key": "k"}, "turn": {"debounce_s": 0}}
    )

    assert change.values() == {
        "llm.model": "m",
        "llm.temperature": None,
        "llm.api_key": SecretStr("k"),
        "turn.debounce_s": 0,
    }
    assert SettingsChange.model_validate({}).values() == {}


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (" http://127.0.0.1:11434/v1/ ", "http://127.0.0.1:11434/v1"),
        ("https://模型.example/v1", "https://模型.example/v1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_addresses_of_models(sent: str, kept: str) -> None:
    assert LlmTest.model_validate({"base_url": sent, "model": "m"}).base_url == kept


@pytest.mark.parametrize(
    "sent",
    ["x", "127.0.0.1:9", "ftp://h", "file:///etc/passwd", "javascript:alert(1)", "http://", "http://u:p@h", "a\nb"],
)
def test_what_is_no_address_of_a_model(sent: str) -> None:
    with pytest.raises(ValidationError):
        LlmTest.model_validate({"base_url": sent, "model": "m"})


def test_a_change_of_profiles_names_each_value_and_what_goes() -> None:
    change = SettingsChange.model_validate(
        {"profiles": {"cloud": {"model": "m", "price_cached_in": None}, "old": None}, "llm": {"fallback": ["cloud"]}}
    )

    assert change.values() == {
        "llm.fallback": ("cloud",),
        "profiles.cloud.model": "m",
        "profiles.cloud.price_cached_in": None,
        "profiles.old": None,
    }


def test_an_address_and_a_proxy_are_shown_without_their_logins() -> None:
    section = {"base_url": "http://me:secret@127.0.0.1:9/v1", "proxy": "http://me:secret@127.0.0.1:8118"}
    shown = SettingsView.of(Settings.model_validate({"llm": section})).llm
    assert (shown.base_url, shown.proxy) == ("http://127.0.0.1:9/v1", "http://127.0.0.1:8118")
