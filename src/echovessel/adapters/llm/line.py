"""The line to one endpoint: requests through the openai SDK, answers as bytes, and what keeps them from coming.

The SDK is imported in a thread when the first request is made, as that takes about a second.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, ValidationError
from typing_extensions import override

from echovessel.adapters.llm.access import read_key
from echovessel.adapters.llm.http_line import HttpLine
from echovessel.adapters.llm.listed import Listed, listed
from echovessel.adapters.llm.over_http import bytes_of
from echovessel.adapters.llm.piece import NotTheProtocol
from echovessel.core.talk import ChatMessage

if TYPE_CHECKING:
    from openai import AsyncOpenAI, Omit
    from openai.types.chat import ChatCompletionMessageParam


class _Listing(BaseModel):
    data: list[object]


class Line(HttpLine["AsyncOpenAI"]):
    """Chat completions."""

    @asynccontextmanager
    async def ask(
        self, model: str, messages: Sequence[ChatMessage], parameters: Mapping[str, object]
    ) -> AsyncGenerator[AsyncIterator[bytes], None]:
        """Send a streaming chat completion request and hand out the bytes of the answer; leaving closes the connection.

        Raises Refusal for an HTTP error and for an error that was found inside the answer, ModelUnreachable, ModelRefusedKey
        for an unreadable key, CutOff when the other side hangs up before it answers. The bytes end in CutOff when the
        connection breaks.
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
        with self._failing(key, openai.APIStatusError, openai.APIConnectionError):
            async with request as response, aclosing(bytes_of(response.iter_bytes())) as body:
                yield body

    async def models(self) -> tuple[Listed, ...]:
        """The models the endpoint lists. Raises like `ask`, and NotTheProtocol."""
        key = read_key(self._settings)
        client = await self.ready()
        import openai

        with self._failing(key, openai.APIStatusError, openai.APIConnectionError):
            answer = await client.models.with_raw_response.list(extra_headers=_authorization(key))
        try:
            listing = _Listing.model_validate_json(answer.content)
        except ValidationError as cause:
            raise NotTheProtocol("something that is no list of models") from cause
        return tuple(listed(listing.data))

    @override
    def _make_client(self, url: str, connect_s: float, proxy: str) -> "AsyncOpenAI":
        from echovessel.adapters.llm.sdk import make_client

        return make_client(url, connect_s, proxy)


def _authorization(key: str) -> "dict[str, str | Omit]":
    import openai

    return {"Authorization": f"Bearer {key}" if key else openai.Omit()}
