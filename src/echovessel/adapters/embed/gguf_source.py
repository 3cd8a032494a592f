"""A model file (GGUF) that makes vectors, in a process of its own, as one that talks (docs/why/0067)."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pydantic import SecretStr

from echovessel.adapters.embed import endpoint_troubles as troubles
from echovessel.adapters.embed.endpoint import EndpointSource, prefixed
from echovessel.adapters.embed.identity import identity
from echovessel.adapters.llm.gguf.engine import Engine, Job, memory_needed, processors, threads
from echovessel.adapters.llm.gguf.file import ModelFile, look_at
from echovessel.adapters.system import SystemClock, SystemIds
from echovessel.core.errors import EmbedderDown, ModelDown
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.settings import EmbedderSettings

CONTEXT_TOKENS = 2048
"""More than a prepared text has."""


class GgufSource:
    """Implements `adapters.embed.source.Source`. The file is loaded with the first text, and anew after a crash."""

    def __init__(self, settings: EmbedderSettings) -> None:
        self._settings = settings
        self._path = Path(settings.file.strip())
        self._identity = self._identified()
        self._engine: Engine | None = None
        self._served: EndpointSource | None = None
        self._starting = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embedder-file")

    @property
    def name(self) -> str:
        """The file's name, a few letters of what is in it, and what tells its prefixes."""
        prefixes = {Kind.QUERY: self._settings.query_prefix, Kind.PASSAGE: self._settings.passage_prefix}
        return f"{self._path.stem}-{self._identity}{prefixed(prefixes)}"

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """See `Source`."""
        engine, served = await self._ready()
        try:
            return await served.embed(texts, kind)
        except EmbedderDown as down:
            if not engine.ended:
                raise
            raise troubles.of(engine.crashed()) from down

    def close(self) -> None:
        """End the process."""
        self._end()
        self._thread.shutdown(wait=False)

    async def _ready(self) -> tuple[Engine, EndpointSource]:
        """The running engine; all who wait share one load."""
        async with self._starting:
            if self._engine is None or self._served is None or self._engine.ended:
                self._end()
                self._engine = await self._begin()
                self._served = await self._loaded(self._engine)
            return self._engine, self._served

    async def _begin(self) -> Engine:
        if self._identified() != self._identity:
            raise EmbedderDown(
                f"{self._path.name} is another file than at the start, or was not there then.",
                do="Start EchoVessel again; recall by words works meanwhile.",
            )
        try:
            file = await asyncio.to_thread(look_at, self._settings.file, embeds=True)
        except ModelDown as down:
            raise troubles.of(down) from down
        return Engine(file, _job(file))

    async def _loaded(self, engine: Engine) -> EndpointSource:
        """The way to speak to it, once it has loaded."""
        try:
            url = await asyncio.get_running_loop().run_in_executor(self._thread, engine.url)
        except ModelDown as down:
            raise troubles.of(down) from down
        here = {
            "base_url": f"{url}/v1",
            "model": engine.file.path.stem,
            "api_key": SecretStr(engine.key),
            "api_key_file": "",
        }
        return EndpointSource(self._settings.model_copy(update=here))

    def _identified(self) -> str:
        """Empty when there is no such file."""
        try:
            return identity([self._path.expanduser()])
        except RuntimeError:  # `~` of nobody
            return ""

    def _end(self) -> None:
        """End the engine; that its memory is freed is waited for in its own thread."""
        engine, self._engine, self._served = self._engine, None, None
        if engine is not None:
            engine.kill()
            self._thread.submit(engine.reap)


def _job(file: ModelFile) -> Job:
    context_tokens = min(CONTEXT_TOKENS, file.context_tokens or CONTEXT_TOKENS)
    return Job(
        file=str(file.path),
        name=file.path.stem,
        context_tokens=context_tokens,
        threads=threads(processors()),
        key=SystemIds(SystemClock()).token(),
        needed=memory_needed(file, context_tokens),
        embeds=True,
        pools_itself=file.pools,
    )
