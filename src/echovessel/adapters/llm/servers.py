"""Which program serves models at an address: recognised by what it answers, never by its port.

Anything may listen at a port: an answer that is late, long, malformed or of another program is no answer. No key is ever sent.
Sources: Ollama's docs/api.md (`/api/version`, `/api/tags`, `/api/show`, `/api/ps`), LM Studio's REST API v0 (`/api/v0/models`),
llama.cpp's tools/server/README.md (`/v1/models`, `/props`), vLLM's `ModelCard` (`/v1/models`).
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, TypeVar

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from echovessel.ports.nearby import NearbyModel, NearbyServer

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T", bound=BaseModel)

ANSWER_S = 0.5
"""Seconds that one answer may take."""
MAX_ANSWER_BYTES = 1 << 20
MAX_MODELS = 200

_Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]+$")]
_Tokens = Annotated[int, Field(ge=1, le=100_000_000)]
_NUM_CTX = re.compile(r"^\s*num_ctx\s+(\d{1,9})\s*$", re.MULTILINE)


class Asking:
    """Asks one server for JSON. `root` is its address without a path, such as `http://127.0.0.1:11434`."""

    def __init__(self, http: "httpx2.AsyncClient", root: str) -> None:
        self._http = http
        self.root = root
        self.answered = False
        """Whether anything came, of whatever kind."""

    async def get(self, path: str, kind: type[T]) -> T | None:
        """GET `path`; None unless a `kind` comes in time."""
        return await self._ask("GET", path, None, kind)

    async def post(self, path: str, body: Mapping[str, object], kind: type[T]) -> T | None:
        """POST `body` to `path`; None unless a `kind` comes in time."""
        return await self._ask("POST", path, body, kind)

    async def _ask(self, method: str, path: str, body: Mapping[str, object] | None, kind: type[T]) -> T | None:
        import httpx2

        held = bytearray()
        try:
            async with (
                asyncio.timeout(ANSWER_S),
                self._http.stream(method, f"{self.root}{path}", json=body) as response,
            ):
                self.answered = True
                if response.status_code != HTTPStatus.OK:
                    return None
                async for chunk in response.aiter_bytes():
                    held += chunk
                    if len(held) > MAX_ANSWER_BYTES:
                        return None
            return kind.model_validate_json(bytes(held))
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ValidationError, OSError, TimeoutError):
            return None


@asynccontextmanager
async def asking(root: str) -> AsyncGenerator[Asking, None]:
    """Ask at `root`, past every proxy, and follow it nowhere else."""
    import httpx2

    async with httpx2.AsyncClient(trust_env=False, follow_redirects=False, timeout=ANSWER_S) as http:
        yield Asking(http, root)


async def recognise(ask: Asking) -> NearbyServer | None:
    """The server that answers, with its models; None when nobody does, or nobody we know for certain."""
    ollama, studio, listing = await asyncio.gather(_ollama(ask), _lm_studio(ask), _listed(ask))
    return ollama or studio or listing


# ---------------------------------------------------------------- Ollama


class _Version(BaseModel):
    version: str


class _Tag(BaseModel):
    name: _Name
    context_length: _Tokens | None = None


class _Tags(BaseModel):
    models: list[_Tag] = Field(max_length=MAX_MODELS)


class _Shown(BaseModel):
    parameters: str = ""
    capabilities: list[str] | None = None


async def _ollama(ask: Asking) -> NearbyServer | None:
    """llama.cpp answers `/api/tags` too, but has no `/api/version`."""
    version, tags, running = await asyncio.gather(
        ask.get("/api/version", _Version), ask.get("/api/tags", _Tags), ask.get("/api/ps", _Tags)
    )
    if version is None or tags is None:
        return None
    windows = {tag.name: tag.context_length for tag in running.models} if running else {}
    shown = await asyncio.gather(*(ask.post("/api/show", {"model": tag.name}, _Shown) for tag in tags.models))
    models = [
        NearbyModel(name=tag.name, context_tokens=windows.get(tag.name) or _num_ctx(told))
        for tag, told in zip(tags.models, shown, strict=True)
        if _talks(told)
    ]
    return _server("Ollama", ask, models)


def _talks(shown: _Shown | None) -> bool:
    """Older versions do not say what a model is for; then it may talk."""
    return shown is None or shown.capabilities is None or "completion" in shown.capabilities


def _num_ctx(shown: _Shown | None) -> int | None:
    """The window that the model's own file asks for; without one it depends on how Ollama was started."""
    found = _NUM_CTX.search(shown.parameters) if shown else None
    return int(found[1]) or None if found else None


# ---------------------------------------------------------------- LM Studio


class _StudioModel(BaseModel):
    id: _Name
    type: str
    max_context_length: _Tokens
    loaded_context_length: _Tokens | None = None


class _StudioModels(BaseModel):
    data: list[_StudioModel] = Field(min_length=1, max_length=MAX_MODELS)


async def _lm_studio(ask: Asking) -> NearbyServer | None:
    listed = await ask.get("/api/v0/models", _StudioModels)
    if listed is None:
        return None
    talking = [model for model in listed.data if model.type in {"llm", "vlm"}]
    models = [NearbyModel(name=model.id, context_tokens=model.loaded_context_length) for model in talking]
    return _server("LM Studio", ask, models)


# ---------------------------------------------------------------- llama.cpp and vLLM


class _Meta(BaseModel):
    n_ctx: _Tokens | None = None


class _Listed(BaseModel):
    id: _Name
    owned_by: str
    meta: _Meta | None = None
    max_model_len: _Tokens | None = None


class _Listing(BaseModel):
    data: list[_Listed] = Field(min_length=1, max_length=MAX_MODELS)


class _Generation(BaseModel):
    n_ctx: _Tokens


class _Props(BaseModel):
    default_generation_settings: _Generation


async def _listed(ask: Asking) -> NearbyServer | None:
    listing, props = await asyncio.gather(ask.get("/v1/models", _Listing), ask.get("/props", _Props))
    match {model.owned_by for model in listing.data} if listing else set[str]():
        case owners if listing and owners == {"llamacpp"}:
            window = props.default_generation_settings.n_ctx if props else None
            models = [
                NearbyModel(name=model.id, context_tokens=window or (model.meta.n_ctx if model.meta else None))
                for model in listing.data
            ]
            return _server("llama.cpp", ask, models)
        case owners if listing and owners == {"vllm"}:
            models = [NearbyModel(name=model.id, context_tokens=model.max_model_len) for model in listing.data]
            return _server("vLLM", ask, models)
        case _:
            return None


def _server(program: str, ask: Asking, models: list[NearbyModel]) -> NearbyServer:
    return NearbyServer(program=program, base_url=f"{ask.root}/v1", models=tuple(models))
