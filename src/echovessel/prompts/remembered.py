"""What comes back from earlier talks: word for word, with who said it and when, fenced as data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from echovessel.core.talk import Message, Speaker
from echovessel.prompts.fence import neutral
from echovessel.prompts.history import SILENCE, counts_as_speech
from echovessel.prompts.when import ago, local
from echovessel.prompts.wording import Wording, cost

_LONGEST_LINE = 400
"""Estimated tokens one remembered message may take."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The section's text, empty when nothing is left to remember, and how many passages it holds."""

    text: str
    passages: int


def remembered(
    passages: Sequence[Sequence[Message]],
    shown: Iterable[Message],
    *,
    tokens: int,
    now: datetime,
    words: Wording,
) -> Remembered:
    """Pack passages, the best first, into `tokens`; write them in the order they were said.

    What the prompt shows elsewhere, and what another passage already says, is left out.
    """
    seen = {key for message in shown for key in _keys(message)}
    room = tokens - cost(words.part("remembered", text=""))
    taken: list[tuple[datetime, str]] = []
    for passage in passages:
        fresh = _fresh(passage, seen)
        if not fresh:
            continue
        text = _written(fresh, now, words)
        if cost(text) + 1 <= room:
            room -= cost(text) + 1
            seen.update(key for message in fresh for key in _keys(message))
            taken.append((fresh[0].sent_at, text))
    if not taken:
        return Remembered("", 0)
    in_order = "\n\n".join(text for _, text in sorted(taken))
    return Remembered(words.part("remembered", text=in_order), len(taken))


def _keys(message: Message) -> tuple[str, tuple[Speaker, str]]:
    """By what a message is recognised: itself, and the same words from the same mouth."""
    return message.id, (message.speaker, message.text.strip())


def _fresh(passage: Sequence[Message], seen: set[str | tuple[Speaker, str]]) -> list[Message]:
    """The messages of a passage that are not seen yet, each once."""
    known = set(seen)
    fresh: list[Message] = []
    for message in passage:
        if counts_as_speech(message) and known.isdisjoint(_keys(message)):
            fresh.append(message)
            known.update(_keys(message))
    return fresh


def _written(passage: Sequence[Message], now: datetime, words: Wording) -> str:
    """The passage, its lines under the time they were said; a new time where a silence lies between."""
    stretches: list[list[Message]] = []
    for message in passage:
        if stretches and message.sent_at - stretches[-1][-1].sent_at < SILENCE:
            stretches[-1].append(message)
        else:
            stretches.append([message])
    return "\n".join(_stretch(messages, now, words) for messages in stretches)


def _stretch(messages: Sequence[Message], now: datetime, words: Wording) -> str:
    said_at = local(messages[0].sent_at, words.zone)
    when = ago(said_at, local(now, words.zone), words.locale)
    return words.part("passage", when=when, lines="\n".join(_line(m, words) for m in messages))


def _line(message: Message, words: Wording) -> str:
    """`Speaker: text`, as in the examples; further lines are set in, so that text cannot put words into another mouth."""
    speaker = words.speaker if message.speaker is Speaker.USER else words.persona
    text = words.shortened(neutral(message.text.strip()), _LONGEST_LINE)
    return words.part("line", speaker=speaker, text="\n    ".join(text.splitlines()))
