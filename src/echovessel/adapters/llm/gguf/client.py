"""A model file run on this computer: implements `ports.llm.LLM`.

The file is loaded into a process of its own (docs/why/0067), where the engine serves it on loopback behind a key that changes
with each start; what is said there is said as to any other endpoint.
"""

import asyncio
from asyncio import to_thread
from collections.abc import AsyncGenerator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path
from typing import ClassVar

from pydantic import SecretStr
from typing_extensions import override

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.client import Endpoint
from echovessel.adapters.llm.gguf import troubles
from echovessel.adapters.llm.gguf.engine import Engine, Job, memory_needed, processors, threads
from echovessel.adapters.llm.gguf.file import ModelFile, look_at
from echovessel.adapters.system import SystemIds
from echovessel.core.errors import ModelDown
from echovessel.ports.clock import Clock
from echovessel.ports.llm import ChatRequest, Delta, Finished, Role, Thought
from echovessel.ports.settings import ModelSettings

USUAL_CONTEXT_TOKENS = 8192
"""Many models could hold far more; each token takes memory whether it is used or not, and prompts are shorter."""
LONGEST_LOAD_S = 900.0


class ServedFile(Endpoint):
    """The running engine, as an endpoint whose name in sentences is the file's."""

    SENT_ALWAYS: ClassVar[Mapping[str, object]] = {"return_progress": True}

    def __init__(self, *, file: ModelFile, profile: str, settings: ModelSettings, clock: Clock) -> None:
        super().__init__(profile=profile, settings=settings, clock=clock)
        self._file = file

    @override
    def _parse_address(self) -> Address:
        return Address(self._settings.base_url, self._file.path.name)


class GgufModel:
    """One model file. It is loaded when it is first needed, answers one at a time in the order of asking, and is loaded anew
    after a crash."""

    def __init__(self, *, profile: str, settings: ModelSettings, clock: Clock) -> None:
        self._profile = profile
        self._settings = settings
        self._clock = clock
        self._file: ModelFile | None = None
        self._engine: Engine | None = None
        self._load: asyncio.Task[tuple[Engine, Endpoint]] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="model-file")
        self._answering = asyncio.Lock()
        self._closed = False

    @property
    def profile(self) -> str:
        """The name of the connection."""
        return self._profile

    @property
    def settings(self) -> ModelSettings:
        """What it was made with."""
        return self._settings

    def name(self, role: Role) -> str:
        """The same for every role: the file's name, unless the settings give another."""
        del role
        return self._settings.model.strip() or Path(self._settings.file.strip()).stem

    async def prepare(self) -> None:
        """Load the file. Raises a ModelDown."""
        await self._loaded()

    async def context_tokens(self) -> int | None:
        """Tokens of prompt and answer that it will hold, told by the file's first page; nothing is loaded."""
        if self._file is None:
            try:
                self._file = await to_thread(look_at, self._settings.file)
            except ModelDown:
                return None
        return self._context(self._file)

    async def models(self) -> tuple[str, ...]:
        """The one that there is. Raises a ModelDown when the file cannot be run; nothing is loaded."""
        await to_thread(look_at, self._settings.file)
        return (self.name(Role.MAIN),)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Delta | Thought | Finished, None]:
        """Stream the answer, once those asked for before are over. The wait for the first token begins when they are, and when
        the file is loaded."""
        async with self._answering:
            try:
                engine, served = await self._loaded()
                try:
                    async with aclosing(served.stream(request)) as events:
                        async for event in events:
                            yield event
                except ModelDown as down:
                    if not engine.ended:
                        raise
                    raise engine.crashed() from down
            finally:
                if self._closed:
                    self._end()

    def close(self) -> None:
        """End the engine, once the answer that streams now is over."""
        self._closed = True
        if not self._answering.locked():
            self._end()

    async def _loaded(self) -> tuple[Engine, Endpoint]:
        """The engine, and the way to speak to it. All who wait share one load; when none does any more, it goes on, and is
        there for the next."""
        load = self._load
        if load is None or (load.done() and self._is_over()):
            load = self._load = asyncio.create_task(self._start())
            load.add_done_callback(_ended)
        return await asyncio.shield(load)

    async def _start(self) -> tuple[Engine, Endpoint]:
        self._end()
        file = self._file = await to_thread(look_at, self._settings.file)
        if self._closed:
            raise troubles.let_go(file.path)
        engine = self._engine = self._begin(file)
        try:
            async with asyncio.timeout(LONGEST_LOAD_S):
                url = await asyncio.get_running_loop().run_in_executor(self._thread, engine.url)
        except TimeoutError:
            self._end()
            raise troubles.slow_to_load(file.path, LONGEST_LOAD_S) from None
        return engine, self._serving(engine, url)

    def _begin(self, file: ModelFile) -> Engine:
        context_tokens = self._context(file)
        job = Job(
            file=str(file.path),
            name=self.name(Role.MAIN),
            context_tokens=context_tokens,
            threads=threads(processors()),
            key=SystemIds(self._clock).token(),
            needed=memory_needed(file, context_tokens),
        )
        return Engine(file, job)

    def _serving(self, engine: Engine, url: str) -> Endpoint:
        here = {
            "base_url": f"{url}/v1",
            "api_key": SecretStr(engine.key),
            "api_key_file": "",
            "proxy": "",
            "model": self.name(Role.MAIN),
            "small_model": "",
            "retries": 0,
        }
        return ServedFile(
            file=engine.file, profile=self._profile, settings=self._settings.model_copy(update=here), clock=self._clock
        )

    def _is_over(self) -> bool:
        return self._engine is None or self._engine.ended

    def _end(self) -> None:
        """End the engine; that its memory is freed is waited for in its own thread."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.kill()
            self._thread.submit(engine.reap)
        if self._closed:
            self._thread.shutdown(wait=False)

    def _context(self, file: ModelFile) -> int:
        wanted = self._settings.context_tokens or USUAL_CONTEXT_TOKENS
        return min(wanted, file.context_tokens or wanted)


def _ended(load: asyncio.Task[tuple[Engine, Endpoint]]) -> None:
    """Take note of a failure that nobody waited for: the next request has its own."""
    if not load.cancelled():
        load.exception()
