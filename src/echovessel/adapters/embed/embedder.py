"""The embedders that come with EchoVessel: an engine on a thread of its own, and the calibration in the package."""

from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.threaded import Engine, Threaded
from echovessel.ports.embedder import Kind, Vectors


class LocalEmbedder:
    """Implements `ports.embedder.Embedder`."""

    def __init__(self, engine: Engine, calibration: Calibration) -> None:
        self._source = Threaded(engine)
        self._calibration = calibration

    @property
    def name(self) -> str:
        """Model, precision and version of the preparation."""
        return self._source.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._calibration.dimension

    @property
    def calibrated(self) -> bool:
        """Always: the calibration is in the package."""
        return True

    async def prepare(self, *, anew: bool = False) -> None:  # noqa: ARG002 - it is never measured here
        """Load the engine."""
        await self._source.load()

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """See the port."""
        return await self._source.embed(texts, kind)

    def centre(self, vectors: Vectors, texts: list[str]) -> Vectors:
        """See the port."""
        return self._calibration.centre(vectors, texts)

    def relevance(self, cosines: Vectors) -> Vectors:
        """See the port."""
        return self._calibration.relevance(cosines)

    def personal(self, units: Vectors) -> Vectors:
        """See the port."""
        return self._calibration.personal(units)

    def close(self) -> None:
        """Nothing is held but memory."""
