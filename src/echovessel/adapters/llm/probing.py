"""Trying a connection: which models there are, and whether one of them answers."""

from contextlib import aclosing, closing

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.connection import Connection, connect
from echovessel.adapters.llm.failures import no_model_named
from echovessel.core.errors import ModelDown, ModelRefusedKey, ModelTimeout, ModelUnreachable
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.clock import Clock
from echovessel.ports.llm import ChatRequest, ProbeResult, Role
from echovessel.ports.settings import ModelSettings

_ONE_WORD = (ChatMessage(ChatRole.USER, "Say hello in one word."),)


async def probe(settings: ModelSettings, clock: Clock) -> ProbeResult:
    """List the models, then ask for one word; without a model's name the first listed one is tried.

    `first_token_s` is in real seconds. Raises ModelDown; an endpoint that lists no models is well as long as it answers.
    """
    with closing(_connect(settings, clock)) as connection:
        offered = await _listed_or_none(connection)
    model = settings.model or next(iter(offered), "")
    if not model:
        raise no_model_named(Address.parse(settings.base_url))
    with closing(_connect(settings.model_copy(update={"model": model, "retries": 0}), clock)) as connection:
        began = clock.monotonic()
        await _one_word(connection)
        first_token_s = clock.monotonic() - began
        return ProbeResult(
            model=model,
            models=offered,
            first_token_s=first_token_s,
            context_tokens=await connection.context_tokens(),
        )


async def listed(settings: ModelSettings, clock: Clock) -> tuple[str, ...]:
    """The models that the other side offers. Raises ModelDown, also when it lists none."""
    with closing(_connect(settings, clock)) as connection:
        offered = await connection.models()
    if not offered:
        raise no_model_named(Address.parse(settings.base_url))
    return offered


def _connect(settings: ModelSettings, clock: Clock) -> Connection:
    return connect(profile="", settings=settings, clock=clock)


async def _listed_or_none(connection: Connection) -> tuple[str, ...]:
    try:
        return await connection.models()
    except (ModelUnreachable, ModelRefusedKey, ModelTimeout):
        raise
    except ModelDown:
        return ()


async def _one_word(connection: Connection) -> None:
    async with aclosing(connection.stream(ChatRequest(role=Role.MAIN, messages=_ONE_WORD))) as answer:
        await anext(answer)
