"""What a `ModelServer` can do with a request: answer well, or fail in every way that real endpoints do."""

import json
from collections.abc import Iterator, Mapping

from echovessel.testing.served import Exchange, Script

_FOREVER_S = 600.0
USAGE: Mapping[str, object] = {"prompt_tokens": 21, "completion_tokens": 7, "total_tokens": 28}


def says(
    text: str,
    *,
    size: int = 4,
    pause: float = 0,
    finish: str = "stop",
    thinks: str = "",
    usage: Mapping[str, object] | None = USAGE,
    done: bool = True,
) -> Script:
    """Answer with `text`, streamed in chunks of `size` characters with `pause` seconds between, or whole when not streamed.

    `thinks` goes before it as reasoning_content. `usage` comes only when it was asked for; None: never.
    """

    def script(exchange: Exchange) -> None:
        if not exchange.asked.body.get("stream"):
            exchange.json(200, _completion(exchange.model, text, finish, usage))
            return
        exchange.begin()
        exchange.event(_chunk(exchange.model, {"role": "assistant", "content": ""}))
        for piece in _pieces(thinks, size):
            exchange.event(_chunk(exchange.model, {"reasoning_content": piece}))
        for piece in _pieces(text, size):
            exchange.event(_chunk(exchange.model, {"content": piece}))
            if pause:
                exchange.wait(pause)
        exchange.event(_chunk(exchange.model, {}, finish))
        if usage is not None and exchange.asked.body.get("stream_options"):
            exchange.event({**_chunk(exchange.model, {}), "choices": [], "usage": usage})
        if done:
            exchange.send(b"data: [DONE]\n\n")

    return script


def fails(
    status: int, message: str = "told to fail", *, code: str | None = None, retry_after: str | float | None = None
) -> Script:
    """Answer with an HTTP error and an error object."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}

    def script(exchange: Exchange) -> None:
        exchange.json(status, {"error": {"message": message, "type": "error", "code": code, "param": None}}, headers)

    return script


def rejects(parameter: str, then: Script, *, words: str = "") -> Script:
    """Answer 400, naming the parameter, when it is in the request; else do `then`."""

    def script(exchange: Exchange) -> None:
        if parameter in exchange.asked.body:
            fails(400, words or f"Unrecognized request argument supplied: {parameter}")(exchange)
        else:
            then(exchange)

    return script


def hangs() -> Script:
    """Take the request and say nothing, not even a status."""
    return lambda exchange: exchange.wait(_FOREVER_S)


def breathes() -> Script:
    """Send the head of a stream, then keep-alive comments and never a word."""

    def script(exchange: Exchange) -> None:
        exchange.begin()
        while True:
            exchange.send(b": still here\n\n")
            exchange.wait(0.05)

    return script


def hangs_after(text: str) -> Script:
    """Say `text`, then nothing more; the connection stays."""

    def script(exchange: Exchange) -> None:
        _say(exchange, text)
        exchange.wait(_FOREVER_S)

    return script


def hangs_after_finish(text: str) -> Script:
    """Say `text` and the finish reason; the end of the stream never comes."""

    def script(exchange: Exchange) -> None:
        _say(exchange, text)
        exchange.event(_chunk(exchange.model, {}, "stop"))
        exchange.wait(_FOREVER_S)

    return script


def cuts_after(text: str) -> Script:
    """Say `text`, then close the connection: no finish reason, no end mark."""
    return lambda exchange: _say(exchange, text)


def hangs_up() -> Script:
    """Close the connection without a byte."""
    return lambda exchange: exchange.hang_up()


def breaks_after(text: str, line: bytes) -> Script:
    """Say `text`, then send this line, whatever it is, and wait."""

    def script(exchange: Exchange) -> None:
        _say(exchange, text)
        exchange.send(line)
        exchange.wait(_FOREVER_S)

    return script


def reports_inside(error: object, after: str = "") -> Script:
    """Say `after`, then send an error object as an event of the stream."""
    return breaks_after(after, b"event: error\ndata: " + json.dumps({"error": error}).encode() + b"\n\n")


def shows(body: bytes, content_type: str = "text/html", *, status: int = 200) -> Script:
    """Answer with any bytes."""
    return lambda exchange: exchange.whole(status, body, content_type=content_type)


def says_whole(text: str, finish: str = "stop") -> Script:
    """Answer with one JSON object although a stream was asked for."""
    return lambda exchange: exchange.json(200, _completion(exchange.model, text, finish, USAGE))


def mislabels(text: str) -> Script:
    """A good event stream under the name of plain text, with CRLF line ends."""

    def script(exchange: Exchange) -> None:
        exchange.begin(content_type="text/plain")
        for value in (_chunk(exchange.model, {"content": text}), _chunk(exchange.model, {}, "stop")):
            exchange.send(b"data:" + json.dumps(value, ensure_ascii=False).encode() + b"\r\n\r\n")
        exchange.send(b"data: [DONE]\r\n\r\n")

    return script


def _say(exchange: Exchange, text: str) -> None:
    exchange.begin()
    for piece in _pieces(text, 4):
        exchange.event(_chunk(exchange.model, {"content": piece}))


def _pieces(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))


def _chunk(model: str, delta: Mapping[str, object], finish: str | None = None) -> dict[str, object]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": model, "choices": [choice]}


def _completion(model: str, text: str, finish: str, usage: Mapping[str, object] | None) -> dict[str, object]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish, "logprobs": None}
    whole: dict[str, object] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
    }
    return whole if usage is None else {**whole, "usage": usage}
