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
    texts, totals = _newest(spoken, tokens, words)
    start = _cut(spoken, totals, tokens - _MARK_TOKENS)
    kept = spoken[start:]
    marks = [_mark(m, words) if i == 0 or _after_silence(kept, i) else "" for i, m in enumerate(kept)]
    lines = zip(kept, texts[len(texts) - len(kept) :], marks, strict=True)
    chat = alternating(line for message, text, mark in lines for line in _lines(message, text, mark))
    return Past(chat, tuple(kept), sum(cost(m.content) + MESSAGE_OVERHEAD for m in chat))


def alternating(messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
    """The messages with neighbours of one role joined: some endpoints refuse two user messages in a row."""
    joined: list[ChatMessage] = []
    for message in messages:
        if joined and joined[-1].role is message.role:
            joined[-1] = ChatMessage(message.role, f"{joined[-1].content}\n\n{message.content}")
        else:
            joined.append(message)
    return tuple(joined)


def _newest(spoken: Sequence[Message], tokens: int, words: Wording) -> tuple[list[str], list[int]]:
    """The texts of the newest messages that fit, older to newer, and what each costs together with all that follow it."""
    longest = max(tokens // _LONGEST_SHARE - MESSAGE_OVERHEAD, 0)
    texts: list[str] = []
    totals: list[int] = []
    total = 0
    for i in range(len(spoken) - 1, -1, -1):
        text = words.shortened(neutral(spoken[i].text), longest)
        total += cost(text) + MESSAGE_OVERHEAD + _MARK_TOKENS * _after_silence(spoken, i)
        if total > tokens - _MARK_TOKENS:
            break
        texts.append(text)
        totals.append(total)
    return texts[::-1], totals[::-1]


def _cut(spoken: Sequence[Message], totals: Sequence[int], tokens: int) -> int:
    """Where the kept part begins, given what the newest messages cost. It must rest: were it to move with every turn, no
    provider's cache would hit.

    Of all places that leave between half and all of the room, the one whose message id has the smallest hash is taken
    (winnowing: Schleimer, Wilkerson, Aiken, SIGMOD 2003). It stays the smallest while the chat grows, until it no longer fits.
    """
    first = len(spoken) - len(totals)
    if first == 0:
        return 0
    enough = (first + i for i, total in enumerate(totals) if total >= tokens // 2)
    places = [i for i in enough if _begins_a_burst(spoken, i)]
    return min(places, key=lambda i: crc32(spoken[i].id.encode())) if places else first


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
