"""Which models the settings name, how each is spoken to, and in which order they are tried."""

import pytest
from pydantic import ValidationError

from echovessel.ports.settings import READ_AT_START, EmbedderSettings, ModelSettings, Settings


@pytest.mark.parametrize(
    ("settings", "speaks"),
    [
        ({}, None),
        ({"model": "m"}, None),
        ({"base_url": " "}, None),
        ({"base_url": "http://127.0.0.1:1/v1"}, "openai"),
        ({"base_url": "https://api.anthropic.com"}, "anthropic"),
        ({"base_url": "https://api.anthropic.com.evil.example"}, "openai"),
        ({"base_url": "no address"}, "openai"),
        ({"file": "~/m.gguf"}, "gguf"),
        ({"file": "~/m.gguf", "base_url": "http://127.0.0.1:1/v1"}, "gguf"),
        ({"kind": "anthropic"}, "anthropic"),
        ({"kind": "openai"}, None),
        ({"kind": "gguf", "base_url": "http://127.0.0.1:1/v1"}, None),
        ({"kind": "anthropic", "base_url": "http://127.0.0.1:1"}, "anthropic"),
    ],
)
def test_how_a_connection_is_spoken_to(settings: dict[str, str], speaks: str | None) -> None:
    assert ModelSettings.model_validate(settings).speaks == speaks


PROFILES = {"cloud": {"kind": "anthropic"}, "home": {"file": "m.gguf"}, "idle": {"model": "m"}}


@pytest.mark.parametrize(
    ("llm", "order"),
    [
        ({}, []),
        ({"base_url": "http://h/v1"}, [""]),
        ({"base_url": "http://h/v1", "fallback": ["home", "cloud"]}, ["", "home", "cloud"]),
        ({"base_url": "http://h/v1", "profile": "cloud"}, ["cloud"]),
        ({"profile": "cloud", "fallback": ["home"]}, ["cloud", "home"]),
        ({"fallback": ["home"]}, []),
    ],
)
def test_the_order_in_which_models_are_tried(llm: dict[str, object], order: list[str]) -> None:
    settings = Settings.model_validate({"llm": llm, "profiles": PROFILES})
    assert list(settings.models_in_order()) == order


@pytest.mark.parametrize(
    "llm", [{"profile": "nobody"}, {"fallback": ["idle"]}, {"fallback": ["home", "home"]}, {"profile": "Cloud"}]
)
def test_names_that_lead_nowhere_are_refused(llm: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate({"llm": llm, "profiles": PROFILES})


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"base_url": "http://127.0.0.1:1/v1"}, "embedder.model"),
        ({"base_url": "http://127.0.0.1:1/v1", "model": "m", "file": "m.gguf"}, "embedder.file"),
        ({"file": "m.gguf", "folder": "m"}, "embedder.folder"),
        ({"file": "m.gguf", "name": "usem3"}, "embedder.name"),
    ],
)
def test_an_embedder_is_named_once_and_whole(given: dict[str, object], key: str) -> None:
    with pytest.raises(ValidationError) as refused:
        EmbedderSettings.model_validate(given)

    [error] = refused.value.errors()
    assert error["type"] == "setting"
    assert error["ctx"]["key"] == key  # pyright: ignore[reportTypedDictNotRequiredAccess]
    assert error["ctx"]["do"]  # pyright: ignore[reportTypedDictNotRequiredAccess]


def test_a_change_of_the_embedder_waits_for_the_next_start() -> None:
    assert {"embedder.name", "embedder.base_url", "embedder.query_prefix"} <= set(READ_AT_START)
