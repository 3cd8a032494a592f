import pytest

from echovessel.adapters.cards.fields import LONGEST_TEXT, MOST_TEXTS, Fields
from echovessel.adapters.cards.notes import Notes


def fields(**values: object) -> tuple[Fields, Notes]:
    notes = Notes()
    return Fields(values, notes), notes


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("  two\r\nlines\rthree ", "two\nlines\nthree"),
        ("cafe\u0301", "café"),
        ("👩‍🚀 שלום\u200f", "👩‍🚀 שלום\u200f"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("{{char}} and {{user}}", "{{char}} and {{user}}"),
        ("", ""),
        ("\u200b \u2060", ""),
        (None, ""),
    ],
)
def test_a_text_is_kept_as_it_is_but_for_what_breaks_lines_and_blanks(value: object, text: str) -> None:
    taken, notes = fields(description=value)
    assert taken.text("description") == text
    assert notes.told("en") == ()


def test_characters_that_no_text_may_hold_are_removed_and_that_is_said() -> None:
    taken, notes = fields(description="a\x00b\ud800c\ufeffd\x1be\tf")
    assert taken.text("description") == "abcde\tf"
    assert notes.told("en")[0].startswith("description held characters")


@pytest.mark.parametrize("value", [5, 0.5, True, ["a"], {"a": "b"}])
def test_what_is_not_text_is_left_out_and_that_is_said(value: object) -> None:
    taken, notes = fields(personality=value)
    assert taken.text("personality") == ""
    assert notes.told("en") == ("personality is not text and was left out.",)


def test_a_text_that_is_too_long_is_cut() -> None:
    taken, notes = fields(description="长" * (LONGEST_TEXT + 1))
    assert len(taken.text("description")) == LONGEST_TEXT
    assert notes.told("zh") == ("description 太长，截短了。",)


def test_a_line_holds_no_break() -> None:
    taken, _ = fields(name=" Mira\n\tVale ")
    assert taken.line("name", 100) == "Mira Vale"


def test_one_bad_item_of_a_list_costs_the_others_nothing() -> None:
    taken, notes = fields(alternate_greetings=["one", 2, "", None, "five"])
    assert taken.texts("alternate_greetings") == ["one", "five"]
    assert notes.told("en") == (
        "alternate_greetings[1] is not text and was left out.",
        "alternate_greetings[3] is not text and was left out.",
    )


def test_a_single_text_counts_as_a_list_and_an_object_as_none() -> None:
    taken, notes = fields(one="hello", other={"a": 1})
    assert taken.texts("one") == ["hello"]
    assert taken.texts("other") == []
    assert notes.told("en") == ("other is not a list and was left out.",)


def test_an_endless_list_is_cut() -> None:
    taken, notes = fields(alternate_greetings=["hi"] * (MOST_TEXTS + 1))
    assert len(taken.texts("alternate_greetings")) == MOST_TEXTS
    assert notes.told("en") == ("alternate_greetings: only the first 50 were taken.",)


def test_an_object_inside_names_its_fields_in_full() -> None:
    taken, notes = fields(extensions={"echovessel": {"style": 5}})
    assert taken.inner("extensions").inner("echovessel").text("style") == ""
    assert notes.told("en") == ("extensions.echovessel.style is not text and was left out.",)


@pytest.mark.parametrize("value", ["text", 7, ["a"]])
def test_where_an_object_should_be_anything_else_holds_nothing(value: object) -> None:
    taken, notes = fields(extensions=value)
    assert taken.inner("extensions").text("style") == ""
    assert len(notes.told("en")) == 1
