"""The line to one endpoint: requests through the anthropic SDK, answers as bytes, and what keeps them from coming.

The SDK is imported in a thread when the first request is made, as that takes seconds.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, ValidationError
from typing_extensions import override

from echovessel.adapters.llm.access import read_key
from echovessel.adapters.llm.anthropic.address import is_anthropic_itself
from echovessel.adapters.llm.http_line import HttpLine
from echovessel.adapters.llm.listed import Listed, listed
from echovessel.adapters.llm.over_http import bytes_of
from echovessel.adapters.llm.piece import NotTheProtocol

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic, Omit
    from anthropic.types import MessageParam

VERSION = "2023-06-01"
_A_PAGE = 1000
_MOST_PAGES = 20


class _Page(BaseModel):
    data: list[object]
    has_more: bool = False
    last_id: str | None = None


class Line(HttpLine["AsyncAnthropic"]):
    """The Messages API."""

    @asynccontextmanager
    async def ask(self, model: str, body: Mapping[str, object]) -> AsyncGenerator[AsyncIterator[bytes], None]:
        """Ask for a streamed message and hand out the bytes of the answer; leaving closes the connection.

        Raises Refusal for an HTTP error and for an error that was found inside the answer, ModelUnreachable, ModelRefusedKey
        for an unreadable key, CutOff when the other side hangs up before it answers. The bytes end in CutOff when the
        connection breaks.
        """
        key = read_key(self._settings)
        client = await self.ready()
        import anthropic

        rest = dict(body)
        request = client.messages.with_streaming_response.create(
            model=model,
            messages=cast("list[MessageParam]", rest.pop("messages")),
            max_tokens=cast("int", rest.pop("max_tokens")),
            stream=True,
            extra_body=rest,
            extra_headers=self._headers(key),
        )
        with self._failing(key, anthropic.APIStatusError, anthropic.APIConnectionError):
            async with request as response, aclosing(bytes_of(response.iter_bytes())) as answer:
                yield answer

    async def models(self) -> tuple[Listed, ...]:
        """The models the endpoint lists, page by page. Raises like `ask`, and NotTheProtocol."""
        models: list[Listed] = []
        after: str | None = None
        for _ in range(_MOST_PAGES):
            page = await self._page(after)
            models += listed(page.data)
            after = page.last_id
            if not page.has_more or not after:
                break
        return tuple(models)

    async def _page(self, after: str | None) -> _Page:
        key = read_key(self._settings)
        client = await self.ready()
        import anthropic

        with self._failing(key, anthropic.APIStatusError, anthropic.APIConnectionError):
            answer = await client.models.with_raw_response.list(
                limit=_A_PAGE, after_id=after or anthropic.omit, extra_headers=self._headers(key)
            )
        try:
            return _Page.model_validate_json(await answer.read())
        except ValidationError as cause:
            raise NotTheProtocol("something that is no list of models") from cause

    def _headers(self, key: str) -> "dict[str, str | Omit]":
        """The key as Anthropic documents it; servers and gateways that speak like it read it here or there (docs/why/0066)."""
        import anthropic

        omit = anthropic.Omit()
        twice = bool(key) and not is_anthropic_itself(self._address)
        return {
            "anthropic-version": VERSION,
            "X-Api-Key": key or omit,
            "Authorization": f"Bearer {key}" if twice else omit,
        }

    @override
    def _make_client(self, url: str, connect_s: float, proxy: str) -> "AsyncAnthropic":
        from echovessel.adapters.llm.anthropic.sdk import make_client

        return make_client(url, connect_s, proxy)
