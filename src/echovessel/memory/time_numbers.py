"""Numbers as people write them in dates: Chinese numerals, English words, digits; and how many an inexact one may be."""

import re

HAN_DIGITS = "零〇一二两三四五六七八九十"
HAN_NUMBER = rf"(?:\d{{1,3}}|[{HAN_DIGITS}百]{{1,4}})"
_HAN = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}

_UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_WORDS = {word: number for number, word in enumerate(_UNITS, 1)} | {
    "a": 1, "an": 1, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "eighteen": 18, "twenty": 20, "thirty": 30,
    "forty": 40, "fifty": 50,
}  # fmt: skip
_SMALL = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_TEENS = [
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
]
_ORDINALS = {
    **{word: number for number, word in enumerate([*_SMALL, *_TEENS, "nineteenth", "twentieth"], 1)},
    **{f"twenty-{word}": 20 + number for number, word in enumerate(_SMALL, 1)},
    "thirtieth": 30,
    "thirty-first": 31,
}

_INEXACT = {
    "几": (2, 5), "好几": (3, 9), "两三": (2, 3), "三四": (3, 4), "三五": (3, 5), "四五": (4, 5), "五六": (5, 6),
    "七八": (7, 8),
    "couple": (2, 3), "a couple": (2, 3), "few": (2, 5), "a few": (2, 5), "several": (3, 7), "some": (2, 9),
    "a couple of": (2, 3), "couple of": (2, 3), "two or three": (2, 3), "three or four": (3, 4), "a": (1, 1),
}  # fmt: skip
MANY = "|".join(sorted(map(re.escape, {*_WORDS, *(w for w in _INEXACT if w.isascii())}), key=len, reverse=True))
"""English words for how many, for a pattern."""
ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))


def han_number(text: str) -> int | None:
    """十二, 二十三, 一百, 二〇二三 or 23; None when it is no number."""
    if text.isdecimal() and text.isascii():
        return int(text)
    if "百" in text or "十" in text:
        hundreds, _, below = text.rpartition("百") if "百" in text else ("", "", text)
        tens, ten, ones = below.rpartition("十")
        parts = (
            _digit(hundreds, 1 if "百" in text else 0),
            _digit(tens, 1 if ten else 0),
            _digit(ones.lstrip("零〇"), 0),
        )
        return None if None in parts else sum(p * w for p, w in zip(parts, (100, 10, 1), strict=True) if p is not None)
    if text and all(character in _HAN for character in text):
        return int("".join(str(_HAN[character]) for character in text))
    return None


def _digit(text: str, empty: int) -> int | None:
    return _HAN.get(text) if text else empty


def ordinal(text: str) -> int | None:
    """8, 8th, eighth; None when it is no such number."""
    digits = text.rstrip("stndrh")
    return int(digits) if digits.isdecimal() else _ORDINALS.get(text)


def how_many(text: str) -> tuple[int, int] | None:
    """The least and the most that a number may mean: three (3, 3), a few (2, 5), 两三 (2, 3); None when it is no number."""
    if text in _INEXACT:
        return _INEXACT[text]
    number = _WORDS.get(text) or han_number(text)
    return None if number is None else (number, number)
