"""What an `AnthropicServer` can do with a request: answer well, or fail in every way that real endpoints do.

Scripts that speak no protocol, such as `hangs` and `shows`, are those of `testing.model_scripts`.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from echovessel.testing.served import Exchange, Script

Count = Mapping[str, int]
_FOREVER_S = 600.0

USAGE: Count = {"input_tokens": 21, "output_tokens": 7}
NOTHING_COUNTED: Count = {"input_tokens": 0, "output_tokens": 0}


def says(
    text: str,
    *,
    size: int = 4,
    pause: float = 0,
    stop: str = "end_turn",
    thinks: str | None = None,
    usage: Count | Callable[[Exchange], Count] = USAGE,
) -> Script:
    """Answer with `text`, streamed in pieces of `size` characters with `pause` seconds between, or whole when not streamed.

    `thinks` goes before it as a block of its own; "" is thinking of which the text is held back. When the request forces a
    tool, `text` is the tool's input. `usage` is the whole count, or counts a request (`testing.prompt_cache`).
    """

    def script(exchange: Exchange) -> None:
        counted = usage(exchange) if callable(usage) else usage
        counted = {"output_tokens": max(1, len(text) // 4), **counted}
        tool = _forced_tool(exchange)
        if not exchange.asked.body.get("stream"):
            exchange.json(200, _message(exchange.model, _blocks(text, thinks, tool), stop, counted))
            return
        _begin(exchange, counted)
        if thinks is not None:
            _think(exchange, thinks, size)
        _say(exchange, text, size=size, pause=pause, index=int(thinks is not None), tool=tool)
        _end(exchange, stop, counted)
        _event(exchange, {"type": "message_stop"})

    return script


def fails(
    status: int,
    kind: str = "invalid_request_error",
    message: str = "told to fail",
    *,
    retry_after: str | float | None = None,
) -> Script:
    """Answer with an HTTP error and the API's error object."""
    headers = {"request-id": "req_1"} | ({} if retry_after is None else {"Retry-After": str(retry_after)})
    return lambda exchange: exchange.json(status, _error(kind, message), headers)


def rejects(parameter: str, then: Script, *, words: str = "") -> Script:
    """Answer 400, naming the parameter, when it is anywhere in the request; else do `then`."""

    def script(exchange: Exchange) -> None:
        if f'"{parameter}"' in json.dumps(exchange.asked.body):
            fails(400, message=words or f"{parameter}: Extra inputs are not permitted")(exchange)
        else:
            then(exchange)

    return script


def pings() -> Script:
    """Begin a message, then ping and never say a word."""

    def script(exchange: Exchange) -> None:
        _begin(exchange, USAGE)
        while True:
            _event(exchange, {"type": "ping"})
            exchange.wait(0.05)

    return script


def hangs_after(text: str) -> Script:
    """Say `text`, then nothing more; the connection stays."""

    def script(exchange: Exchange) -> None:
        _begin_saying(exchange, text)
        exchange.wait(_FOREVER_S)

    return script


def hangs_after_stop(text: str) -> Script:
    """Say `text` and why it stops; the end of the stream never comes."""

    def script(exchange: Exchange) -> None:
        _begin_saying(exchange, text)
        _end(exchange, "end_turn", USAGE)
        exchange.wait(_FOREVER_S)

    return script


def cuts_after(text: str) -> Script:
    """Say `text`, then close the connection."""
    return lambda exchange: _begin_saying(exchange, text)


def breaks_after(text: str, line: bytes) -> Script:
    """Say `text`, then send this line, whatever it is, and wait."""

    def script(exchange: Exchange) -> None:
        _begin_saying(exchange, text)
        exchange.send(line)
        exchange.wait(_FOREVER_S)

    return script


def reports_inside(kind: str, message: str, after: str = "") -> Script:
    """Say `after`, then send an error as an event of the stream."""
    event = f"event: error\ndata: {json.dumps(_error(kind, message))}\n\n"
    return breaks_after(after, event.encode())


def says_whole(text: str, stop: str = "end_turn") -> Script:
    """Answer with one message although a stream was asked for."""
    return lambda exchange: exchange.json(200, _message(exchange.model, _blocks(text, None, None), stop, USAGE))


def _begin_saying(exchange: Exchange, text: str) -> None:
    _begin(exchange, USAGE)
    if text:
        _say(exchange, text)


def _begin(exchange: Exchange, counted: Count) -> None:
    exchange.begin()
    begun = _message(exchange.model, [], None, {**counted, "output_tokens": min(1, counted["output_tokens"])})
    _event(exchange, {"type": "message_start", "message": begun})
    _event(exchange, {"type": "ping"})


def _think(exchange: Exchange, thought: str, size: int) -> None:
    block = {"type": "thinking", "thinking": "", "signature": ""}
    _event(exchange, {"type": "content_block_start", "index": 0, "content_block": block})
    for piece in _pieces(thought, size):
        _delta(exchange, 0, {"type": "thinking_delta", "thinking": piece})
    _delta(exchange, 0, {"type": "signature_delta", "signature": "c2lnbmVk"})
    _event(exchange, {"type": "content_block_stop", "index": 0})


def _say(
    exchange: Exchange, text: str, *, size: int = 4, pause: float = 0, index: int = 0, tool: str | None = None
) -> None:
    block = {"type": "text", "text": ""} if tool is None else _tool_use(tool, {})
    _event(exchange, {"type": "content_block_start", "index": index, "content_block": block})
    for piece in _pieces(text, size):
        spoken = {"type": "text_delta", "text": piece}
        _delta(exchange, index, spoken if tool is None else {"type": "input_json_delta", "partial_json": piece})
        if pause:
            exchange.wait(pause)
    _event(exchange, {"type": "content_block_stop", "index": index})


def _end(exchange: Exchange, stop: str, counted: Count) -> None:
    delta = {"stop_reason": stop, "stop_sequence": None}
    _event(exchange, {"type": "message_delta", "delta": delta, "usage": counted})


def _delta(exchange: Exchange, index: int, delta: Mapping[str, object]) -> None:
    _event(exchange, {"type": "content_block_delta", "index": index, "delta": delta})


def _event(exchange: Exchange, value: Mapping[str, object]) -> None:
    exchange.event(value, str(value["type"]))


def _pieces(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))


def _forced_tool(exchange: Exchange) -> str | None:
    choice = cast("Mapping[str, object]", exchange.asked.body.get("tool_choice", {}))
    return str(choice["name"]) if choice.get("type") == "tool" else None


def _blocks(text: str, thinks: str | None, tool: str | None) -> list[Mapping[str, object]]:
    thought = [] if thinks is None else [{"type": "thinking", "thinking": thinks, "signature": "c2lnbmVk"}]
    said = {"type": "text", "text": text} if tool is None else _tool_use(tool, json.loads(text))
    return [*thought, said]


def _tool_use(tool: str, given: object) -> Mapping[str, object]:
    return {"type": "tool_use", "id": "toolu_1", "name": tool, "input": given}


def _message(model: str, content: list[Mapping[str, object]], stop: str | None, counted: Count) -> Mapping[str, object]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": counted,
    }


def _error(kind: str, message: str) -> Mapping[str, object]:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
