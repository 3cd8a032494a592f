"""The terminal's own sentences exist in both languages, with the same blanks."""

import re
from dataclasses import asdict

from echovessel.channels.terminal.words import EN, ZH, words


def test_both_languages_fill_the_same_blanks() -> None:
    for key, english in asdict(EN).items():
        assert re.findall(r"\{\w+\}", english) == re.findall(r"\{\w+\}", asdict(ZH)[key]), key


def test_an_unknown_language_gets_english() -> None:
    assert words("zh") is ZH
    assert words("fr") is EN
