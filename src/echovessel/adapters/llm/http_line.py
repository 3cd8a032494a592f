"""What the lines of both SDKs share: a client made once, in a thread, and failures that never tell the key."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.failures import refusal
from echovessel.adapters.llm.over_http import no_answer, refused_with
from echovessel.adapters.llm.piece import ErrorInside
from echovessel.ports.clock import Clock
from echovessel.ports.settings import ModelSettings

if TYPE_CHECKING:
    import anthropic
    import openai

Client = TypeVar("Client")


class HttpLine(ABC, Generic[Client]):
    """Speaks to one endpoint. Connections are not kept open between requests, so there is nothing to close."""

    def __init__(self, *, address: Address, settings: ModelSettings, connect_s: float, clock: Clock) -> None:
        self._address = address
        self._settings = settings
        self._connect_s = connect_s
        self._clock = clock
        self._made: Client | None = None

    @abstractmethod
    def _make_client(self, url: str, connect_s: float, proxy: str) -> Client:
        """Import the SDK and make its client, which takes seconds."""

    async def ready(self) -> Client:
        """Have the client at hand; the first time that takes seconds, which no deadline should run on."""
        if self._made is None:
            self._made = await asyncio.to_thread(
                self._make_client, self._address.url, self._connect_s, self._settings.proxy
            )
        return self._made

    @contextmanager
    def _failing(
        self,
        key: str,
        status_error: "type[openai.APIStatusError] | type[anthropic.APIStatusError]",
        connection_error: type[Exception],
    ) -> Generator[None]:
        """What an SDK raises, and an error inside an answer, as ours: Refusal without the key, ModelUnreachable, CutOff."""
        try:
            yield
        except status_error as error:
            answer = error.response
            wait = answer.headers.get("retry-after")
            raise refused_with(error.status_code, answer.text, wait, now=self._clock.now(), key=key) from error
        except connection_error as error:
            raise no_answer(self._address, error) from error
        except ErrorInside as it:
            raise refusal(it.error, key=key) from it
