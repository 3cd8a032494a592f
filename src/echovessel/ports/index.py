"""The index of one pair's timeline: every candidate with its features, in one call."""

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Protocol

from echovessel.core.ids import MessageId
from echovessel.core.pair import Pair
from echovessel.memory.question import Asked
from echovessel.memory.recall import Candidates
from echovessel.ports.embedder import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to look for, as `memory.question.ask` read it.

    `vector` is the raw query vector of `asked.text`, None when the embedder is down (keywords still work). `zone`: of the one
    who asks; dates that messages name are read in it. `exclude`: messages already in the prompt, never candidates and never
    neighbours. Nor is anything said after `until`: whoever words an old answer again knows no more than then.
    """

    asked: Asked
    vector: Vectors | None = None
    zone: tzinfo = UTC
    exclude: frozenset[MessageId] = frozenset()
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class IndexSize:
    """What an index holds: pairs, and the bytes of their arrays and postings."""

    pairs: int
    bytes: int


@dataclass(frozen=True, slots=True)
class IndexCheck:
    """What was compared with the store: pairs and messages; `astray`: of how many pairs the index held something else."""

    pairs: int
    messages: int
    astray: int


class PairIndex(Protocol):
    """Index data: deletable, rebuilt from the store, brought up to date from the change feed before each answer."""

    async def candidates(self, pair: Pair, query: Query) -> Candidates:
        """The candidates of every arm with their features; empty when the pair has said nothing."""
        ...

    async def check(self) -> IndexCheck:
        """Compare all that is held with the store, message by message; what differs is let go, and built anew when asked."""
        ...

    def size(self) -> IndexSize:
        """How much is held in memory."""
        ...
