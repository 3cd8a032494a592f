"""Two spellings of one word meet in one token; what people type is taken as it is or refused with a reason."""

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from snowballstemmer.english_stemmer import EnglishStemmer

from echovessel.core.errors import BadInput
from echovessel.core.text import (
    MAX_INPUT,
    Script,
    clean_input,
    composed,
    estimate_tokens,
    keepable,
    normalise,
    script,
    simplify,
    tokens,
    unadorned,
)

ANY_TEXT = st.text(max_size=200)
SUFFIXES = sorted(
    {entry.s for name in dir(EnglishStemmer) if name.startswith("a_") for entry in getattr(EnglishStemmer, name)}
)


@given(st.from_regex("[a-z]{1,12}", fullmatch=True), st.sampled_from(SUFFIXES), st.text("aeilmnrsty", max_size=2))
@settings(max_examples=500)
def test_every_word_has_the_stem_that_snowball_gives_it(start: str, suffix: str, end: str) -> None:
    """Words that the stemmer is not asked about included."""
    word = start + suffix.replace("'", "") + end

    assert tokens(word) == [EnglishStemmer().stemWord(word)]


def test_a_two_character_chinese_word_is_found_inside_a_sentence() -> None:
    held = tokens("下周要走完这个审批流程")

    assert set(tokens("审批")) <= set(held)
    assert set(tokens("流程")) <= set(held)
    assert not set(tokens("审流")) <= set(held)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("憂鬱的臺灣烏龜", "忧郁的台湾乌龟"),
        ("Ｐｙｔｈｏｎ　３", "python 3"),
        ("ﾃｽﾄ", "テスト"),
        ("STRASSE", "straße"),
        ("Café", "cafe\u0301"),
        ("Café", "cafe"),
        ("İstanbul", "istanbul"),
        ("don’t", "don't"),
        ("running", "runs"),
        ("zero\u200bwidth", "zerowidth"),
        ("\u202eabc\u202c", "abc"),
        ("㎏", "kg"),
        ("❤\ufe0f", "❤"),
    ],
)
def test_spellings_of_one_thing_give_the_same_tokens(one: str, other: str) -> None:
    assert tokens(one) == tokens(other) != []


def test_mixed_scripts_are_cut_where_they_change() -> None:
    assert tokens("我用Python写script") == ["我", "用", "我用", "python", "写", "script"]


def test_a_pictograph_is_a_token_and_punctuation_is_none() -> None:
    assert tokens("😂😂 ok") == ["😂", "😂", "ok"]
    assert tokens(' … "*( ) — _ \x00') == []


def test_one_endless_word_is_cut_and_takes_no_time() -> None:
    began = time.perf_counter()

    assert tokens("x" * 100_000) == ["x" * 64]
    assert len(tokens("貓" * 50_000)) == 99_999
    assert time.perf_counter() - began < 2


@given(ANY_TEXT)
def test_composed_and_decomposed_text_give_the_same_tokens(text: str) -> None:
    assert tokens(unicodedata.normalize("NFC", text)) == tokens(unicodedata.normalize("NFD", text))


@given(ANY_TEXT)
def test_normalising_again_keeps_the_tokens(text: str) -> None:
    assert tokens(normalise(text)) == tokens(text)


@given(ANY_TEXT)
def test_simplifying_keeps_every_offset(text: str) -> None:
    assert len(simplify(text)) == len(text)
    assert simplify(simplify(text)) == simplify(text)


@given(ANY_TEXT, ANY_TEXT)
def test_a_sentence_holds_the_tokens_of_its_lines(one: str, other: str) -> None:
    assert tokens(f"{one}\n{other}") == tokens(one) + tokens(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我昨天用Python写了个script", Script.HAN),
        ("ok好", Script.HAN),
        ("I had 饺子 for dinner with my parents", Script.LATIN),
        ("東京に行きました", Script.KANA),
        ("안녕 hello", Script.HANGUL),
        ("привет", Script.OTHER),
        ("123 😂", Script.OTHER),
        ("", Script.OTHER),
    ],
)
def test_the_script_is_the_one_with_most_weight(text: str, expected: Script) -> None:
    assert script(text) is expected


@pytest.mark.parametrize(("text", "expected"), [("", 0), ("abcd", 1), ("abcde", 2), ("你好", 2), ("你好，abc😂", 5)])
def test_length_is_estimated_by_script(text: str, expected: int) -> None:
    assert estimate_tokens(text) == expected


@given(ANY_TEXT, ANY_TEXT)
def test_a_longer_text_is_never_estimated_shorter(one: str, other: str) -> None:
    assert estimate_tokens(one) <= estimate_tokens(one + other) <= estimate_tokens(one) + estimate_tokens(other)


@pytest.mark.parametrize(
    "text",
    ["", " \n\t\u3000", "\u200b\u200f", "a\x00b", "\ud83d", "x" * (MAX_INPUT + 1)],
    ids=lambda text: f"{len(text)}-characters",
)
def test_what_cannot_be_a_message_is_refused_with_its_field_and_a_remedy(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        clean_input(text, "greeting")

    assert refused.value.field == "greeting"
    assert refused.value.do


@given(st.text(st.characters(categories=["Mn", "Lm", "Lo"]), max_size=100))
def test_however_many_marks_there_are_a_text_stays_the_same_but_for_what_does_not_show(text: str) -> None:
    joined = composed(text)

    assert composed(joined) == joined
    if "\u034f" not in joined:
        assert joined == unicodedata.normalize("NFC", text)
    assert sorted(unicodedata.normalize("NFD", joined.replace("\u034f", ""))) == sorted(
        unicodedata.normalize("NFD", text.replace("\u034f", ""))
    )


def test_a_tower_of_marks_is_read_in_time_proportional_to_its_height() -> None:
    began = time.perf_counter()

    assert composed("a" + "\u0300\u0316" * 20_000).count("\u034f") == 1333

    assert time.perf_counter() - began < 1


def test_what_is_taken_is_kept_as_it_was_typed() -> None:
    family = "\u200f👨‍👩‍👧 \u202bשלום\u202c  臺灣\n"

    assert clean_input(family, "text") == family
    assert clean_input("cafe\u0301", "text") == "café"
    assert len(clean_input("x" * MAX_INPUT, "text")) == MAX_INPUT


@given(st.text(st.characters(categories=None), max_size=50))
def test_whatever_is_said_can_be_kept_and_is_else_unchanged(text: str) -> None:
    kept = keepable(text)

    assert "\x00" not in kept
    assert kept.encode().decode() == kept
    assert len(kept) == len(text) - text.count("\x00")
    assert keepable(kept) == kept


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ＯＫ，３点见", "OK，3点见"),
        ("I \u200blove\ufe0f you", "I love you"),
        ("好累😂😂", "好累"),
        ("😂😂", "😂😂"),
        ("WHERE IS MY CAT", "where is my cat"),
        ("NASA", "NASA"),
        ("USA UK", "USA UK"),
        ("Déjà vu — encore…", "Déjà vu — encore…"),
    ],
)
def test_what_a_voice_would_not_read_out_is_left_out(text: str, plain: str) -> None:
    assert unadorned(text).strip() == plain
