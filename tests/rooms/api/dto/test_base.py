"""The text rules, instants and strictness that every input and view shares."""

from datetime import UTC, datetime
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter, ValidationError

from echovessel.api.dto.base import LINE, PROSE, Input, Instant, Listing, Name, Since, View

PROSE_TEXT = TypeAdapter(Annotated[str, Field(max_length=1000), PROSE])
LINE_TEXT = TypeAdapter(Annotated[str, Field(max_length=1000), LINE])
NAME = TypeAdapter(Name)
INSTANT = TypeAdapter(Instant)


@given(st.text(max_size=1000))
def test_prose_is_taken_as_it_is_or_not_at_all(text: str) -> None:
    if "\0" in text:
        with pytest.raises(ValidationError):
            PROSE_TEXT.validate_python(text)
    else:
        assert PROSE_TEXT.validate_python(text) == text


@given(st.text(alphabet=st.characters(), max_size=50), st.integers(0xD800, 0xDFFF))
def test_half_a_surrogate_pair_is_refused_everywhere(text: str, half: int) -> None:
    for adapter in (PROSE_TEXT, LINE_TEXT, NAME):
        with pytest.raises(ValidationError):
            adapter.validate_python(text[:20] + chr(half) + text[20:])


@pytest.mark.parametrize("text", ["a\nb", "a\tb", "\x1b[31m", "a\x7f", "a\x85b", "a\0"])
def test_a_line_holds_no_control_character(text: str) -> None:
    with pytest.raises(ValidationError):
        LINE_TEXT.validate_python(text)


def test_a_line_is_trimmed_and_otherwise_left_alone() -> None:
    assert LINE_TEXT.validate_python(" \u3000小满\u200f 👩‍👩‍👧 ") == "小满\u200f 👩‍👩‍👧"


@pytest.mark.parametrize("text", ["", " ", "\u3000", "x" * 101])
def test_a_name_is_neither_blank_nor_endless(text: str) -> None:
    with pytest.raises(ValidationError):
        NAME.validate_python(text)


def test_instants_are_answered_in_utc_with_milliseconds() -> None:
    assert INSTANT.dump_python(INSTANT.validate_json('"2026-03-02T17:00:00.1239+08:00"')) == "2026-03-02T09:00:00.123Z"
    with pytest.raises(ValidationError):
        INSTANT.validate_json('"2026-03-02T17:00:00"')


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026", "7"])
def test_since_is_an_instant_that_there_is_in_utc(at: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Since).validate_python(at)


def test_inputs_guess_nothing() -> None:
    class Given(Input):
        count: int = 0

    for sent in ({"count": "1"}, {"count": True}, {"count": 1.0}, {"cuont": 1}, [], None):
        with pytest.raises(ValidationError):
            Given.model_validate(sent)


def test_lists_say_where_they_go_on() -> None:
    class Seen(View):
        at: Instant

    class SeenList(Listing[Seen]):
        """A list."""

    seen = SeenList(items=[Seen(at=datetime(2026, 3, 2, tzinfo=UTC))], next="x")

    assert seen.model_dump(mode="json") == {"items": [{"at": "2026-03-02T00:00:00.000Z"}], "next": "x"}
