"""The embedder, and how far its vectors are."""

from typing import Self

from pydantic import Field

from echovessel.api.dto.base import Input, View
from echovessel.ports.reindexing import Indexed


class Prepare(Input):
    """How to get the embedder ready."""

    anew: bool = Field(False, description="Calibrate it again, and give every text a new vector.")


class IndexedView(View):
    """The embedder in use, and how far its vectors are."""

    embedder: str = Field(description="Its name, as it stands beside each vector.")
    dimension: int = Field(description="Numbers in a vector; 1 as long as nobody knows.")
    calibrated: bool = Field(description="Whether its cosines can be compared; until then recall goes by words.")
    measuring: bool = Field(description="Whether it is being calibrated because someone asked.")
    embedded: int = Field(description="Texts that have its vector.")
    waiting: int = Field(description="Texts that lack it; they are found by their words.")
    others: dict[str, int] = Field(description="Vectors of embedders used before; kept until nothing waits any more.")

    @classmethod
    def of(cls, indexed: Indexed) -> Self:
        """The view of what was found."""
        return cls(
            embedder=indexed.embedder,
            dimension=indexed.dimension,
            calibrated=indexed.calibrated,
            measuring=indexed.measuring,
            embedded=indexed.embedded,
            waiting=indexed.waiting,
            others=dict(indexed.others),
        )
