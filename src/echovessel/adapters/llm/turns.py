"""What was said, made legal for every chat protocol: one system prompt, and turns that alternate.

Many chat templates refuse anything else, and some servers pass their refusal on as an error of their own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from echovessel.core.talk import ChatMessage, ChatRole

_SILENCE = "…"
"""What the user is taken to have said where nothing of theirs comes first: a turn may not be empty."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One side's words until the other side speaks; `user` or `assistant`."""

    role: ChatRole
    text: str


def system_of(messages: Sequence[ChatMessage]) -> str:
    """The system prompt: the system messages at the beginning."""
    return _joined(takewhile(_is_system, messages))


def turns_of(messages: Sequence[ChatMessage]) -> list[Turn]:
    """What was said after it, made legal: sides alternate, the user begins, no turn is empty or ends, unfinished, in a blank.

    A system message in the middle becomes the user's, as there is no other place for it.
    """
    system = sum(1 for _ in takewhile(_is_system, messages))
    said = [m for m in messages[system:] if m.content.strip()]
    turns = [Turn(role, _joined(group)) for role, group in groupby(said, key=_side)]
    if not turns or turns[0].role is ChatRole.ASSISTANT:
        turns.insert(0, Turn(ChatRole.USER, _SILENCE))
    last = turns[-1]
    if last.role is ChatRole.ASSISTANT:
        turns[-1] = Turn(last.role, last.text.rstrip())
    return turns


def _is_system(message: ChatMessage) -> bool:
    return message.role is ChatRole.SYSTEM


def _side(message: ChatMessage) -> ChatRole:
    return ChatRole.ASSISTANT if message.role is ChatRole.ASSISTANT else ChatRole.USER


def _joined(messages: Iterable[ChatMessage]) -> str:
    return "\n\n".join(m.content for m in messages if m.content.strip())
