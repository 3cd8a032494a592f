"""An OpenAI-compatible endpoint that makes embeddings (`POST …/embeddings`): Ollama, LM Studio, llama.cpp, vLLM, OpenAI.

Source: https://platform.openai.com/docs/api-reference/embeddings/create. Only the fields that all of them know are sent.
"""

import asyncio
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING

import numpy as np
from pydantic import BaseModel, ValidationError

from echovessel.adapters.embed import endpoint_troubles as troubles
from echovessel.adapters.embed.preparation import prepare
from echovessel.adapters.embed.source import units
from echovessel.adapters.llm.access import Address, read_key
from echovessel.adapters.llm.failures import refusal
from echovessel.adapters.llm.over_http import json_or_nothing
from echovessel.core.errors import ModelDown
from echovessel.core.text import estimate_tokens
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.settings import EmbedderSettings

if TYPE_CHECKING:
    import httpx2

BATCH = 32
"""Texts sent in one request."""
SILENCE = "."
"""Sent for a text with nothing in it: empty ones are refused."""
CONNECT_S = 10.0
MAX_ANSWER_BYTES = 64 << 20


class _Embedding(BaseModel):
    index: int
    embedding: list[float]


class _Answer(BaseModel):
    data: list[_Embedding]


class EndpointSource:
    """Implements `adapters.embed.source.Source`. Nothing is sent before the first text, and nowhere but to `base_url`."""

    def __init__(self, settings: EmbedderSettings) -> None:
        self._settings = settings
        self._prefixes = {Kind.QUERY: settings.query_prefix, Kind.PASSAGE: settings.passage_prefix}
        self._made: httpx2.AsyncClient | None = None

    @property
    def name(self) -> str:
        """The model and, where there are any, what is put before the texts. The address may change: the vectors do not."""
        return self._settings.model.strip() + prefixed(self._prefixes)

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """See `Source`."""
        prepared = [self._prefixes[kind] + prepare(text, kind, _count) or SILENCE for text in texts]
        pieces = [prepared[start : start + BATCH] for start in range(0, len(prepared), BATCH)]
        vectors = [await self._ask(piece) for piece in pieces]
        if len({piece.shape[1] for piece in vectors}) > 1:
            raise troubles.garbage(self._host(), "vectors of different lengths")
        return units(np.concatenate(vectors), self.name)

    def close(self) -> None:
        """Connections are not kept open between requests."""

    async def _ask(self, texts: list[str]) -> Vectors:
        """The vectors of some texts, in their order."""
        import httpx2

        address, key = self._address(), self._key()
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                status, body = await self._post(address, key, texts)
        except TimeoutError as cause:
            raise troubles.too_slow(address.host, self._settings.timeout_s) from cause
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as cause:
            raise troubles.unreachable(address.host) from cause
        if status != HTTPStatus.OK:
            told = refusal(json_or_nothing(body.decode("utf-8", "replace")), status=status, key=key)
            raise troubles.refused(address, self._settings.model, told, texts)
        return _read(body, len(texts), address.host)

    async def _post(self, address: Address, key: str, texts: list[str]) -> tuple[int, bytes]:
        client = await self._client()
        request = {"model": self._settings.model.strip(), "input": texts}
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        body = bytearray()
        async with client.stream("POST", f"{address.url}/embeddings", json=request, headers=headers) as response:
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MAX_ANSWER_BYTES:
                    raise troubles.garbage(address.host, "more than an answer can be")
        return response.status_code, bytes(body)

    async def _client(self) -> "httpx2.AsyncClient":
        """The client, whose import takes a moment."""
        if self._made is None:
            self._made = await asyncio.to_thread(_make_client)
        return self._made

    def _address(self) -> Address:
        try:
            return Address.parse(self._settings.base_url, "embedder")
        except ModelDown as down:
            raise troubles.of(down) from down

    def _key(self) -> str:
        try:
            return read_key(self._settings, "embedder")
        except ModelDown as down:
            raise troubles.of(down) from down

    def _host(self) -> str:
        return self._address().host


def prefixed(prefixes: dict[Kind, str]) -> str:
    """What tells a name with these prefixes from the same without: nothing when there are none, else a few letters."""
    if not any(prefixes.values()):
        return ""
    return "+" + sha256("\0".join(prefixes[kind] for kind in Kind).encode()).hexdigest()[:6]


def _make_client() -> "httpx2.AsyncClient":
    from echovessel.adapters.llm.transport import bare_client, connecting_within

    return bare_client(connecting_within(CONNECT_S))


def _read(body: bytes, rows: int, host: str) -> Vectors:
    try:
        told = _Answer.model_validate_json(body).data
    except ValidationError as cause:
        raise troubles.garbage(host, "something that is no list of vectors") from cause
    by_index = {each.index: each.embedding for each in told}
    if sorted(by_index) != list(range(rows)) or len(told) != rows:
        raise troubles.garbage(host, f"{len(told)} vectors for {rows} texts")
    if len({len(vector) for vector in by_index.values()}) > 1 or not by_index[0]:
        raise troubles.garbage(host, "vectors of different lengths")
    with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite, and is refused as such
        return np.array([by_index[row] for row in range(rows)], np.float64).astype(np.float32)


def _count(text: str, kind: Kind) -> int:  # noqa: ARG001 - its tokenizer is not at hand
    return estimate_tokens(text)
