"""What stands on the shelf is what a good persona looks like, in both languages."""

import json
import re
from functools import cache
from typing import Any

import pytest

from echovessel.adapters.cards import Cards
from echovessel.adapters.shelf import BuiltInShelf
from echovessel.core.errors import NotFound
from echovessel.core.text import Script, estimate_tokens, script
from echovessel.core.time import zone
from echovessel.ports.cards import ParsedCard
from echovessel.ports.records import PersonaKind
from echovessel.prompts.macros import example_blocks

SHELF = BuiltInShelf()
EVERYONE = [(entry.slug, entry.locale) for entry in SHELF.entries()]
everyone = pytest.mark.parametrize(("slug", "locale"), EVERYONE)


@cache
def read(slug: str, locale: str) -> ParsedCard:
    return Cards().read(SHELF.card(slug, locale), f"{slug}.json")


def raw(slug: str, locale: str) -> dict[str, Any]:
    return json.loads(SHELF.card(slug, locale))


def test_three_personas_stand_there_each_in_both_languages() -> None:
    assert sorted(EVERYONE) == [(s, loc) for s in ("mender", "subtitler", "weather-station") for loc in ("en", "zh")]


def test_an_entry_tells_who_it_is() -> None:
    for entry in SHELF.entries():
        assert entry.name == read(entry.slug, entry.locale).name
        assert entry.tagline == read(entry.slug, entry.locale).tagline
        assert entry.about == raw(entry.slug, entry.locale)["data"]["creator_notes"]


@pytest.mark.parametrize(("slug", "locale"), [("nobody", "en"), ("mender", "fr"), ("../cards/mender", "en"), ("", "")])
def test_who_is_not_there_is_not_found(slug: str, locale: str) -> None:
    with pytest.raises(NotFound):
        SHELF.card(slug, locale)


@everyone
def test_a_card_is_whole_and_nothing_of_it_is_left_out(slug: str, locale: str) -> None:
    card = read(slug, locale)
    assert card.format == "v3-json"
    assert card.left_out == ()
    assert card.locale == locale
    assert card.kind is PersonaKind.ORIGINAL
    assert zone(card.zone)
    assert card.tagline
    assert card.style


@everyone
def test_a_card_shows_how_its_persona_speaks(slug: str, locale: str) -> None:
    card = read(slug, locale)
    assert 3 <= len(example_blocks(card.examples)) <= 5
    assert 2 <= len(card.greetings) <= 3
    assert len(set(card.greetings)) == len(card.greetings)
    assert estimate_tokens(card.about + card.style + card.examples) < 1500


@everyone
def test_a_persona_does_not_pose_as_a_human(slug: str, locale: str) -> None:
    assert "AI" in read(slug, locale).about


@everyone
def test_a_card_has_the_fields_that_v3_demands(slug: str, locale: str) -> None:
    card = raw(slug, locale)
    assert (card["spec"], card["spec_version"]) == ("chara_card_v3", "3.0")
    demanded = {
        "name", "description", "tags", "creator", "character_version", "mes_example", "extensions", "system_prompt",
        "post_history_instructions", "first_mes", "alternate_greetings", "personality", "scenario", "creator_notes",
        "group_only_greetings",
    }  # fmt: skip
    assert demanded <= set(card["data"])


@everyone
def test_a_card_is_written_in_its_own_language(slug: str, locale: str) -> None:
    texts = [*raw(slug, locale)["data"].values()]
    written = "".join(t for t in texts if isinstance(t, str))
    assert (script(written) is Script.HAN) is (locale == "zh")
    if locale == "en":
        assert not re.search("[一-鿿，。「」]", written)


@pytest.mark.parametrize("slug", sorted({slug for slug, _ in EVERYONE}))
def test_chinese_has_full_width_punctuation(slug: str) -> None:
    data = raw(slug, "zh")["data"]
    texts = [v for v in (*data.values(), *data["extensions"]["echovessel"].values()) if isinstance(v, str)]
    for text in (*texts, *data["alternate_greetings"]):
        assert re.findall(r"[一-鿿}」][,.:;!?()'\"]|[,:;!?()'\"][一-鿿{「]", text) == []


@pytest.mark.parametrize("slug", sorted({slug for slug, _ in EVERYONE}))
def test_the_two_languages_are_two_people_not_a_translation(slug: str) -> None:
    assert read(slug, "zh").name != read(slug, "en").name
    assert len({read(slug, loc).zone for loc in ("zh", "en")}) == 2
