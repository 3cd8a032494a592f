import pytest

from echovessel.prompts.macros import example_blocks, fill_macros, fill_persona_macros


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{{user}} and {{char}}", "Lin and Mira"),
        ("{{ User }}, <USER>, <BOT>, {{bot}}", "Lin, Lin, Mira, Mira"),
        ("a{{// a note to myself}}b{{comment: x}}c{{hidden_key:y}}", "abc"),
        ("{{random:tea,coffee}} {{pick::one::two}}", "tea one"),
        ("{{original}}left alone: {{time}}", "left alone: {{time}}"),
    ],
)
def test_macros_are_filled(text: str, filled: str) -> None:
    assert fill_macros(text, "Lin", "Mira") == filled


def test_a_name_is_never_read_as_a_macro() -> None:
    assert fill_macros("{{user}} and {{char}}", "{{char}}", "{{user}}") == "{{char}} and {{user}}"


def test_the_personas_name_alone_can_be_filled_in() -> None:
    filled = fill_persona_macros("{{Char}}, <BOT>: {{user}} {{random:a,b}} {{// note}}", "Mira")
    assert filled == "Mira, Mira: {{user}} {{random:a,b}} {{// note}}"


def test_a_user_without_a_name_is_you_in_the_language_of_the_text() -> None:
    assert fill_macros("{{user}}，今天怎么样？", "", "林夏") == "你，今天怎么样？"
    assert fill_macros("There {{user}} are.", " ", "Mira") == "There you are."


def test_examples_fall_into_blocks() -> None:
    assert example_blocks("<START>\na: 1\nb: 2\n<start>\n\n<START>\nc: 3") == ["a: 1\nb: 2", "c: 3"]
    assert example_blocks("just lines\nno start") == ["just lines\nno start"]
    assert example_blocks("") == []
