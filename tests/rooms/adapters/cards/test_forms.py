import pytest

from echovessel.adapters.cards.forms import form_of
from echovessel.adapters.cards.notes import Notes
from echovessel.core.errors import BadInput

FIELDS = {"name": "Mira Vale"}


@pytest.mark.parametrize(
    ("document", "form"),
    [
        ({"spec": "chara_card_v2", "data": FIELDS}, "v2"),
        ({"spec": "chara_card_v3", "data": FIELDS}, "v3"),
        ({"spec": "chara_card_v2", "data": {}}, "v2"),
        ({"data": FIELDS}, "v2"),
        (FIELDS, "v1"),
        ({"description": "no name"}, "v1"),
        ({"char_name": "Mira Vale"}, "pygmalion"),
        ({"char_name": "Mira Vale", "name": "Mira Vale"}, "v1"),
        ({"spec": "chara_card_v2", "data": None, "name": "Mira Vale"}, "v1"),
    ],
)
def test_the_form_is_told_by_what_is_there(document: dict[str, object], form: str) -> None:
    assert form_of(document, Notes()).name == form


def test_the_inner_fields_of_a_card_go_before_those_kept_for_old_programs() -> None:
    document = {"spec": "chara_card_v2", "name": "old", "data": {"name": "new"}}
    assert form_of(document, Notes()).fields == {"name": "new"}


def test_pygmalions_names_become_those_of_v1() -> None:
    document: dict[str, object] = {
        "char_name": "Mira Vale",
        "char_persona": "dry",
        "world_scenario": "night radio",
        "char_greeting": "You're on air.",
        "example_dialogue": "{{char}}: evening",
    }
    assert form_of(document, Notes()).fields == {
        "name": "Mira Vale",
        "personality": "",
        "description": "dry",
        "scenario": "night radio",
        "first_mes": "You're on air.",
        "mes_example": "{{char}}: evening",
    }


@pytest.mark.parametrize(
    ("spec", "version", "form"), [("chara_card_v4", "4.0", "v2"), ("other", "3.1", "v3"), (7, None, "v2")]
)
def test_a_form_of_the_future_is_read_as_the_nearest_and_noted(spec: object, version: object, form: str) -> None:
    notes = Notes()
    document = {"spec": spec, "spec_version": version, "data": FIELDS}
    assert form_of(document, notes).name == form
    assert str(spec) in notes.told("en")[0]


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ({}, "none of a card's fields"),
        ({"data": {"entries": []}}, "none of a card's fields"),
        ({"spec": "chara_card_v2"}, "none of a card's fields"),
        ({"entries": {}}, "lorebook"),
        ({"name": "Island", "entries": {}}, "lorebook"),
    ],
)
def test_what_is_no_card_is_refused(document: dict[str, object], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        form_of(document, Notes())


def test_an_unknown_form_is_named_in_characters_that_can_be_sent() -> None:
    notes = Notes()
    form_of({"spec": "\ud800x", "data": {"name": "Mira"}}, notes)

    assert "\ufffdx" in "".join(notes.told("en")).encode().decode()
