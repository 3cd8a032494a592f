"""The guide to connecting a model knows every failure and names only settings that exist, in both languages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from echovessel.core.errors import ModelDown
from echovessel.ports.settings import Settings
from tests.house.rules import ROOT

GUIDES = [ROOT / "docs" / folder / "howto" / "connect-a-model.md" for folder in ("", "zh")]


def _codes(kind: type[ModelDown]) -> Iterator[str]:
    yield kind.code
    for narrower in kind.__subclasses__():
        yield from _codes(narrower)


@pytest.mark.parametrize("guide", GUIDES, ids=["en", "zh"])
def test_every_failure_of_a_model_has_its_row(guide: Path) -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", guide.read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(rows) == sorted(set(_codes(ModelDown)))


@pytest.mark.parametrize("guide", GUIDES, ids=["en", "zh"])
def test_every_setting_that_is_named_exists(guide: Path) -> None:
    text = guide.read_text(encoding="utf-8")
    known = {f"{section}.{key}" for section, keys in Settings().model_dump().items() for key in keys}

    named = set(re.findall(r"`((?:llm|prompt)\.[a-z_]+)`", text))
    variables = {name.lower().replace("__", ".") for name in re.findall(r"ECHOVESSEL_(LLM__[A-Z_]+)", text)}

    assert named | variables <= known
    assert len(named) > 10
