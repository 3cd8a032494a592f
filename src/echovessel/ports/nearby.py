"""Model servers that run on this machine, found by looking."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class NearbyModel:
    """A model that can be talked with. `context_tokens` is what it can hold as it runs now; None when its server does not say,
    as for one that is not loaded."""

    name: str
    context_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearbyServer:
    """A server of models: the program's name, the address to give as `base_url`, and the models it has (there may be none)."""

    program: str
    base_url: str
    models: tuple[NearbyModel, ...]


class Nearby(Protocol):
    """Looks around on this machine, and nowhere else."""

    async def look(self) -> Sequence[NearbyServer]:
        """The servers that answer now, those that have a model first. Takes a second or two at most; raises nothing."""
        ...
