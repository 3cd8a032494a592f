"""The line to one endpoint: requests through the openai SDK, answers as bytes, and what keeps them from coming.

The SDK is imported in a thread when the first request is made, as that takes about a second.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, ValidationError

from echovessel.adapters.llm.access import Address, read_key
from echovessel.adapters.llm.failures import Refusal
from echovessel.adapters.llm.listed import Listed
from echovessel.adapters.llm.over_http import bytes_of, no_answer, refused_with
from echovessel.adapters.llm.piece import NotTheProtocol
from echovessel.core.talk import ChatMessage
from echovessel.ports.clock import Clock
from echovessel.ports.settings import ModelSettings

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI, Omit
    from openai.types.chat import ChatCompletionMessageParam


class _Listing(BaseModel):
    data: list[Listed]


class Line:
    """Speaks to one endpoint. Connections are not kept open between requests, so there is nothing to close."""

    def __init__(self, *, address: Address, settings: ModelSettings, connect_s: float, clock: Clock) -> None:
        self._address = address
        self._settings = settings
        self._connect_s = connect_s
        self._clock = clock
        self._made: AsyncOpenAI | None = None

    @asynccontextmanager
    async def ask(
        self, model: str, messages: Sequence[ChatMessage], parameters: Mapping[str, object]
    ) -> AsyncGenerator[AsyncIterator[bytes], None]:
        """Send a streaming chat completion request and hand out the bytes of the answer; leaving closes the connection.

        Raises Refusal for an HTTP error, ModelUnreachable, ModelRefusedKey for an unreadable key, CutOff when the other
        side hangs up before it answers. The bytes end in CutOff when the connection breaks.
        """
        key = read_key(self._settings)
        client = await self.ready()
        import openai

        wire = [{"role": str(m.role), "content": m.content} for m in messages]
        request = client.chat.completions.with_streaming_response.create(
            model=model,
            messages=cast("list[ChatCompletionMessageParam]", wire),
            stream=True,
            extra_body=dict(parameters),
            extra_headers=_authorization(key),
        )
        try:
            async with request as response, aclosing(bytes_of(response.iter_bytes())) as body:
                yield body
        except openai.APIStatusError as error:
            raise self._refusal(error, key) from error
        except openai.APIConnectionError as error:
            raise no_answer(self._address, error) from error

    async def models(self) -> tuple[Listed, ...]:
        """The models the endpoint lists. Raises like `ask`, and NotTheProtocol."""
        key = read_key(self._settings)
        client = await self.ready()
        import openai

        try:
            answer = await client.models.with_raw_response.list(extra_headers=_authorization(key))
        except openai.APIStatusError as error:
            raise self._refusal(error, key) from error
        except openai.APIConnectionError as error:
            raise no_answer(self._address, error) from error
        try:
            return tuple(_Listing.model_validate_json(answer.content).data)
        except ValidationError as cause:
            raise NotTheProtocol("something that is no list of models") from cause

    async def ready(self) -> "AsyncOpenAI":
        """Have the client at hand; the first time that takes about a second, which no deadline should run on."""
        if self._made is None:
            self._made = await asyncio.to_thread(_make_client, self._address.url, self._connect_s, self._settings.proxy)
        return self._made

    def _refusal(self, error: "APIStatusError", key: str) -> Refusal:
        answer = error.response
        return refused_with(
            error.status_code, answer.text, answer.headers.get("retry-after"), now=self._clock.now(), key=key
        )


def _make_client(url: str, connect_s: float, proxy: str) -> "AsyncOpenAI":
    from echovessel.adapters.llm.sdk import make_client

    return make_client(url, connect_s, proxy)


def _authorization(key: str) -> "dict[str, str | Omit]":
    import openai

    return {"Authorization": f"Bearer {key}" if key else openai.Omit()}
