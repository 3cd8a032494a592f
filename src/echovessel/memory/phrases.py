"""Many phrases found in a text in one pass: a look-up at each word, and at each Chinese character for each length there is."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

_PIECE = re.compile(r"[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A phrase at `text[start:end]`, and what it stands for."""

    start: int
    end: int
    value: T


class Phrases(Generic[T]):
    """Phrases of words and of Chinese characters, each with a value. Texts come in the form of `core.text.normalise`.

    A phrase matches whole words, but any run of Chinese characters. At each place the longest wins, and nothing within it is
    found again. The time is proportional to the length of the text and does not grow with the number of phrases.
    """

    def __init__(self, phrases: Iterable[tuple[str, T]] = ()) -> None:
        self._values: dict[tuple[str, ...], T] = {}
        self._lengths: dict[str, list[int]] = {}
        for phrase, value in phrases:
            self.put(phrase, value)

    def put(self, phrase: str, value: T) -> None:
        """Add a phrase, or give it another value; one without words or characters is left out."""
        pieces = tuple(_PIECE.findall(phrase))
        if not pieces:
            return
        self._values[pieces] = value
        lengths = self._lengths.setdefault(pieces[0], [])
        if len(pieces) not in lengths:
            lengths.append(len(pieces))
            lengths.sort(reverse=True)

    def find(self, text: str) -> Iterator[Found[T]]:
        """The phrases in a text, in its order."""
        words: list[str] = _PIECE.findall(text)
        if self._lengths.keys().isdisjoint(words):
            return  # most texts hold none: five times as fast as looking on
        pieces = list(_PIECE.finditer(text))
        place = 0
        while place < len(pieces):
            length = self._longest_at(words, place)
            if length:
                value = self._values[tuple(words[place : place + length])]
                yield Found(pieces[place].start(), pieces[place + length - 1].end(), value)
            place += length or 1

    def _longest_at(self, words: list[str], place: int) -> int:
        for length in self._lengths.get(words[place], ()):
            if place + length <= len(words) and tuple(words[place : place + length]) in self._values:
                return length
        return 0
