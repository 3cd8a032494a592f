"""A request as the Messages API takes it: the system prompt apart, turns that alternate, and marks for its cache.

Source: https://platform.claude.com/docs/en/api/messages and …/build-with-claude/prompt-caching
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from echovessel.core.talk import ChatMessage, ChatRole

_SILENCE = "…"
"""What the user is taken to have said where nothing of theirs comes first: a turn may not be empty."""
_CACHED: Mapping[str, str] = {"type": "ephemeral"}

Block = dict[str, object]


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


def body_of(system: str, turns: Sequence[Turn], *, cached: bool) -> dict[str, object]:
    """`system` and `messages` of the request.

    `cached` marks the end of what rests from turn to turn: the system prompt, and the newest turn before the last, which
    changes each time (docs/why/0065). The provider then keeps what stands before a mark, and finds it again up to twenty
    blocks back.
    """
    rests = len(turns) - 2 if cached else -1
    messages: list[Block] = [
        {"role": str(turn.role), "content": [_block(turn.text, cached=at == rests)]} for at, turn in enumerate(turns)
    ]
    body: dict[str, object] = {"messages": messages}
    if system:
        body["system"] = [_block(system, cached=cached)]
    return body


def _block(text: str, *, cached: bool) -> Block:
    block: Block = {"type": "text", "text": text}
    return block | {"cache_control": dict(_CACHED)} if cached else block


def _is_system(message: ChatMessage) -> bool:
    return message.role is ChatRole.SYSTEM


def _side(message: ChatMessage) -> ChatRole:
    return ChatRole.ASSISTANT if message.role is ChatRole.ASSISTANT else ChatRole.USER


def _joined(messages: Iterable[ChatMessage]) -> str:
    return "\n\n".join(m.content for m in messages if m.content.strip())
