"""Text: one normal form, one way to cut tokens, one estimate of length, one gate for what people type.

Chinese and English are equals: Chinese needs no word list (single characters and bigrams), English no exact form (stems).
Both the store's search and the recall index use `tokens`, so that a word found by one is found by the other.
"""

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache
from typing import cast

from echovessel.core.errors import BadInput
from echovessel.core.han import SIMPLIFIED, TRADITIONAL

MAX_INPUT = 100_000
"""The longest text we take as one message, in characters."""

_TO_SIMPLIFIED = str.maketrans(TRADITIONAL, SIMPLIFIED)

_HAN = r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA = r"\u3041-\u3096\u30a1-\u30fa\u30fc"
_HANGUL = r"\uac00-\ud7af"
_PICTURES = r"\u2600-\u27bf\U0001f000-\U0001faff"
_SIGNS = r"\u3000-\u303f\uff00-\uffef"
_RUN = f"[{_HAN}{_KANA}{_HANGUL}]+"
_WORD = rf"[^\W_{_HAN}{_KANA}{_HANGUL}]+"
_TOKEN = re.compile(rf"({_RUN})|({_WORD}(?:['\u0300-\u036f]+{_WORD})*)|([{_PICTURES}])")
_WIDE = re.compile(f"[{_HAN}{_KANA}{_HANGUL}{_PICTURES}{_SIGNS}]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]")
_WIDE_LETTERS = {
    wide: wide - 0xFEE0 for first, last in ("09", "AZ", "az") for wide in range(ord(first) + 0xFEE0, ord(last) + 0xFEE1)
}
"""Full-width digits and Latin letters. Full-width punctuation is the ordinary one in Chinese."""
_ACCENTS = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")
_PICTURE_RUN = re.compile(rf"\s*[{_PICTURES}]+")
_SHOUTING_WORDS = 3
"""So many words in capitals are no abbreviation."""
_LONGEST_WORD = 64
_ENDINGS = (
    *("'", "s", "y", "i", "e", "ed", "ing", "al", "ful", "ll"),
    *("ic", "ism", "ion", "er", "ator", "ogist", "ant", "ent"),
)
"""A word without one of these has nothing that Snowball's English stemmer takes off or changes."""
_MOST_MARKS = 30
_MANY_MARKS = re.compile(f"[^\x00-\u02ff\u3040-\u3098\u309b-\u9fff\uac00-\ud7a3]{{{_MOST_MARKS + 1}}}")
"""Every character that may be a mark, and as few others as ranges can say."""
_JOINER = "\u034f"


class Script(StrEnum):
    """The writing system that carries most of a text."""

    HAN = "han"
    KANA = "kana"
    HANGUL = "hangul"
    LATIN = "latin"
    OTHER = "other"


_LETTERS = {
    Script.HAN: re.compile(f"[{_HAN}]"),
    Script.KANA: re.compile(f"[{_KANA}]"),
    Script.HANGUL: re.compile(f"[{_HANGUL}]"),
    Script.LATIN: re.compile("[A-Za-z\u00c0-\u024f]"),
}
_LETTERS_A_TOKEN = {Script.LATIN: 4}
_KANA_SHARE = 0.2


def composed(text: str) -> str:
    """`text` in NFC, in time proportional to its length."""
    return unicodedata.normalize("NFC", _stream_safe(text))


def _stream_safe(text: str) -> str:
    """`text` with a combining grapheme joiner, which does not show, after each 30 marks in a row.

    Else normalising sorts them in quadratic time. Source: Stream-Safe Text Format, Unicode Standard Annex #15, section 13.
    """
    if _MANY_MARKS.search(text) is None:
        return text
    safe: list[str] = []
    marks = 0
    for character in text:
        added = _marks_in(character)
        marks = marks + added if added else 0
        if marks > _MOST_MARKS:
            safe.append(_JOINER)
            marks = added
        safe.append(character)
    return "".join(safe)


@lru_cache(maxsize=5_000)
def _marks_in(character: str) -> int:
    """How many marks the character is or falls apart into; 0 when it begins with something that marks stand on."""
    parts = unicodedata.normalize("NFKD", character)
    return len(parts) if unicodedata.combining(parts[0]) else 0


def simplify(text: str) -> str:
    """`text` with each traditional character read as its simplified one; the length stays the same."""
    return text.translate(_TO_SIMPLIFIED)


