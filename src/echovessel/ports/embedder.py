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
        """Length of a vector; 1 as long as nobody knows."""
        ...

    @property
    def calibrated(self) -> bool:
        """Whether its cosines can be compared. One that is not takes no questions, until `prepare` has measured it."""
        ...

    async def prepare(self, *, anew: bool = False) -> None:
        """Get ready to embed, and calibrate what has no calibration yet; `anew`: measure it again, under another name.

        One that comes with a calibration is never measured. Name and dimension may be others afterwards. Raises `EmbedderDown`.
        """
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

    def personal(self, units: Vectors) -> Vectors:
        """How much centred questions sound like ones about the two who talk: a log ratio, shape (len(units),).

        Above 0, something that was said before may bear on it; below, anyone could say it to anybody; 0 when nobody can tell.
        """
        ...

    def close(self) -> None:
        """Let go of what is held; nothing is asked of it afterwards."""
        ...
