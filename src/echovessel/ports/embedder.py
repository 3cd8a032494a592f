"""Text to vectors, with the calibration that makes their cosines comparable."""

from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Kind(StrEnum):
    """E5-style models embed questions and passages differently."""

    QUERY = "query"
    PASSAGE = "passage"


class Embedder(Protocol):
    """A named embedder. Raw vectors are stored; `centre` is applied on the way into an index or a comparison."""

    @property
    def name(self) -> str:
        """Stored beside each vector; changes whenever old vectors can no longer be compared with new ones."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Raw vectors, shape (len(texts), dimension). Queries go before waiting batches. Raises `EmbedderDown`."""
        ...

    def centre(self, vectors: Vectors, texts: list[str]) -> Vectors:
        """Unit vectors with the mean of each text's language subtracted; cosines of these are what `lo/hi` calibrate."""
        ...

    def relevance(self, cosines: Vectors) -> Vectors:
        """Calibrated similarity in [0,1]: clip((cos − lo)/(hi − lo), 0, 1)."""
        ...
