"""The guide to making a persona quotes the cards on the shelf word for word, in both languages."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.house.rules import ROOT, SOURCE

GUIDES = [
    (ROOT / "docs" / folder / "howto" / "make-a-persona.md", locale) for folder, locale in (("", "en"), ("zh", "zh"))
]
QUOTE = re.compile(r"^```text (?P<card>\S+) (?P<part>\S+)\n(?P<words>.*?)\n```$", re.MULTILINE | re.DOTALL)

guides = pytest.mark.parametrize(("guide", "locale"), GUIDES, ids=["en", "zh"])


def _part(card: str, part: str) -> str:
    file = SOURCE / "adapters" / "shelf" / "cards" / f"{card}.json"
    fields: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["data"]
    match part:
        case "style":
            return fields["extensions"]["echovessel"]["style"]
        case "examples":
            return fields["mes_example"]
        case "greetings":
            return "\n".join([fields["first_mes"], *fields["alternate_greetings"]])
        case _:
            return fields[part]


@guides
def test_every_quoted_line_stands_in_its_card(guide: Path, locale: str) -> None:
    quotes = list(QUOTE.finditer(guide.read_text(encoding="utf-8")))

    assert {quote["card"] for quote in quotes} == {f"{s}.{locale}" for s in ("mender", "subtitler", "weather-station")}
    missing = [
        line
        for quote in quotes
        for line in quote["words"].splitlines()
        if line not in _part(quote["card"], quote["part"])
    ]
    assert missing == []


def test_both_languages_quote_the_same_parts_of_the_same_people() -> None:
    told = [
        [(q["card"].partition(".")[0], q["part"]) for q in QUOTE.finditer(guide.read_text(encoding="utf-8"))]
        for guide, _ in GUIDES
    ]
    assert told[0] == told[1]
    assert len(told[0]) >= 8


@guides
def test_every_field_of_our_own_that_the_reader_knows_is_told(guide: Path, locale: str) -> None:
    reader = (SOURCE / "adapters" / "cards" / "mapping.py").read_text(encoding="utf-8")
    own = set(re.findall(r'fields\.(?:text|line)\("(style|locale|zone|kind|basis|tagline)"', reader))
    text = guide.read_text(encoding="utf-8")

    assert len(own) == 6
    assert [name for name in own if not re.search(rf"`(?:extensions\.echovessel\.)?{name}`", text)] == []
