"""The bytes of an answer, read: server-sent events, or one JSON object from endpoints that do not stream.

The content type is not asked, as many endpoints name a wrong one; what the bytes look like decides. Of the event stream
format only `data:` lines matter, and each holds one JSON object, as in every chat completion stream.
Sources: https://html.spec.whatwg.org/multipage/server-sent-events.html and the OpenAI chat completion chunk object.
"""

import codecs
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from echovessel.core.talk import Usage
from echovessel.core.text import keepable

MAX_LINE_BYTES = 1 << 20
MAX_OBJECT_BYTES = 8 << 20
MAX_TOKENS = 1_000_000_000
"""Of one call; a provider that counts more has not counted."""
MAX_NAME = 200

_EVENT_FIELDS = (b":", b"data:", b"event:", b"id:", b"retry:")
_LONGEST_FIELD = max(map(len, _EVENT_FIELDS))


class NotTheProtocol(Exception):
    """The bytes are no chat completion; `what` says in half a sentence what they are instead."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class CutOff(Exception):
    """The bytes ended before the answer did."""


class ErrorInside(Exception):
    """An error object where an answer was due; `error` is its JSON value."""

    def __init__(self, error: object) -> None:
        super().__init__("error object in the answer")
        self.error = error


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What one event brought. `finish` is the finish reason, in the piece that ends the answer."""

    speech: str = ""
    thought: str = ""
    finish: str = ""
    model: str = ""
    usage: Usage | None = None


class _Part(BaseModel):
    type: str = ""
    text: str = ""
    thinking: "list[_Part]" = []


class _Said(BaseModel):
    content: str | list[_Part] | None = None
    reasoning_content: object = None
    reasoning: object = None


class _Choice(BaseModel):
    delta: _Said | None = None
    message: _Said | None = None
    finish_reason: str | None = None


_Count = Annotated[int, Field(ge=0, le=MAX_TOKENS)]


class _Cached(BaseModel):
    cached_tokens: _Count | None = None


class _Usage(BaseModel):
    prompt_tokens: _Count
    completion_tokens: _Count
    prompt_tokens_details: _Cached | None = None
    prompt_cache_hit_tokens: _Count | None = None


class _Chunk(BaseModel):
    object: str | None = None
    model: str | None = None
    choices: list[_Choice] | None = None
    usage: Any = None
    error: Any = None
    message: str | None = None


async def read_pieces(body: AsyncIterator[bytes]) -> AsyncGenerator[Piece, None]:
    """The answer piece by piece; ends after `[DONE]`, or at the end of bytes that held a finish reason.

    Raises NotTheProtocol, ErrorInside, and CutOff when neither `[DONE]` nor a finish reason came.
    """
    head = await _head(body)
    match head[:1]:
        case b"":
            raise CutOff
        case b"{":
            yield _piece(await _whole(head, body))
            return
        case b"<":
            raise NotTheProtocol("a web page")
        case _ if not head.startswith(_EVENT_FIELDS):
            raise NotTheProtocol("something that is no answer")
        case _:
            pass

    finished = False
    async with aclosing(_events(head, body)) as events:
        async for data in events:
            if data == "[DONE]":
                return
            piece = _piece(data)
            finished = finished or bool(piece.finish)
            yield piece
    if not finished:
        raise CutOff


async def _head(body: AsyncIterator[bytes]) -> bytes:
    """The first bytes that are not blank: enough to see what they begin, or all there are."""
    head = b""
    async for chunk in body:
        head = (head + chunk).lstrip().removeprefix(codecs.BOM_UTF8).lstrip()
        if len(head) >= _LONGEST_FIELD:
            break
    return head


async def _whole(head: bytes, body: AsyncIterator[bytes]) -> str:
    held = bytearray(head)
    async for chunk in body:
        held += chunk
        if len(held) > MAX_OBJECT_BYTES:
            raise NotTheProtocol(f"an object of more than {MAX_OBJECT_BYTES >> 20} MB")
    return _decode(bytes(held))


async def _events(head: bytes, body: AsyncIterator[bytes]) -> AsyncGenerator[str, None]:
    """The text of each `data:` line that is not blank. A last line without its end is left out: it was cut."""
    held = bytearray()
    chunk: bytes | None = head
    while chunk is not None:
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            held += line
            data = _decode(bytes(held)).removeprefix("data:").strip() if held.startswith(b"data:") else ""
            held.clear()
            if data:
                yield data
        held += rest
        if len(held) > MAX_LINE_BYTES:
            raise NotTheProtocol(f"a line of more than {MAX_LINE_BYTES >> 20} MB")
        chunk = await anext(body, None)


def _decode(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as cause:
        raise NotTheProtocol("bytes that are not UTF-8") from cause


def _piece(data: str) -> Piece:
    """One event's or one whole answer's JSON as a piece. Unknown fields are ignored, known ones must have their type."""
    try:
        chunk = _Chunk.model_validate_json(data)
    except ValidationError as cause:
        raise NotTheProtocol("something that is no answer") from cause
    if chunk.error is not None or chunk.object == "error":
        raise ErrorInside(chunk.error or chunk.message)
    choice = chunk.choices[0] if chunk.choices else _Choice()
    said = choice.delta or choice.message or _Said()
    return Piece(
        speech=_speech(said),
        thought=_thought(said),
        finish=choice.finish_reason or "",
        model=keepable(chunk.model or "")[:MAX_NAME],
        usage=_usage(chunk.usage),
    )


def _speech(said: _Said) -> str:
    if isinstance(said.content, list):
        return "".join(keepable(part.text) for part in said.content if part.type in {"text", "output_text"})
    return keepable(said.content or "")


def _thought(said: _Said) -> str:
    """Reasoning: DeepSeek, LM Studio and llama.cpp name it `reasoning_content`, OpenRouter `reasoning`, Mistral makes parts."""
    if isinstance(said.content, list):
        return "".join(part.text for whole in said.content for part in whole.thinking)
    texts = (said.reasoning_content, said.reasoning)
    return next((text for text in texts if isinstance(text, str)), "")


def _usage(value: object) -> Usage | None:
    """The provider's count; None when it is missing, malformed or all zero, as some endpoints send."""
    try:
        counted = _Usage.model_validate(value)
    except ValidationError:
        return None
    if not counted.prompt_tokens and not counted.completion_tokens:
        return None
    details = counted.prompt_tokens_details
    return Usage(
        tokens_in=counted.prompt_tokens,
        tokens_out=counted.completion_tokens,
        cached_in=(details and details.cached_tokens) or counted.prompt_cache_hit_tokens or 0,
    )
