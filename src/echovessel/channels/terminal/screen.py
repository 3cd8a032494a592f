"""The terminal as a page: columns that are right for Chinese, wrapping that works while text streams in, colour if wanted.

Text from personas is data: control characters (an escape sequence could rewrite the screen) are not let through.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import TextIO

RESET = "\x1b[0m"
DIM = "\x1b[2m"
BOLD = "\x1b[1m"
RED = "\x1b[31m"
CYAN = "\x1b[36m"
CLEAR_LINE = "\r\x1b[K"

NARROWEST = 20
WIDEST = 100
"""Longer lines are hard to read."""

_PIECES = re.compile(r"\n|[^\S\n]+|[^\s]")
# No line begins with these (a part of the rules of UAX #14).
_NEVER_FIRST = frozenset("，。、！？；：）》」』”’…—,.!?;:)]}%~～·")


def width(text: str) -> int:
    """Columns that `text` takes in a terminal: two for wide characters (UAX #11), none for combining and format ones."""
    return sum(_columns(c) for c in text)


def harmless(text: str) -> str:
    """`text` without control characters other than line breaks; a tab becomes a space."""
    return "".join(c for c in text.replace("\t", " ") if c == "\n" or unicodedata.category(c) != "Cc")


@dataclass(slots=True)
class Screen:
    """Where the terminal channel writes. `columns` is None where there is no terminal: then nothing is wrapped."""

    out: TextIO
    columns: int | None = None
    colour: bool = False

    def write(self, text: str, style: str = "") -> None:
        """Write without a line break; what the encoding cannot show becomes `?`."""
        encoding = self.out.encoding or "utf-8"
        text = text.encode(encoding, "replace").decode(encoding)
        self.out.write(f"{style}{text}{RESET}" if style and self.colour and text else text)
        self.out.flush()

    def line(self, text: str = "", style: str = "") -> None:
        """Write one line, harmless."""
        self.write(harmless(text), style)
        self.write("\n")

    def paragraph(self, text: str, *, label: str = "", label_style: str = "", style: str = "") -> None:
        """Write a whole text behind a label, wrapped and indented below it."""
        flow = self.flow(label, label_style, style)
        flow.add(text)
        flow.end()

    def flow(self, label: str, label_style: str = "", style: str = "") -> "Flow":
        """Begin a text that arrives in pieces."""
        label = harmless(label)
        self.write(label, label_style)
        return Flow(self, indent=width(label), style=style)

    def wipe_line(self) -> None:
        """Forget what stands on the last line; nothing where there is no terminal."""
        if self.columns:
            self.write(CLEAR_LINE)


class Flow:
    """A text that arrives in pieces and is wrapped as it comes: at spaces, and between wide characters."""

    def __init__(self, screen: Screen, indent: int, style: str) -> None:
        self._screen = screen
        self._style = style
        columns = screen.columns
        self._limit = max(NARROWEST, min(columns, WIDEST)) if columns else None
        self._indent = indent if self._limit and indent <= self._limit // 2 else 0
        self._column = indent
        self._word = ""
        self._spaces = ""

    def add(self, piece: str) -> None:
        """Write what can be placed already; the word that may go on is held back."""
        for match in _PIECES.finditer(harmless(piece)):
            part = match[0]
            if part == "\n":
                self._place()
                self._break()
            elif part.isspace():
                self._place()
                self._spaces += part
            elif _stands_alone(part):
                if part not in _NEVER_FIRST and not _joins(self._word, part):
                    self._place()
                self._word += part
            else:
                if self._word and _stands_alone(self._word[-1]):
                    self._place()
                self._word += part

    def end(self) -> None:
        """Write what was held back, and end the line."""
        self._place()
        self._screen.write("\n")

    def _place(self) -> None:
        if not self._word:
            return
        needed = width(self._word)
        limit = self._limit
        if limit and self._column + width(self._spaces) + needed > limit and self._column > self._indent:
            self._break()
        if limit and self._indent + needed > limit:
            self._place_long()
        else:
            self._screen.write(self._spaces + self._word, self._style)
            self._column += width(self._spaces) + needed
        self._word = self._spaces = ""

    def _place_long(self) -> None:
        """A word that fits no line (a long address): cut where the line ends."""
        assert self._limit
        for character in self._spaces + self._word:
            if self._column + _columns(character) > self._limit:
                self._break()
            self._screen.write(character, self._style)
            self._column += _columns(character)

    def _break(self) -> None:
        self._screen.write("\n" + " " * self._indent)
        self._column = self._indent
        self._spaces = ""


def _columns(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf", "Cc"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _stands_alone(character: str) -> bool:
    """Whether a line may end after or before this character: wide ones have no spaces between them."""
    return unicodedata.east_asian_width(character) in "WF"


def _joins(word: str, part: str) -> bool:
    """Whether `part` belongs to the sign before it: joined emoji, skin tones, flags."""
    return bool(word) and (word[-1] == "\u200d" or "\U0001f3fb" <= part <= "\U0001f3ff")
