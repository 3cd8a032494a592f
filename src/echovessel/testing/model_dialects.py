"""Endpoints that keep to rules of their own, as real ones do: what they refuse, they refuse in the words of the real ones.

    server.will(strict_template(says("Good evening."), system=False))

Each takes what it does with a request that it accepts.
"""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from echovessel.testing.model_scripts import fails
from echovessel.testing.served import Asked, Exchange, Script

GEMINI_USAGE: Mapping[str, object] = {"prompt_tokens": 40, "completion_tokens": 6, "total_tokens": 96}
"""Fifty tokens of thinking are in the sum alone."""


def strict_template(then: Script, *, system: bool = True, status: int = 400, in_the_stream: bool = False) -> Script:
    """A chat template in which the user begins, roles alternate, and a system message, if it may be there at all, stands first.

    vLLM says so with 400, llama.cpp with 500, LM Studio `in_the_stream` of a good answer.
    """

    def script(exchange: Exchange) -> None:
        wrong = _wrong_roles([message["role"] for message in exchange.asked.messages], system=system)
        if wrong and in_the_stream:
            exchange.begin()
            error = {"error": {"message": f"Error rendering prompt with jinja template: {wrong}"}}
            exchange.send(b"event: error\ndata: " + json.dumps(error).encode() + b"\n\n")
        elif wrong:
            fails(status, wrong)(exchange)
        else:
            then(exchange)

    return script


def knows_formats(then: Script, *known: str) -> Script:
    """Of `response_format` it knows these types; `json_object` wants the word json in the messages, as DeepSeek does."""

    def script(exchange: Exchange) -> None:
        asked = cast("Mapping[str, str]", exchange.asked.body.get("response_format") or {}).get("type", "text")
        words = " ".join(message["content"] for message in exchange.asked.messages).lower()
        if asked not in {"text", *known}:
            fails(400, "This response_format type is unavailable now", code="invalid_request_error")(exchange)
        elif asked == "json_object" and "json" not in words:
            fails(400, "Prompt must contain the word 'json' in some form to use 'response_format'.")(exchange)
        else:
            then(exchange)

    return script


def refuses_reasoning(then: Script) -> Script:
    """Refuses a request that sends old reasoning back, as DeepSeek's reasoner does."""

    def script(exchange: Exchange) -> None:
        if any(set(message) - {"role", "content"} for message in exchange.asked.messages):
            fails(400, "The reasoning_content field must not be sent.")(exchange)
        else:
            then(exchange)

    return script


def forbids(field: str, then: Script) -> Script:
    """Refuses a request that holds this field, in the words of a server made with FastAPI, as Mistral's is."""

    def script(exchange: Exchange) -> None:
        if field in exchange.asked.body:
            wrong = {"type": "extra_forbidden", "loc": ["body", field], "msg": "Extra inputs are not permitted"}
            exchange.json(422, {"object": "error", "message": {"detail": [wrong]}, "type": "invalid_request_error"})
        else:
            then(exchange)

    return script


def google_fails(status: int, message: str, name: str) -> Script:
    """An error as Google words it: an object in a list, its code a number."""
    error = {"error": {"code": status, "message": message, "status": name}}
    return lambda exchange: exchange.json(status, [error])


def google_says(text: str, *, thought: str = "", finish: str = "stop") -> Script:
    """An answer as Google streams it: large pieces, the usage in each, thinking between tags where it was asked for."""

    def script(exchange: Exchange) -> None:
        if "stream_options" in exchange.asked.body:
            google_fails(400, 'Unknown name "stream_options": Cannot find field.', "INVALID_ARGUMENT")(exchange)
            return
        exchange.begin()
        whole = f"<thought>{thought}</thought>{text}" if thought else text
        half = len(whole) // 2
        for content, reason in ((whole[:half], None), (whole[half:], finish)):
            delta = {"content": content, "role": "assistant"} if content else {"role": "assistant"}
            choice = {"delta": delta, "finish_reason": reason, "index": 0}
            exchange.event(
                {"choices": [choice], "model": exchange.model, "object": "chat.completion.chunk", "usage": GEMINI_USAGE}
            )
        exchange.send(b"data: [DONE]\n\n")

    return script


def google_lists(*names: str) -> Script:
    """The list of models as Google words it."""
    listed = [{"id": f"models/{name}", "object": "model", "owned_by": "google"} for name in names]
    return lambda exchange: exchange.json(200, {"object": "list", "data": listed})


def openrouter_says(text: str) -> Script:
    """An answer as OpenRouter streams it: comments while it works, reasoning beside the words, both prices of the cache."""

    def script(exchange: Exchange) -> None:
        exchange.begin()
        exchange.send(b": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n")
        for delta in ({"role": "assistant", "content": "", "reasoning": "They greet me."}, {"content": text}):
            exchange.event(_chunk(exchange.asked, delta))
        exchange.event(_chunk(exchange.asked, {"content": ""}, "stop"))
        details = {"cached_tokens": 30, "cache_write_tokens": 8}
        usage = {"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55, "prompt_tokens_details": details}
        exchange.event({**_chunk(exchange.asked, {}), "choices": [], "usage": usage})
        exchange.send(b"data: [DONE]\n\n")

    return script


def _chunk(asked: Asked, delta: Mapping[str, object], finish: str | None = None) -> dict[str, object]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "gen-1", "object": "chat.completion.chunk", "model": asked.body.get("model"), "choices": [choice]}


def _wrong_roles(roles: Sequence[str], *, system: bool) -> str:
    """What such a template raises."""
    if "system" in roles and not system:
        return "System role not supported"
    turns = roles[1:] if roles[:1] == ["system"] else roles
    if any(role != ("user", "assistant")[at % 2] for at, role in enumerate(turns)):
        return "Conversation roles must alternate user/assistant/user/assistant/..."
    return ""
