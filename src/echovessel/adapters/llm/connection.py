"""A connection to one model, whichever way it is spoken to. Each kind is imported when the first of it is made."""

from typing import Protocol

from echovessel.ports.clock import Clock
from echovessel.ports.llm import LLM
from echovessel.ports.settings import ModelSettings


class Connection(LLM, Protocol):
    """What every adapter of a model gives, beside what the house asks of it."""

    async def models(self) -> tuple[str, ...]:
        """The models that the other side offers, never none. Raises a ModelDown."""
        ...

    def close(self) -> None:
        """Free what is held, once the answers that stream now are over; nothing else is asked afterwards."""
        ...


def connect(*, profile: str, settings: ModelSettings, clock: Clock) -> Connection:
    """The connection that the settings describe. Nothing is sent, loaded or checked yet: what is wrong fails a request."""
    match settings.speaks:
        case "anthropic":
            from echovessel.adapters.llm.anthropic.client import AnthropicEndpoint

            return AnthropicEndpoint(profile=profile, settings=settings, clock=clock)
        case "gguf":
            from echovessel.adapters.llm.gguf.client import GgufModel

            return GgufModel(profile=profile, settings=settings, clock=clock)
        case _:
            from echovessel.adapters.llm.client import Endpoint

            return Endpoint(profile=profile, settings=settings, clock=clock)
