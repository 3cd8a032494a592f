"""What a model is given of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.adapters.embed.preparation import MAX_TOKENS, prepare
from echovessel.ports.embedder import Kind


def words(text: str, kind: Kind) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cafe\u0301", "café"),
        ("臺灣", "台湾"),
        ("a\x00b", "a b"),
        ("\ud800x", "?x"),
        ("", ""),
        ("ＯＫ，走吧", "OK，走吧"),
        ("晚安😴😴", "晚安"),
        ("I LOVE THIS CAT", "i love this cat"),
    ],
)
def test_one_form_of_each_text(text: str, expected: str) -> None:
    assert prepare(text, Kind.PASSAGE, words) == expected


def test_of_a_long_question_the_end_is_kept_and_of_a_long_passage_the_beginning() -> None:
    long = " ".join(f"w{number}" for number in range(5000))

    assert prepare(long, Kind.QUERY, words).endswith("w4999")
    assert prepare(long, Kind.PASSAGE, words).startswith("w0 w1 ")


@given(st.text(max_size=3000), st.sampled_from(Kind))
def test_no_text_is_given_more_tokens_than_allowed(text: str, kind: Kind) -> None:
    def characters(each: str, _: Kind) -> int:
        return len(each) + 2

    assert characters(prepare(text, kind, characters), kind) <= MAX_TOKENS[kind]
