"""A request as the Messages API takes it: the system prompt apart, turns that alternate, and marks for its cache.

Source: https://platform.claude.com/docs/en/api/messages and …/build-with-claude/prompt-caching
"""

from collections.abc import Mapping, Sequence

from echovessel.adapters.llm.turns import Turn

_CACHED: Mapping[str, str] = {"type": "ephemeral"}

Block = dict[str, object]


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
