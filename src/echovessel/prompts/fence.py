"""Fences around text that others wrote, and the cutting of text that is too long.

Fences are tags that begin with `echo-`. Text inside can neither close one nor open one, nor speak the control words of a chat
format that a local endpoint might obey: such a bracket is replaced by one that looks alike.
"""

import re

from echovessel.core.text import estimate_tokens

NAME_LENGTH = 60

_OURS = re.compile(r"[<\uff1c](?=[\s\u200b-\u200d\ufeff/\uff0f]{0,64}echo-)", re.IGNORECASE)
_CONTROL = re.compile(
    r"<(?=[|\uff5c]|<?/?SYS>>|/?s>|(?:start|end)_of_turn>|/?(?:bos|eos)>)|\[(?=/?INST\])", re.IGNORECASE
)
_LOOKALIKE = {"<": "‹", "\uff1c": "‹", "[": "⁅"}
_BLANK = re.compile(r"[\s\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+")

_BORDERS = (re.compile(r"\n+"), re.compile(r"[。！？…]+[」』”’）]*|[.!?]+[\"')\u201d\u2019]*\s"))
"""Where a text may be cut: between paragraphs, or else between sentences."""

_CHARACTERS_A_TOKEN = 8


def neutral(text: str) -> str:
    """The text, unable to leave a fence or to speak a chat format's control words."""
    return _CONTROL.sub(_lookalike, _OURS.sub(_lookalike, text))


def _lookalike(bracket: re.Match[str]) -> str:
    return _LOOKALIKE[bracket[0]]


def label(name: str, unnamed: str) -> str:
    """The first line of a name, short and plain; `unnamed` when there is none."""
    first = next(iter(name.strip().splitlines()), "")
    line = neutral(_BLANK.sub(" ", first)).strip()
    return line[:NAME_LENGTH].strip() or unnamed


def shortened(text: str, tokens: int, mark: str) -> str:
    """The text in at most `tokens` estimated tokens: what is too long loses its middle, and `mark` stands there.

    What is kept ends and begins again with a paragraph, or else with a sentence, where that costs less than half of it.
    `mark` holds the slot `{count}` for the number of characters left out.
    """
    if len(text) <= tokens * _CHARACTERS_A_TOKEN and estimate_tokens(text) <= tokens:
        return text
    room = tokens - estimate_tokens(mark.replace("{count}", f"{len(text):,}")) - 3
    head = _whole_head(_fitting(text[: max(room, 0) * _CHARACTERS_A_TOKEN], room * 2 // 3))
    tail = _whole_tail(_fitting(text[::-1][: max(room, 0) * _CHARACTERS_A_TOKEN], room // 3)[::-1])
    left_out = f"{len(text) - len(head) - len(tail):,}"
    return f"{head}\n{mark.replace('{count}', left_out)}\n{tail}"


def _whole_head(head: str) -> str:
    """The head up to its last whole paragraph or sentence, when that is more than half of it."""
    for border in _BORDERS:
        ends = [found.end() for found in border.finditer(head)]
        if ends and ends[-1] > len(head) // 2:
            return head[: ends[-1]].rstrip("\n")
    return head


def _whole_tail(tail: str) -> str:
    """The tail from its first whole paragraph or sentence on, when that is more than half of it."""
    for border in _BORDERS:
        found = border.search(tail)
        if found and found.end() < len(tail) // 2:
            return tail[found.end() :]
    return tail


def _fitting(text: str, tokens: int) -> str:
    """The longest beginning of the text within so many tokens."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]
