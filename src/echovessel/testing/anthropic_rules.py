"""What the Messages API refuses, checked as strictly as by the strictest of its servers.

Anthropic itself joins turns of one side; others refuse them, so that none may be sent.
Source: https://platform.claude.com/docs/en/api/messages and the words of its errors.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import cast

from echovessel.testing.prompt_cache import blocks_of
from echovessel.testing.served import Asked

MOST_MARKS = 4
_FIELDS = frozenset(
    {
        "model",
        "max_tokens",
        "messages",
        "system",
        "stream",
        "temperature",
        "stop_sequences",
        "thinking",
        "tools",
        "tool_choice",
        "output_config",
        "cache_control",
        "metadata",
    }
)

_Object = Mapping[str, object]


def unauthorised(asked: Asked) -> str | None:
    """What is wrong with the key, or None: it stands in `x-api-key`, or after Bearer as the official SDK sends it."""
    bearer = asked.headers.get("authorization", "").removeprefix("Bearer ")
    return None if asked.headers.get("x-api-key") or bearer else "x-api-key header is required"


def invalid(asked: Asked) -> str | None:
    """The first thing that is wrong with a request for a message, or None."""
    return next(_problems(asked), None)


def _problems(asked: Asked) -> Iterator[str]:
    body = asked.body
    if "anthropic-version" not in asked.headers:
        yield "anthropic-version: header is required"
    yield from (f"{name}: Extra inputs are not permitted" for name in body if name not in _FIELDS)
    yield from (f"{name}: Field required" for name in ("model", "max_tokens", "messages") if not body.get(name))
    temperature = body.get("temperature", 1)
    if not (isinstance(temperature, int | float) and 0 <= temperature <= 1):
        yield "temperature: range: 0..1"
    if body.get("tool_choice") and not body.get("tools"):
        yield "tool_choice: requires tools"
    yield from _problems_of_turns(cast("Sequence[_Object]", body.get("messages", [])))
    yield from _problems_of_blocks(blocks_of(body))
    yield from _problems_of_schema(body)


def _problems_of_turns(turns: Sequence[_Object]) -> Iterator[str]:
    roles = [turn.get("role") for turn in turns]
    yield from (f'messages: Unexpected role "{role}".' for role in roles if role not in {"user", "assistant"})
    if roles and roles[0] != "user":
        yield 'messages: first message must use the "user" role'
    if any(one == next_ for one, next_ in pairwise(roles)):
        yield f'messages: roles must alternate between "user" and "assistant", but found multiple "{roles[0]}" roles in a row'
    if not all(turn.get("content") for turn in turns):
        yield "messages: all messages must have non-empty content"
    if roles and roles[-1] == "assistant" and _text(turns[-1]).rstrip() != _text(turns[-1]):
        yield "messages: final assistant content cannot end with trailing whitespace"


def _problems_of_blocks(blocks: Sequence[_Object]) -> Iterator[str]:
    texts = [str(block["text"]) for block in blocks if block.get("type") == "text"]
    if not all(text.strip() for text in texts):
        yield "messages: text content blocks must contain non-whitespace text"
    marks = [block["cache_control"] for block in blocks if "cache_control" in block]
    if len(marks) > MOST_MARKS:
        yield f"A maximum of {MOST_MARKS} blocks with cache_control may be provided. Found {len(marks)}."
    if any(cast("_Object", mark).get("type") != "ephemeral" for mark in marks):
        yield "cache_control.type: Input should be 'ephemeral'"


def _problems_of_schema(body: _Object) -> Iterator[str]:
    config = cast("_Object", body.get("output_config", {}))
    wanted = cast("_Object", config.get("format", {}))
    if wanted and not all(part.get("additionalProperties") is False for part in _objects(wanted.get("schema"))):
        yield "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"


def _objects(schema: object) -> Iterator[_Object]:
    """Every schema of an object in this one."""
    if isinstance(schema, Mapping):
        part = cast("_Object", schema)
        if part.get("type") == "object":
            yield part
        for inner in part.values():
            yield from _objects(inner)
    elif isinstance(schema, list):
        for inner in cast("list[object]", schema):
            yield from _objects(inner)


def _text(turn: _Object) -> str:
    return "".join(str(block.get("text", "")) for block in blocks_of({"messages": [turn]}))
