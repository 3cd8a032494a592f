"""Another embedder, or the same one measured anew: it is got ready here; the loop that makes vectors does the rest."""

import asyncio

from echovessel.core.errors import Conflict
from echovessel.flows.deps import Deps
from echovessel.flows.embedding import PROBE
from echovessel.ports.embedder import Embedder, Kind
from echovessel.ports.reindexing import Indexed

PATIENCE_S = 2.0
"""How long one call waits: a program that ends does not wait for minutes of measuring."""


class FlowReindexing:
    """Implements `ports.reindexing.Reindexing`. All who ask for it share one measuring."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        self._measuring: asyncio.Task[None] | None = None
        self._anew = False

    async def look(self) -> Indexed:
        """See the port."""
        embedder, store = self._embedder(), self._deps.store
        vectors = dict(await store.embedders())
        return Indexed(
            embedder=embedder.name,
            dimension=embedder.dimension,
            calibrated=embedder.calibrated,
            measuring=self._measuring is not None and not self._measuring.done(),
            embedded=vectors.pop(embedder.name, 0),
            waiting=await store.count_unembedded(embedder.name),
            others=vectors,
        )

    async def prepare(self, *, anew: bool) -> Indexed:
        """See the port."""
        task = self._measuring
        if task is None or (anew and not self._anew):
            task = self._measuring = asyncio.create_task(self._get_ready(after=task, anew=anew))
            self._anew = anew
            task.add_done_callback(self._ended)
        done, _ = await asyncio.wait({task}, timeout=PATIENCE_S)
        if done:
            self._measuring = None
            task.result()
        return await self.look()

    async def _get_ready(self, *, after: asyncio.Task[None] | None, anew: bool) -> None:
        embedder = self._embedder()
        if after is not None:
            await asyncio.wait({after})
        before = embedder.name
        await embedder.prepare(anew=anew)
        if anew and embedder.name == before:
            raise Conflict(
                f"{before} comes with its calibration, which is not measured here.",
                do="Run `echovessel reindex` without --anew: it makes what is missing.",
            )
        await embedder.embed([PROBE], Kind.QUERY)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Forget one that went well. A failure that nobody waited for is told to who asks next."""
        if self._measuring is task and not task.cancelled() and task.exception() is None:
            self._measuring = None

    def _embedder(self) -> Embedder:
        if self._deps.embedder is None:
            raise Conflict(
                "The embedder is switched off: there are no vectors, and recall goes by words.",
                do='Set name = "auto" in [embedder] of config.toml and start EchoVessel again.',
            )
        return self._deps.embedder