def unadorned(text: str) -> str:
    """`text` as a voice would read it out: no invisible characters, no full-width letters, no pictographs beside words, no
    shouting. Punctuation, accents and the case of ordinary writing stay."""
    if not text.isascii():
        seen = _INVISIBLE.sub("", text).translate(_WIDE_LETTERS)
        words = _PICTURE_RUN.sub(" ", seen)
        text = words if _TOKEN.search(words) else seen
    shouts = text.isupper() and len(text.split()) >= _SHOUTING_WORDS
    return text.lower() if shouts else text


def normalise(text: str) -> str:
    """The form in which texts are compared: NFKC, case folded, simplified, without invisible characters."""
    if text.isascii():
        return text.lower()  # all that the rest does to it
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _stream_safe(text)).casefold())
    return simplify(_INVISIBLE.sub("", folded)).replace("’", "'")


def tokens(text: str) -> list[str]:
    """The search tokens of a text, in order and with repetitions.

    A run of Chinese, Japanese or Korean gives its characters and then its bigrams; a word gives its stem; a pictograph itself.
    No token holds an ASCII sign.
    """
    found: list[str] = []
    cut: list[tuple[str, str, str]] = _TOKEN.findall(normalise(text))
    for run, word, picture in cut:
        if run:
            found.extend(run)
            found.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            found.append(picture or _stem(word))
    return found


def has_tokens(text: str) -> bool:
    """Whether `tokens` finds anything."""
    return _TOKEN.search(normalise(text)) is not None


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    """The English stem (Snowball's English stemmer); words of other languages only lose their accents."""
    plain = word[:_LONGEST_WORD]
    if not plain.isascii():
        plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", plain)))
    if not plain.endswith(_ENDINGS):
        return plain.replace("'", "")
    from snowballstemmer.english_stemmer import EnglishStemmer  # 3 MB, not needed before the first token

    # A stemmer object keeps the word it works on: one for each call, because threads share this function.
    return cast("str", EnglishStemmer().stemWord(plain)).replace("'", "")


def script(text: str) -> Script:
    """The script with most weight (a letter of Chinese, Japanese or Korean weighs as much as four Latin ones)."""
    if text.isascii():
        return Script.LATIN if _LETTERS[Script.LATIN].search(text) else Script.OTHER
    weights = {kind: len(letters.findall(text)) / _LETTERS_A_TOKEN.get(kind, 1) for kind, letters in _LETTERS.items()}
    if weights[Script.KANA] > _KANA_SHARE * (weights[Script.HAN] + weights[Script.KANA]):
        weights[Script.KANA] += weights.pop(Script.HAN)  # Japanese writes its nouns in Han
    heaviest = max(weights, key=lambda kind: weights[kind])
    return heaviest if weights[heaviest] else Script.OTHER


def estimate_tokens(text: str) -> int:
    """About how many model tokens a text is: 1 for each wide character, 1 for each four others, rounded up."""
    wide = 0 if text.isascii() else sum(map(len, _WIDE.findall(text)))
    return wide - (wide - len(text)) // 4


def keepable(text: str) -> str:
    """`text` as a database and a wire can carry it: NUL is left out, half of a surrogate pair becomes U+FFFD."""
    if text.isascii() and "\x00" not in text:
        return text
    return _UNKEEPABLE.sub(lambda found: "" if found[0] == "\x00" else "\ufffd", text)


def clean_input(text: str, field: str) -> str:
    """What a person typed, in NFC and otherwise as it is (direction marks and emoji sequences are kept).

    Raises `BadInput` naming `field` when there is nothing to read in it, or it is too long, or holds what no text may hold.
    """
    if len(text) > MAX_INPUT:
        raise BadInput(
            f"This text has {len(text):,} characters; at most {MAX_INPUT:,} fit.",
            field=field,
            do="Split it into several messages.",
        )
    if "\x00" in text:
        raise BadInput(
            "This text holds a NUL character.", field=field, do="Remove the NUL character and send it again."
        )
    if _SURROGATE.search(text):
        raise BadInput(
            "This text holds half of a surrogate pair, which is not a character.",
            field=field,
            do="Send the text as valid Unicode.",
        )
    if not any(unicodedata.category(c)[0] not in "ZC" for c in text):
        raise BadInput("This text is empty.", field=field, do="Write something before sending it.")
    return composed(text)
