import re

import pytest

from echovessel.adapters.cards.notes import NOTES, Notes


def test_both_languages_know_the_same_notes_with_the_same_gaps() -> None:
    gaps = {language: {what: text.count("{}") for what, text in notes.items()} for language, notes in NOTES.items()}
    assert gaps["en"] == gaps["zh"]


@pytest.mark.parametrize("text", NOTES["zh"].values())
def test_chinese_notes_have_full_width_punctuation(text: str) -> None:
    assert re.findall(r"[一-鿿][,.:;!?()]|[,:;!?()][一-鿿]", text) == []


def test_a_note_is_told_once_in_the_order_it_came() -> None:
    notes = Notes()
    notes.add("too-long", "scenario")
    notes.add("lorebook")
    notes.add("too-long", "scenario")
    assert notes.told("en") == (
        "scenario was too long and was cut.",
        "The lorebook is kept with the card, but not read yet.",
    )
