"""Telling thinking from speech: `<think>…</think>` at the start of an answer is never said aloud."""

from enum import Enum, auto

_OPEN = "<think>"
_CLOSE = "</think>"


class _Where(Enum):
    BEFORE = auto()
    THINKING = auto()
    SPEAKING = auto()


class ThinkFilter:
    """Takes an answer piece by piece, however its tags are split, and gives back what is said.

    White space before the first word is dropped; so is everything between the tags, also when they are opened again
    before the first word. A tag inside the speech is speech.
    """

    def __init__(self) -> None:
        self._where = _Where.BEFORE
        self._held = ""

    def feed(self, text: str) -> str:
        """What of `text`, and of what was held back, is speech for certain."""
        self._held += text
        while self._where is not _Where.SPEAKING:
            before = self._where
            self._move_on()
            if self._where is before:
                return ""
        return self.finish()

    def finish(self) -> str:
        """What is still held when the answer is over, unless it was thinking."""
        said = "" if self._where is _Where.THINKING else self._held
        self._held = ""
        return said

    def _move_on(self) -> None:
        """Go to the next place if what is held decides it."""
        if self._where is _Where.THINKING:
            _, closed, rest = self._held.partition(_CLOSE)
            if closed:
                self._where, self._held = _Where.BEFORE, rest
            else:
                self._held = self._held[-len(_CLOSE) :]
            return
        self._held = self._held.lstrip()
        if self._held.startswith(_OPEN):
            self._where, self._held = _Where.THINKING, self._held[len(_OPEN) :]
        elif not _OPEN.startswith(self._held):
            self._where = _Where.SPEAKING
