"""The line to one endpoint: requests through the openai SDK, answers as bytes, and what keeps them from coming.

The SDK is imported in a thread when the first request is made, as that takes about a second.
"""

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, ValidationError

from echovessel.adapters.llm.access import Address, read_key
from echovessel.adapters.llm.failures import Refusal, refusal, unreachable
from echovessel.adapters.llm.wire import CutOff, NotTheProtocol
from echovessel.core.errors import ModelUnreachable
from echovessel.core.talk import ChatMessage
from echovessel.ports.clock import Clock
from echovessel.ports.settings import ModelSettings

if TYPE_CHECKING:
    from openai import APIConnectionError, APIStatusError, AsyncOpenAI, Omit
    from openai.types.chat import ChatCompletionMessageParam


class _Meta(BaseModel):
    n_ctx: int | None = None


class Listed(BaseModel):
    """A model as an endpoint lists it; how much it holds has a field of another name with each server."""

    id: str
    max_model_len: int | None = None
    context_length: int | None = None
    context_window: int | None = None
    max_context_length: int | None = None
    loaded_context_length: int | None = None
    meta: _Meta | None = None

    @property
    def context_tokens(self) -> int | None:
        """Tokens it holds: vLLM and SGLang, OpenRouter and Together, Groq, LM Studio and Mistral, llama.cpp."""
        told = (
            self.max_model_len,
            self.loaded_context_length,
            self.context_length,
            self.context_window,
            self.max_context_length,
            self.meta.n_ctx if self.meta else None,
        )
        return next((tokens for tokens in told if tokens and tokens > 0), None)


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
            async with request as response, aclosing(_bytes(response.iter_bytes())) as body:
                yield body
        except openai.APIStatusError as error:
            raise self._refusal(error, key) from error
        except openai.APIConnectionError as error:
            raise self._no_connection(error) from error

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
            raise self._no_connection(error) from error
        try:
            return tuple(_Listing.model_validate_json(answer.content).data)
        except ValidationError as cause:
            raise NotTheProtocol("something that is no list of models") from cause

    async def ready(self) -> "AsyncOpenAI":
        """Have the client at hand; the first time that takes about a second, which no deadline should run on."""
        if self._made is None:
            self._made = await asyncio.to_thread(_make_client, self._address.url, self._connect_s)
        return self._made

    def _refusal(self, error: "APIStatusError", key: str) -> Refusal:
        return refusal(
            _json_or_nothing(error.response.text),
            status=error.status_code,
            retry_after=_seconds(error.response.headers.get("retry-after"), self._clock.now()),
            key=key,
        )

    def _no_connection(self, error: "APIConnectionError") -> ModelUnreachable | CutOff:
        import httpx2

        never_stood = httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.UnsupportedProtocol | ssl.SSLError
        return unreachable(self._address, error) if isinstance(error.__cause__, never_stood) else CutOff()


def _make_client(url: str, connect_s: float) -> "AsyncOpenAI":
    from echovessel.adapters.llm.sdk import make_client

    return make_client(url, connect_s)


def _authorization(key: str) -> "dict[str, str | Omit]":
    import openai

    return {"Authorization": f"Bearer {key}" if key else openai.Omit()}


async def _bytes(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    import anyio
    import httpx2

    try:
        async for chunk in chunks:
            yield chunk
    except (httpx2.TransportError, httpx2.DecodingError, ssl.SSLError, anyio.EndOfStream) as cause:
        raise CutOff from cause


def _json_or_nothing(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _seconds(retry_after: str | None, now: datetime) -> float | None:
    """Seconds to wait as a Retry-After header says (RFC 9110 §10.2.3: seconds or a date); None when it says nothing."""
    if not retry_after:
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    try:
        at = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (at - now).total_seconds()) if at.tzinfo else None
