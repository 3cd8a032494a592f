"""The endpoint that the settings name: implements `ports.llm.Models`."""

from contextlib import aclosing

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.client import Endpoint
from echovessel.adapters.llm.failures import no_model_named
from echovessel.core.errors import ModelDown, ModelRefusedKey, ModelTimeout, ModelUnreachable
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.clock import Clock
from echovessel.ports.llm import LLM, ChatRequest, ProbeResult, Role
from echovessel.ports.settings import LlmSettings, SettingsSource

_ONE_WORD = (ChatMessage(ChatRole.USER, "Say hello in one word."),)


class ConfiguredModels:
    """Follows the settings: a change of `llm` takes effect with the next call of `current`."""

    def __init__(self, *, settings: SettingsSource, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._built_for: LlmSettings | None = None
        self._built: LLM | None = None

    def current(self) -> LLM | None:
        """The endpoint in the settings, or None when `base_url` is empty."""
        wanted = self._settings.current().llm
        if wanted != self._built_for:
            self._built = Endpoint(settings=wanted, clock=self._clock) if wanted.base_url.strip() else None
            self._built_for = wanted
        return self._built

    async def probe(self, settings: LlmSettings) -> ProbeResult:
        """List the models, then ask for one word; without a model's name the first listed one is tried.

        `first_token_s` is in real seconds. Raises ModelDown; an endpoint that lists no models is well as long as it answers.
        """
        listed = await self._listed(Endpoint(settings=settings, clock=self._clock))
        model = settings.model or next(iter(listed), "")
        if not model:
            raise no_model_named(Address.parse(settings.base_url))
        chosen = settings.model_copy(update={"model": model, "retries": 0})
        began = self._clock.monotonic()
        await self._one_word(Endpoint(settings=chosen, clock=self._clock))
        return ProbeResult(model=model, models=listed, first_token_s=self._clock.monotonic() - began)

    async def listed(self, settings: LlmSettings) -> tuple[str, ...]:
        """The models that the endpoint offers. Raises ModelDown, also when it lists none."""
        listed = await Endpoint(settings=settings, clock=self._clock).models()
        if not listed:
            raise no_model_named(Address.parse(settings.base_url))
        return listed

    async def _listed(self, endpoint: Endpoint) -> tuple[str, ...]:
        try:
            return await endpoint.models()
        except (ModelUnreachable, ModelRefusedKey, ModelTimeout):
            raise
        except ModelDown:
            return ()

    async def _one_word(self, endpoint: Endpoint) -> None:
        async with aclosing(endpoint.stream(ChatRequest(role=Role.MAIN, messages=_ONE_WORD))) as answer:
            await anext(answer)
