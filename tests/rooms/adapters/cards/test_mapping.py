import pytest

from echovessel.adapters.cards.forms import Form
from echovessel.adapters.cards.mapping import parsed
from echovessel.adapters.cards.notes import Notes
from echovessel.ports.cards import ParsedCard
from echovessel.ports.records import PersonaKind

WHOLE = {
    "name": "Mira Vale",
    "description": "{{char}} keeps a night radio show.",
    "personality": "dry, patient",
    "scenario": "It rains. {{user}} has phoned.",
    "first_mes": "You're on air, {{user}}.",
    "mes_example": "<START>\n{{user}}: Sing?\n{{char}}: No.",
}


def read(filename: str = "mira.json", **fields: object) -> ParsedCard:
    return parsed(Form("v2", {**WHOLE, **fields}), "json", filename, Notes())


def own(**fields: object) -> ParsedCard:
    return read(extensions={"other": [1], "echovessel": fields})


def test_who_the_persona_is_stands_under_headings_with_the_macros_kept() -> None:
    assert read().about == (
        "{{char}} keeps a night radio show.\n\n"
        "## Personality\ndry, patient\n\n"
        "## Scenario\nIt rains. {{user}} has phoned."
    )


def test_the_headings_are_in_the_cards_language() -> None:
    card = read(description="{{char}}在岛上做夜间电台。", personality="寡言", scenario="", first_mes="您已接通。")
    assert card.about == "{{char}}在岛上做夜间电台。\n\n## 性格\n寡言"
    assert card.locale == "zh"


def test_a_part_that_is_not_there_has_no_heading() -> None:
    assert read(description="", scenario="").about == "## Personality\ndry, patient"
    assert read(description="", personality="", scenario="").about == ""


def test_greetings_are_the_first_message_and_its_alternatives() -> None:
    assert read(alternate_greetings=["Again?", ""]).greetings == ("You're on air, {{user}}.", "Again?")
    assert read(first_mes="", alternate_greetings=["Again?"]).greetings == ("Again?",)


def test_the_examples_are_kept_as_they_are() -> None:
    assert read().examples == WHOLE["mes_example"]


def test_notes_for_people_and_orders_to_models_reach_nothing() -> None:
    card = read(
        creator_notes="NOTE",
        creator_notes_multilingual={"zh": "NOTE"},
        system_prompt="ORDER {{original}}",
        post_history_instructions="ORDER",
    )
    told = (card.about, card.style, card.examples, card.tagline, card.basis, *card.greetings)
    assert not any("NOTE" in text or "ORDER" in text for text in told)
    assert len(card.left_out) == 1
    assert card.left_out[0].startswith("Not taken: system_prompt, post_history_instructions.")


def test_what_is_missing_and_not_yet_read_is_told() -> None:
    fields: dict[str, object] = {**WHOLE, "personality": "", "character_book": {"entries": []}}
    del fields["description"], fields["scenario"]
    card = parsed(Form("v2", fields), "json", "mira.json", Notes())
    assert card.left_out == (
        "The card does not say: description, scenario.",
        "The lorebook is kept with the card, but not read yet.",
    )


@pytest.mark.parametrize("name", ["", "   ", "\u200b", None, 7, ["Mira"]])
def test_a_card_without_a_name_is_called_after_its_file(name: object) -> None:
    card = read("C:\\cards\\night radio.card.png", name=name)
    assert card.name == "night radio.card"
    assert any("night radio.card" in note for note in card.left_out)


@pytest.mark.parametrize(("text", "name"), [("hello", "Unnamed"), ("你好呀", "无名")])
def test_without_any_name_it_is_called_unnamed(text: str, name: str) -> None:
    fields = {"description": text}
    assert parsed(Form("v2", fields), "png", "", Notes()).name == name


def test_a_name_is_one_line_of_at_most_200_characters() -> None:
    assert read(name=" Mira\nVale ").name == "Mira Vale"
    assert len(read(name="x" * 1000).name) == 200


def test_a_nickname_is_what_char_becomes() -> None:
    card = read(nickname="Mira", alternate_greetings=["<BOT> here, {{User}}."])
    assert card.name == "Mira Vale"
    assert card.about.startswith("Mira keeps a night radio show.")
    assert card.examples == "<START>\n{{user}}: Sing?\nMira: No."
    assert card.greetings == ("You're on air, {{user}}.", "Mira here, {{User}}.")


def test_a_nickname_that_is_a_macro_is_refused() -> None:
    card = read(nickname="{{user}}")
    assert card.about.startswith("{{char}} keeps")
    assert card.left_out == ("nickname has a value that is not known and was left out.",)


def test_our_own_corner_of_a_card_is_honoured() -> None:
    card = own(
        style="Short.", locale="zh-CN", zone="Asia/Shanghai", kind="memorial", basis="Family.", tagline="Night\nradio"
    )
    assert (card.style, card.locale, card.zone) == ("Short.", "zh", "Asia/Shanghai")
    assert (card.kind, card.basis, card.tagline) == (PersonaKind.MEMORIAL, "Family.", "Night radio")
    assert card.left_out == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [("locale", "fr"), ("zone", "Mars/Olympus"), ("zone", "../etc/passwd"), ("kind", "god"), ("style", 5)],
)
def test_a_value_that_is_not_known_is_left_out_and_named(field: str, value: object) -> None:
    card = own(**{field: value})
    assert (card.style, card.locale, card.zone, card.kind) == ("", "en", "", PersonaKind.FICTIONAL)
    assert len(card.left_out) == 1
    assert card.left_out[0].startswith(f"extensions.echovessel.{field} ")


def test_a_card_that_says_nothing_is_still_someone() -> None:
    card = parsed(Form("v1", {}), "json", "bare.json", Notes())
    assert (card.name, card.about, card.greetings, card.locale) == ("bare", "", (), "en")
