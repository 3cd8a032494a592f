"""An endpoint's words without ours: what it quotes of a prompt is someone's talk, and would outlive its deletion.

Servers that check a request's fields repeat their content, some as JSON inside the sentence, with or without escapes.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

_TELLING = 16
"""Letters in a row that do not stand in both by chance; a Chinese character counts as four."""
_SHORT = 6
"""The same for a message's whole text between quotation marks."""
_FIRST_OF_EAST_ASIA = "\u2e80"
_OPEN, _CLOSE = "\"'`“‘「", "\"'`”’」"


def before_the_quote(words: str, prompt: Iterable[str]) -> str:
    """`words` up to where they begin to repeat a text of the prompt; all of them when they repeat none."""
    texts = [text for said in prompt for text in _written(said)]
    begins = min((at for at in (_shared(words, texts), _whole(words, texts)) if at is not None), default=None)
    return words if begins is None else f"{words[:begins].rstrip(_OPEN + ' ')}…"


def _written(said: str) -> Iterator[str]:
    """A text in the ways in which it may be quoted, on one line."""
    for text in (said, json.dumps(said)[1:-1], json.dumps(said, ensure_ascii=False)[1:-1]):
        yield " ".join(text.split())


def _shared(words: str, texts: Sequence[str]) -> int | None:
    """Where a run of letters begins that a text holds too."""
    for start in range(len(words)):
        run = _run(words, start)
        if run and any(run in text for text in texts):
            return start
    return None


def _run(words: str, start: int) -> str:
    """The shortest telling run from there on; empty when the words end sooner."""
    weight = 0
    for end in range(start, len(words)):
        weight += _weight(words[end])
        if weight >= _TELLING:
            return words[start : end + 1]
    return ""


def _whole(words: str, texts: Sequence[str]) -> int | None:
    """Where a whole text begins that stands in quotation marks."""
    found = [
        at
        for text in texts
        if sum(map(_weight, text)) >= _SHORT
        for at in _places(words, text)
        if words[at - 1 : at] in tuple(_OPEN) and words[at + len(text) : at + len(text) + 1] in tuple(_CLOSE)
    ]
    return min(found, default=None)


def _places(words: str, text: str) -> Iterator[int]:
    at = words.find(text)
    while at >= 0:
        yield at
        at = words.find(text, at + 1)


def _weight(character: str) -> int:
    return 4 if character >= _FIRST_OF_EAST_ASIA else 1
