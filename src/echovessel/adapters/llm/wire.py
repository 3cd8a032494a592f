"""Chat completions, read: the chunks of a stream, or one whole completion from endpoints that do not stream.

Source: the chat completion object and the chat completion chunk object of OpenAI's reference.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from pydantic import BaseModel, ValidationError

from echovessel.adapters.llm.piece import MAX_NAME, Count, CutOff, ErrorInside, NotTheProtocol, Piece
from echovessel.adapters.llm.sse import read_data
from echovessel.core.talk import Usage
from echovessel.core.text import keepable


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


class _Cached(BaseModel):
    cached_tokens: Count | None = None
    cache_write_tokens: Count | None = None


class _Usage(BaseModel):
    prompt_tokens: Count
    completion_tokens: Count
    prompt_tokens_details: _Cached | None = None
    total_tokens: Count | None = None
    cached_tokens: Count | None = None
    prompt_cache_hit_tokens: Count | None = None


class _Chunk(BaseModel):
    object: str | None = None
    model: str | None = None
    choices: list[_Choice] | None = None
    usage: Any = None
    prompt_progress: Any = None
    error: Any = None
    message: str | None = None


_BROKEN_OFF = frozenset({"insufficient_system_resource", "network_error", "error"})
"""Finish reasons of an answer that the provider could not finish: DeepSeek's, Zhipu's and OpenRouter's."""


async def read_pieces(body: AsyncIterator[bytes]) -> AsyncGenerator[Piece, None]:
    """The answer piece by piece; ends after `[DONE]`, or at the end of bytes that held a finish reason or one whole answer.

    Raises NotTheProtocol, ErrorInside, and CutOff when no such end came.
    """
    finished = False
    async with aclosing(read_data(body)) as events:
        async for data in events:
            if data.text == "[DONE]":
                return
            piece = _piece(data.text)
            finished = finished or data.alone or bool(piece.finish)
            yield piece
    if not finished:
        raise CutOff


def _piece(data: str) -> Piece:
    """One event's or one whole answer's JSON as a piece. Unknown fields are ignored, known ones must have their type."""
    try:
        chunk = _Chunk.model_validate_json(data)
    except ValidationError as cause:
        raise NotTheProtocol("something that is no answer") from cause
    if chunk.error is not None or chunk.object == "error":
        raise ErrorInside(chunk.error or chunk.message)
    choice = chunk.choices[0] if chunk.choices else _Choice()
    if choice.finish_reason in _BROKEN_OFF:
        raise CutOff
    said = choice.delta or choice.message or _Said()
    return Piece(
        speech=_speech(said),
        thought=_thought(said),
        finish=choice.finish_reason or "",
        reading=chunk.prompt_progress is not None,
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
    details = counted.prompt_tokens_details or _Cached()
    cached = min(
        details.cached_tokens or counted.prompt_cache_hit_tokens or counted.cached_tokens or 0, counted.prompt_tokens
    )
    return Usage(
        tokens_in=counted.prompt_tokens,
        # Google leaves the thinking out of completion_tokens, and counts it in total_tokens.
        tokens_out=max(counted.completion_tokens, (counted.total_tokens or 0) - counted.prompt_tokens),
        cached_in=cached,
        cache_written_in=min(details.cache_write_tokens or 0, counted.prompt_tokens - cached),
    )
