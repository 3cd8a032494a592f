"""The chat so far, in real chat roles, as much of it as its budget holds.

Every endpoint's chat template takes what is made here: it begins with a user message and the roles alternate. Time marks stand
in user messages only, and hold dates, not distances, so that they never change.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from zlib import crc32

from echovessel.core.talk import ChatMessage, ChatRole, Message, MessageState, Speaker
from echovessel.prompts.fence import neutral
from echovessel.prompts.when import clock, date, local
from echovessel.prompts.wording import Wording, cost

MESSAGE_OVERHEAD = 4
"""Tokens a chat format spends around one message."""

SILENCE = timedelta(hours=4)
"""After a silence this long, the next message says when it was sent."""

_MARK_TOKENS = 16
_LONGEST_SHARE = 4
"""One message may take a quarter of the history at most."""


@dataclass(frozen=True, slots=True)
class Past:
    """The history as chat messages, with the messages it shows and its estimated tokens."""

    chat: tuple[ChatMessage, ...]
    shown: tuple[Message, ...]
    tokens: int


def counts_as_speech(message: Message) -> bool:
    """Whether the persona or the user really said it: not deleted, not failed, not the keeper's or the care text's words."""
    said = message.state in {MessageState.COMPLETE, MessageState.PARTIAL} and bool(message.text.strip())
    return said and not message.made_by.startswith(("keeper@", "care@"))


def past(history: Sequence[Message], tokens: int, words: Wording) -> Past:
    """The newest part of the history that fits into `tokens`, cut where a user begins to speak."""
    spoken = [m for m in history if counts_as_speech(m)]
    longest = max(tokens // _LONGEST_SHARE - MESSAGE_OVERHEAD, 0)
    texts = [words.shortened(neutral(m.text), longest) for m in spoken]
    costs = [cost(text) + MESSAGE_OVERHEAD + _MARK_TOKENS * _after_silence(spoken, i) for i, text in enumerate(texts)]
    start = _cut(spoken, costs, tokens - _MARK_TOKENS)
    marks = [_mark(m, words) if i == start or _after_silence(spoken, i) else "" for i, m in enumerate(spoken)]
    lines = zip(spoken[start:], texts[start:], marks[start:], strict=True)
    chat = alternating(line for message, text, mark in lines for line in _lines(message, text, mark))
    return Past(chat, tuple(spoken[start:]), sum(cost(m.content) + MESSAGE_OVERHEAD for m in chat))


def alternating(messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
    """The messages with neighbours of one role joined: some endpoints refuse two user messages in a row."""
    joined: list[ChatMessage] = []
    for message in messages:
        if joined and joined[-1].role is message.role:
            joined[-1] = ChatMessage(message.role, f"{joined[-1].content}\n\n{message.content}")
        else:
            joined.append(message)
    return tuple(joined)


def _cut(spoken: Sequence[Message], costs: Sequence[int], tokens: int) -> int:
    """Where the kept part begins. The cut must rest: were it to move with every turn, no provider's cache would hit.

    Of all places that leave between half and all of the room, the one whose message id has the smallest hash is taken
    (winnowing: Schleimer, Wilkerson, Aiken, SIGMOD 2003). It stays the smallest while the chat grows, until it no longer fits.
    """
    suffix = [0] * (len(costs) + 1)
    for i in range(len(costs) - 1, -1, -1):
        suffix[i] = suffix[i + 1] + costs[i]
    if suffix[0] <= tokens:
        return 0
    places = [i for i in range(1, len(spoken)) if _begins_a_burst(spoken, i) and tokens // 2 <= suffix[i] <= tokens]
    if places:
        return min(places, key=lambda i: crc32(spoken[i].id.encode()))
    return next(i for i, kept in enumerate(suffix) if kept <= max(tokens, 0))


def _begins_a_burst(spoken: Sequence[Message], i: int) -> bool:
    return spoken[i].speaker is Speaker.USER and spoken[i - 1].speaker is Speaker.PERSONA


def _after_silence(spoken: Sequence[Message], i: int) -> bool:
    return i > 0 and spoken[i].sent_at - spoken[i - 1].sent_at >= SILENCE


def _mark(message: Message, words: Wording) -> str:
    zone = message.zone if message.speaker is Speaker.USER else words.zone
    at = local(message.sent_at, zone)
    return f"[{date(at, words.locale)}{' ' if words.locale == 'zh' else ', '}{clock(at)}]"


def _lines(message: Message, text: str, mark: str) -> list[ChatMessage]:
    if message.speaker is Speaker.USER:
        return [ChatMessage(ChatRole.USER, f"{mark}\n{text}" if mark else text)]
    marked = [ChatMessage(ChatRole.USER, mark)] if mark else []
    return [*marked, ChatMessage(ChatRole.ASSISTANT, text)]
