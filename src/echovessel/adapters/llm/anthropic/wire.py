"""Messages, read: the events of a stream, or one whole message from servers that do not stream.

What is spoken is text blocks alone, or the input of the tool that the answer was forced into, if it is used. Thinking is a
sign of life, also where its text is held back; other blocks and unknown events are passed over.
Source: https://platform.claude.com/docs/en/build-with-claude/streaming
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from pydantic import BaseModel, ValidationError

from echovessel.adapters.llm.piece import MAX_NAME, Count, CutOff, ErrorInside, NotTheProtocol, Piece
from echovessel.adapters.llm.sse import read_data
from echovessel.core.talk import Usage
from echovessel.core.text import keepable

_FINISH: Mapping[str, str] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
"""Stop reasons as the rest of the house knows them; all others are an end like any."""
_HELD_BACK = "…"
"""Stands for thinking of which only the fact is told."""
_THINKING = frozenset({"thinking", "redacted_thinking"})


class _Counted(BaseModel):
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None


class _Block(BaseModel):
    type: str = ""
    text: str | None = None
    thinking: str | None = None
    partial_json: str | None = None
    input: Any = None
    stop_reason: str | None = None


class _Message(BaseModel):
    model: str | None = None
    content: list[_Block] = []
    stop_reason: str | None = None
    usage: Any = None


class _Event(_Message):
    type: str = ""
    message: _Message | None = None
    content_block: _Block | None = None
    delta: _Block | None = None
    error: Any = None
    choices: Any = None


async def read_pieces(body: AsyncIterator[bytes], *, tool: bool = False) -> AsyncGenerator[Piece, None]:
    """The answer piece by piece; ends after `message_stop`, a whole message, or at the end of bytes that held a stop reason.

    `tool`: the answer is to be the input of a tool. Raises NotTheProtocol, ErrorInside, and CutOff when no such end came.
    """
    reading = _Reading(tool=tool)
    finished = False
    async with aclosing(read_data(body)) as events:
        async for data in events:
            event = _parse(data.text)
            piece = reading.take(event)
            finished = finished or data.alone or bool(piece.finish)
            yield piece
            if event.type == "message_stop":
                return
    if not finished:
        raise CutOff


def _parse(text: str) -> _Event:
    """Unknown fields are ignored, known ones must have their type."""
    if text == "[DONE]":  # some gateways end every stream so
        return _Event(type="message_stop")
    try:
        event = _Event.model_validate_json(text)
    except ValidationError as cause:
        raise NotTheProtocol("something that is no answer") from cause
    if event.error is not None or event.type == "error":
        raise ErrorInside(event.error)
    if not event.type:
        raise NotTheProtocol("a chat completion" if event.choices is not None else "something that is no answer")
    return event


class _Reading:
    """What must be known of earlier events to read the next one."""

    def __init__(self, *, tool: bool) -> None:
        self._tool = tool
        self._tool_used = False
        self._beside_it: list[str] = []
        self._thinks = False
        self._counted = _Counted()

    def take(self, event: _Event) -> Piece:
        """The event as a piece; empty when it brings nothing."""
        match event.type:
            case "message":
                return self._whole(event)
            case "message_start" if event.message is not None:
                return Piece(model=_name(event.message.model), usage=self._count(event.message.usage))
            case "content_block_start" if event.content_block is not None:
                self._thinks = event.content_block.type in _THINKING
                return self._block(event.content_block)
            case "content_block_delta" if event.delta is not None:
                return self._block(event.delta)
            case "content_block_stop":
                self._thinks = False
                return Piece()
            case "message_delta" if event.delta is not None:
                finish = _finish(event.delta.stop_reason)
                return Piece(speech=self._instead() if finish else "", finish=finish, usage=self._count(event.usage))
            case _:
                return Piece(thought=_HELD_BACK if self._thinks else "")

    def _whole(self, message: _Message) -> Piece:
        pieces = [self._block(block) for block in message.content]
        return Piece(
            speech="".join(piece.speech for piece in pieces) + self._instead(),
            thought="".join(piece.thought for piece in pieces),
            finish=_finish(message.stop_reason),
            model=_name(message.model),
            usage=self._count(message.usage),
        )

    def _block(self, block: _Block) -> Piece:
        """A block, or a piece of one: its first words may come with its start."""
        match block.type:
            case "text" | "text_delta":
                return Piece(speech=self._text(keepable(block.text or "")))
            case "input_json_delta" if self._tool:
                self._tool_used = True
                return Piece(speech=keepable(block.partial_json or ""))
            case "tool_use" if self._tool and block.input:  # whole, from servers that do not stream it
                self._tool_used = True
                return Piece(speech=keepable(json.dumps(block.input, ensure_ascii=False)))
            case kind if kind in _THINKING or kind == "thinking_delta":
                return Piece(thought=block.thinking or _HELD_BACK)
            case _:
                return Piece()

    def _text(self, text: str) -> str:
        """What of a text is said now; beside a forced tool it waits, in case the tool is not used after all."""
        if not self._tool:
            return text
        self._beside_it.append(text)
        return ""

    def _instead(self) -> str:
        """What was said in place of the tool's input, at the end of an answer."""
        return "" if self._tool_used else "".join(self._beside_it)

    def _count(self, value: object) -> Usage | None:
        """The count so far: later events bring running totals. None while it is missing, malformed or all zero."""
        try:
            told = _Counted.model_validate(value)
        except ValidationError:
            return None
        self._counted = self._counted.model_copy(update=told.model_dump(exclude_none=True))
        return _usage(self._counted)


def _usage(counted: _Counted) -> Usage | None:
    """`input_tokens` leaves out what was read from the cache or put into it; our `tokens_in` is the whole prompt.

    None also where only the answer was counted: llama.cpp loses the event that holds the rest when the first character of an
    answer takes several tokens, as Chinese ones may.
    """
    read, written = counted.cache_read_input_tokens or 0, counted.cache_creation_input_tokens or 0
    tokens_in, tokens_out = (counted.input_tokens or 0) + read + written, counted.output_tokens or 0
    if not tokens_in:
        return None
    return Usage(tokens_in=tokens_in, tokens_out=tokens_out, cached_in=read, cache_written_in=written)


def _finish(stop_reason: str | None) -> str:
    return _FINISH.get(stop_reason, "stop") if stop_reason else ""


def _name(model: str | None) -> str:
    return keepable(model or "")[:MAX_NAME]
