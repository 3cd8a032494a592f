"""An engine off the event loop: loaded once and late, fed one piece at a time, live questions first."""

from typing import Protocol

import numpy as np

from echovessel.adapters.embed.preparation import prepare
from echovessel.adapters.embed.worker import Worker
from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind, Vectors

_URGENCY = {Kind.QUERY: 0, Kind.PASSAGE: 1}


class Engine(Protocol):
    """A model that is called from one thread only.

    `name` is stored beside each vector, `batch` is how many texts it is best given at once; `dimension` may be 0 until it is
    loaded.
    """

    name: str
    dimension: int
    batch: int

    def load(self) -> None:
        """Get ready. Raises ImportError, OSError, RuntimeError or ValueError when it cannot."""
        ...

    def count(self, text: str, kind: Kind) -> int:
        """How many of the model's tokens a text is, or an estimate that is not lower."""
        ...

    def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Raw vectors of unit length, shape (len(texts), dimension)."""
        ...


class Threaded:
    """Implements `adapters.embed.source.Source`. The engine is loaded with the first text and touched by one thread only."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._worker = Worker("embedder")
        self._loaded = False

    @property
    def name(self) -> str:
        """The engine's."""
        return self._engine.name

    async def load(self) -> None:
        """Load the engine now. Raises EmbedderDown."""
        await self._worker.run(self._load, urgency=_URGENCY[Kind.QUERY])

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Raw vectors; between the pieces of a batch, a waiting question gets its turn. Raises EmbedderDown."""
        size = self._engine.batch
        pieces = [texts[start : start + size] for start in range(0, len(texts), size)]
        done = [
            await self._worker.run(lambda p=piece: self._embed(p, kind), urgency=_URGENCY[kind]) for piece in pieces
        ]
        return np.concatenate(done) if done else np.zeros((0, self._engine.dimension), np.float32)

    def close(self) -> None:
        """Nothing is held but memory."""

    def _embed(self, texts: list[str], kind: Kind) -> Vectors:
        """On the worker's thread."""
        self._load()
        try:
            prepared = [prepare(text, kind, self._engine.count) for text in texts]
            vectors = np.ascontiguousarray(self._engine.embed(prepared, kind), np.float32)
        except (OSError, RuntimeError, ValueError) as cause:
            raise EmbedderDown(f"{self.name} failed: {cause}", do="Run `echovessel doctor`.") from cause
        if vectors.shape != (len(texts), self._engine.dimension) or not np.isfinite(vectors).all():
            raise EmbedderDown(f"{self.name} gave no usable vectors.", do="Run `echovessel doctor`.")
        return vectors

    def _load(self) -> None:
        if self._loaded:
            return
        try:
            self._engine.load()
        except (ImportError, OSError, RuntimeError, ValueError) as cause:
            raise EmbedderDown(
                f"The embedder {self.name} could not be loaded: {cause}",
                do="Install EchoVessel again, or choose another embedder in config.toml. Keyword recall works meanwhile.",
            ) from cause
        self._loaded = True
