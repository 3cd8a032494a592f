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

_MARK_TOKENS = 24
"""What the program's lines before a message cost at most, with a message of their own; before the first there is one more."""
_FIRST_MARK_TOKENS = 40
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
    said = message.state is MessageState.COMPLETE or message.state is MessageState.PARTIAL
    return said and bool(message.text.strip()) and not message.made_by.startswith(("keeper@", "care@"))


def fills(history: Sequence[Message], tokens: int) -> bool:
    """Whether these messages take all of a history's `tokens`, so that nothing that was said before them would be shown.

    A message that is too long counts half of what it may take: it is shortened to whole sentences.
    """
    longest = tokens // _LONGEST_SHARE // 2
    return sum(min(cost(m.text), longest) + MESSAGE_OVERHEAD for m in history if counts_as_speech(m)) > tokens


def past(history: Sequence[Message], tokens: int, words: Wording) -> Past:
    """The newest part of the history that fits into `tokens`, cut where a user begins to speak."""
    spoken = [m for m in history if counts_as_speech(m)]
    texts, totals = _newest(spoken, tokens, words)
    start = _cut(spoken, totals, tokens - _FIRST_MARK_TOKENS)
    kept = spoken[start:]
    leads = [_lead(kept, i, start > 0, words) for i in range(len(kept))]
    lines = zip(kept, texts[len(texts) - len(kept) :], leads, strict=True)
    chat = alternating(line for message, text, lead in lines for line in _lines(message, text, lead))
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
        if total > tokens - _FIRST_MARK_TOKENS:
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


def _lead(kept: Sequence[Message], i: int, cut: bool, words: Wording) -> str:
    """The program's lines before a message: that older ones are not shown, when it was sent, that the persona begins."""
    if i > 0 and not _after_silence(kept, i):
        return ""
    mark = _mark(kept[i], words)
    if i == 0 and cut:
        return f"{words.part('earlier')}\n{mark}"
    begins = kept[i].speaker is Speaker.PERSONA and (i == 0 or kept[i - 1].speaker is Speaker.PERSONA)
    return f"{mark}\n{words.part('begins')}" if begins else mark


def _mark(message: Message, words: Wording) -> str:
    """When it was sent, on the user's clock as it is now: one clock for the whole chat."""
    at = local(message.sent_at, words.zone)
    return f"[{date(at, words.locale)}{' ' if words.locale == 'zh' else ', '}{clock(at)}]"


def _lines(message: Message, text: str, lead: str) -> list[ChatMessage]:
    if message.speaker is Speaker.USER:
        return [ChatMessage(ChatRole.USER, f"{lead}\n{text}" if lead else text)]
    led = [ChatMessage(ChatRole.USER, lead)] if lead else []
    return [*led, ChatMessage(ChatRole.ASSISTANT, text)]
