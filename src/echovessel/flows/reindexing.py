"""Another embedder, or the same one measured anew: it is got ready here; the loop that makes vectors does the rest."""

from echovessel.core.errors import Conflict
from echovessel.flows.deps import Deps
from echovessel.flows.embedding import PROBE
from echovessel.ports.embedder import Embedder, Kind
from echovessel.ports.reindexing import Indexed


class FlowReindexing:
    """Implements `ports.reindexing.Reindexing`."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps

    async def look(self) -> Indexed:
        """See the port."""
        embedder, store = self._embedder(), self._deps.store
        vectors = dict(await store.embedders())
        return Indexed(
            embedder=embedder.name,
            dimension=embedder.dimension,
            calibrated=embedder.calibrated,
            embedded=vectors.pop(embedder.name, 0),
            waiting=await store.count_unembedded(embedder.name),
            others=vectors,
        )

    async def prepare(self, *, anew: bool) -> Indexed:
        """See the port."""
        embedder = self._embedder()
        before = embedder.name
        await embedder.prepare(anew=anew)
        if anew and embedder.name == before:
            raise Conflict(
                f"{before} comes with its calibration, which is not measured here.",
                do="Run `echovessel reindex` without --anew: it makes what is missing.",
            )
        await embedder.embed([PROBE], Kind.QUERY)
        return await self.look()

    def _embedder(self) -> Embedder:
        if self._deps.embedder is None:
            raise Conflict(
                "The embedder is switched off: there are no vectors, and recall goes by words.",
                do='Set name = "auto" in [embedder] of config.toml and start EchoVessel again.',
            )
        return self._deps.embedder
