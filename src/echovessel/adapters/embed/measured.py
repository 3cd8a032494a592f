"""An embedder of one's own, which is calibrated here: on the lines that all are calibrated on, once, and kept in the home."""

import asyncio
from collections.abc import Sequence

import numpy as np

from echovessel.adapters.embed.kept import Kept, KeptCalibration
from echovessel.adapters.embed.measuring import ASKED, asked_lines, calibrate, lines
from echovessel.adapters.embed.source import Source
from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind, Vectors

_SAME = 1e-6
_AT_ONCE = 32
"""Lines embedded in one go."""


class MeasuredEmbedder:
    """Implements `ports.embedder.Embedder`.

    Its name holds the length of its vectors and the round of its calibration, so that vectors of another length, or of a model
    that was replaced under its name and measured `anew`, are never taken for its own.
    """

    def __init__(self, source: Source, kept: KeptCalibration) -> None:
        self._source = source
        self._kept = kept
        self._now: Kept | None = kept.load()
        self._measuring = asyncio.Lock()

    @property
    def name(self) -> str:
        """What the vectors were made by; ends in @0 as long as it is not calibrated."""
        if self._now is None:
            return f"{self._source.name}@0"
        return f"{self._source.name}-{self._now.calibration.dimension}@{self._now.round}"

    @property
    def dimension(self) -> int:
        """Length of a vector; 1 as long as nobody knows."""
        return self._now.calibration.dimension if self._now else 1

    @property
    def calibrated(self) -> bool:
        """Whether it was measured."""
        return self._now is not None

    async def prepare(self, *, anew: bool = False) -> None:
        """Measure it if it was not, or `anew`; this embeds some thousand lines. Raises EmbedderDown."""
        async with self._measuring:
            if self._now is not None and not anew:
                return
            passages = {each: await self._raw(texts, Kind.PASSAGE) for each, texts in lines().items()}
            if max(float(np.ptp(vectors, axis=0).max()) for vectors in passages.values()) < _SAME:
                raise EmbedderDown(
                    f"The embedder {self._source.name} gives every text the same vector.",
                    do="Choose another model; recall by words works meanwhile.",
                )
            queries = {each: await self._raw(lines()[each], Kind.QUERY) for each in ASKED}
            asked = {each: await self._raw(asked_lines()[each], Kind.QUERY) for each in asked_lines()}
            measured = Kept(calibrate(passages, queries, asked), self._now.round + 1 if self._now else 1)
            await asyncio.to_thread(self._kept.save, measured)
            self._now = measured

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """See the port. Raises EmbedderDown also when it is not calibrated, or gives vectors of another length than it did."""
        if self._now is None:
            raise EmbedderDown(
                f"The embedder {self._source.name} is not calibrated yet.",
                do="Run `echovessel reindex`, which shows how far it is; recall by words works meanwhile.",
            )
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        vectors = await self._source.embed(texts, kind)
        if vectors.shape[1] != self.dimension:
            raise EmbedderDown(
                f"The embedder {self._source.name} gives vectors of {vectors.shape[1]} numbers; it was calibrated with "
                f"{self.dimension}.",
                do="If its model was replaced, run `echovessel reindex --anew`; recall by words works meanwhile.",
            )
        return vectors

    def centre(self, vectors: Vectors, texts: list[str]) -> Vectors:
        """See the port; zeros as long as it is not calibrated."""
        return self._now.calibration.centre(vectors, texts) if self._now else np.zeros_like(vectors)

    def relevance(self, cosines: Vectors) -> Vectors:
        """See the port; 0 as long as it is not calibrated."""
        return self._now.calibration.relevance(cosines) if self._now else np.zeros_like(cosines)

    def personal(self, units: Vectors) -> Vectors:
        """See the port; 0 as long as it is not calibrated."""
        return self._now.calibration.personal(units) if self._now else np.zeros(len(units), np.float32)

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()

    async def _raw(self, texts: Sequence[str], kind: Kind) -> Vectors:
        pieces = [list(texts[start : start + _AT_ONCE]) for start in range(0, len(texts), _AT_ONCE)]
        return np.concatenate([await self._source.embed(piece, kind) for piece in pieces])
