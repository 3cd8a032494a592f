"""Trying a connection: does a model answer, how fast, and how much does it hold? It may cost, so it is on the ledger."""

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import cast

from echovessel.core.errors import ModelDown, ModelFileUnusable, ModelRefusedKey, ModelTimeout, ModelUnreachable
from echovessel.core.ids import UserId
from echovessel.core.talk import ChatMessage, ChatRole, Trouble
from echovessel.core.text import estimate_tokens
from echovessel.flows.deps import Deps
from echovessel.flows.ledger import ModelCall
from echovessel.ports.llm import LLM, ChatRequest, Delta, JsonMode, ProbeResult, Role
from echovessel.ports.settings import ModelSettings, PromptSettings

log = logging.getLogger(__name__)

PROMPT = "probe"
SMALL_CONTEXT = "model-small-context"
_ASKED = (ChatMessage(ChatRole.USER, "Count from one to thirty in words, and say nothing else."),)
_ASKED_FOR_JSON = (ChatMessage(ChatRole.USER, "How many legs has a cat? Answer in JSON."),)
_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"legs": {"type": "integer"}},
    "required": ["legs"],
}
LONGEST_JSON = 400
"""Tokens, for a model that thinks first."""
ENOUGH_TOKENS = 48
"""Of an answer; then we hang up: more would cost and tell nothing more."""
FEWEST_TOKENS = 8
SHORTEST_S = 0.05
"""Below these a speed would tell of the network's pieces, not of the model."""

LONG_WAIT_S = 10.0
"""Seconds after which a person turns to something else (J. Nielsen, Response Times: The 3 Important Limits, 1993)."""
READING_SPEED = 5.0
"""Tokens a second: 238 English words a minute read silently (M. Brysbaert, J. Mem. Lang. 109, 2019), 1.3 tokens a word."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Seconds to the first token, and tokens a second after it; None when the answer was too short, or came at once."""

    first_token_s: float
    tokens_per_s: float | None


async def probe(settings: ModelSettings, deps: Deps, owner: UserId, profile: str = "") -> ProbeResult:
    """Try the model of these settings, saved or not; without a model's name the first that is listed.

    Raises ModelDown with what to do. An endpoint that lists no models is well as long as it answers.
    """
    offered = await _offered(settings, deps)
    model = settings.model or ("" if settings.speaks == "gguf" else offered[0])
    tried = settings.model_copy(update={"model": model, "retries": 0})
    with deps.models.connect(tried, profile) as connected:
        await connected.prepare()
        speed = await _time(connected, tried, deps, owner)
        result = ProbeResult(
            model=connected.name(Role.MAIN),
            models=tuple(offered),
            first_token_s=speed.first_token_s,
            tokens_per_s=speed.tokens_per_s,
            context_tokens=await connected.context_tokens(),
            json_mode=await _json_mode(connected, tried, deps, owner),
        )
    return replace(result, worries=worries(result, tried, deps.settings.current().prompt))


def worries(result: ProbeResult, settings: ModelSettings, prompt: PromptSettings) -> tuple[Trouble, ...]:
    """What works, and will disappoint."""
    found: list[Trouble] = []
    needed = prompt.token_budget + settings.max_reply_tokens
    if result.context_tokens and result.context_tokens < needed:
        lower = max(500, result.context_tokens - settings.max_reply_tokens)
        found.append(
            Trouble(
                code=SMALL_CONTEXT,
                message=f"It holds {result.context_tokens} tokens; prompt and reply may take {needed}.",
                do=f"Give it a larger window where it runs (Ollama: OLLAMA_CONTEXT_LENGTH={needed}, llama.cpp: -c {needed}), "
                f"or set prompt.token_budget to {lower} at most.",
            )
        )
    if result.first_token_s > LONG_WAIT_S:
        found.append(
            Trouble(
                code="model-slow-start",
                message=f"Its first word took {result.first_token_s:.0f} seconds; people wait about {LONG_WAIT_S:.0f}.",
                do="If it was still loading, try again; else choose a smaller model, or one that thinks less.",
            )
        )
    if result.tokens_per_s is not None and result.tokens_per_s < READING_SPEED:
        found.append(
            Trouble(
                code="model-slow",
                message=f"It says {result.tokens_per_s:.1f} tokens a second; people read about {READING_SPEED:.0f}.",
                do="Choose a smaller model or a stronger quantisation, or run it on a faster machine.",
            )
        )
    return tuple(found)


async def _offered(settings: ModelSettings, deps: Deps) -> Sequence[str]:
    try:
        return await deps.models.listed(settings)
    except (ModelUnreachable, ModelRefusedKey, ModelTimeout, ModelFileUnusable):
        raise
    except ModelDown:
        if not settings.model:
            raise
        return ()


async def _json_mode(model: LLM, settings: ModelSettings, deps: Deps, owner: UserId) -> JsonMode:
    """What holds an answer to a schema: what the endpoint took, if the answer then kept to it."""
    user = await deps.store.user(owner)
    assert user is not None
    request = ChatRequest(
        role=Role.MAIN,
        messages=_ASKED_FOR_JSON,
        max_tokens=min(settings.max_reply_tokens, LONGEST_JSON),
        schema=_SCHEMA,
    )
    call = ModelCall(request, model=model, user=user, turn_id=None, prompt=PROMPT, deps=deps)
    said, mode = list[str](), cast("JsonMode", "none")
    try:
        async with aclosing(call.stream()) as events:
            async for event in events:
                if isinstance(event, Delta):
                    said.append(event.text)
                else:
                    mode = event.json_mode
    except ModelDown as down:
        log.info("no JSON", extra={"code": down.code})
    finally:
        if call.asked:
            await deps.store.apply([call.record()])
    return mode if _fits("".join(said)) else "none"


def _fits(answer: str) -> bool:
    """Whether it is an object after `_SCHEMA`."""
    try:
        value: object = json.loads(answer)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and isinstance(cast("dict[str, object]", value).get("legs"), int)


async def _time(model: LLM, settings: ModelSettings, deps: Deps, owner: UserId) -> Speed:
    """Read what is needed of one answer. Thinking before it may take as much as a reply may: else it would eat every reply."""
    user = await deps.store.user(owner)
    assert user is not None
    request = ChatRequest(role=Role.MAIN, messages=_ASKED, max_tokens=settings.max_reply_tokens)
    call = ModelCall(request, model=model, user=user, turn_id=None, prompt=PROMPT, deps=deps)
    now = deps.clock.monotonic
    began, first, later, said = now(), 0.0, 0.0, list[str]()
    try:
        async with aclosing(call.stream()) as events:
            async for event in events:
                if not isinstance(event, Delta):
                    continue
                later = now()
                if not said:
                    first = later
                said.append(event.text)
                if estimate_tokens("".join(said)) >= ENOUGH_TOKENS:
                    break
    finally:
        if call.asked:
            await deps.store.apply([call.record()])
    tokens, seconds = estimate_tokens("".join(said[1:])), later - first
    measured = tokens >= FEWEST_TOKENS and seconds >= SHORTEST_S
    return Speed(first - began, tokens / seconds if measured else None)
