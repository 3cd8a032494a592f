"""The vectors of everything that may be recalled: how many there are, and making them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """`measuring`: whether it is being calibrated for someone who asked. `embedded`: vectors of the embedder in use. `waiting`:
    texts that lack one. `others`: vectors of embedders that were used before, by name; they are kept until nothing waits."""

    embedder: str
    dimension: int
    calibrated: bool
    measuring: bool
    embedded: int
    waiting: int
    others: Mapping[str, int]


class Reindexing(Protocol):
    """What the owner can do about vectors. They are made by themselves while EchoVessel runs."""

    async def look(self) -> Indexed:
        """How it stands. Raises Conflict when the embedder is switched off."""
        ...

    async def prepare(self, *, anew: bool) -> Indexed:
        """See that the embedder answers, and calibrate it if it never was, or `anew`: then every text gets a new vector.

        Measuring may take minutes: this waits for a few seconds of it and says whether it goes on; who asks again waits on, and
        hears whether it failed. Raises EmbedderDown; Conflict when the embedder is switched off, or is never calibrated here.
        """
        ...
