"""Telling thinking from speech: what a model thinks between tags, before its first word, is never said aloud."""

import re
from collections.abc import Mapping
from enum import Enum, auto

TAGS: Mapping[str, str] = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
}
"""DeepSeek, Qwen, GLM and most others; some fine-tunes; Gemini's thought summaries; Seed; Magistral."""

_THINKERS = re.compile(r"(^|[^a-z])(r1|z1|qwq|or1)([^a-z]|$)|(?<!no)(?<!no.)(?<!non)(?<!non.)(think|reason)|deephermes")


def leaves_out_the_opening(model: str) -> bool:
    """Whether the name is that of a model whose chat template writes the opening tag itself, so that only the closing one may
    reach us (DeepSeek-R1, QwQ and Qwen's Thinking models do, where the server does not part the two)."""
    return _THINKERS.search(model.lower()) is not None


def shows_its_thinking(speech: str) -> bool:
    """Whether a closing tag without its opening one stands in what was taken for speech."""
    return any(close in speech and opening not in speech for opening, close in TAGS.items())


class _Where(Enum):
    UNSURE = auto()
    BEFORE = auto()
    THINKING = auto()
    SPEAKING = auto()


class ThinkFilter:
    """Takes an answer piece by piece, however its tags are split, and gives back what is said.

    White space before the first word is dropped; so is everything between the tags, also when they are opened again
    before the first word. A tag inside the speech is speech. With `unopened`, everything up to the first closing tag is
    thinking, and is held back until it is known whether there is one.
    """

    def __init__(self, *, unopened: bool = False) -> None:
        self._where = _Where.UNSURE if unopened else _Where.BEFORE
        self._close: str = ""
        self._held: str = ""

    def feed(self, text: str) -> str:
        """What of `text`, and of what was held back, is speech for certain."""
        self._held += text
        while self._where is not _Where.SPEAKING:
            before = self._where, self._held
            self._move_on()
            if (self._where, self._held) == before:
                return ""
        return self.finish()

    def thought_apart(self) -> str:
        """The endpoint brings thinking in a field of its own: what is held is speech unless a tag begins it."""
        if self._where is _Where.UNSURE:
            self._where = _Where.BEFORE
        return self.feed("")

    def finish(self) -> str:
        """What is still held when the answer is over, unless it was thinking."""
        if self._where is _Where.UNSURE:
            return self.thought_apart() + self.finish()
        said = "" if self._where is _Where.THINKING else self._held
        self._held = ""
        return said

    def _move_on(self) -> None:
        """Go to the next place if what is held decides it."""
        match self._where:
            case _Where.THINKING:
                _, closed, rest = self._held.partition(self._close)
                if closed:
                    self._where, self._held = _Where.BEFORE, rest
                else:
                    self._held = self._held[-len(self._close) :]
            case _Where.UNSURE:
                self._look_for_the_end()
            case _:
                self._look_at_the_beginning()

    def _look_for_the_end(self) -> None:
        found = [(at, close) for close in TAGS.values() if (at := self._held.find(close)) >= 0]
        if found:
            at, close = min(found)
            self._where, self._held = _Where.BEFORE, self._held[at + len(close) :]

    def _look_at_the_beginning(self) -> None:
        self._held = self._held.lstrip()
        for opening, close in TAGS.items():
            if self._held.startswith(opening):
                self._where, self._close, self._held = _Where.THINKING, close, self._held[len(opening) :]
                return
            if self._held.startswith(close):
                self._held = self._held[len(close) :]
                return
        if not any(tag.startswith(self._held) for tag in (*TAGS, *TAGS.values())):
            self._where = _Where.SPEAKING
