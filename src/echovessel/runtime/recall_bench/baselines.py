"""The plain retrievers that ours is compared with: BM25, cosine of centred vectors, and the min-max sum of both."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from echovessel.adapters.index.postings import Postings
from echovessel.core.ids import MessageId
from echovessel.core.pair import Pair
from echovessel.core.text import tokens
from echovessel.flows.deps import Deps
from echovessel.memory.scoring import Column
from echovessel.ports.embedder import Embedder, Vectors
from echovessel.ports.index import Query


@dataclass(frozen=True, slots=True)
class Baselines:
    """One pair's messages, ready to be searched plainly. `units` are their centred vectors, None without an embedder."""

    ids: tuple[MessageId, ...]
    postings: Postings
    units: Vectors | None
    embedder: Embedder | None

    @staticmethod
    async def of(pair: Pair, deps: Deps) -> "Baselines":
        """Read a pair's messages from the store."""
        embedder = deps.embedder
        rows = await deps.store.index_rows(pair, embedder.name if embedder else "")
        postings = Postings()
        postings.extend([tokens(row.text) for row in rows])
        units = None
        if embedder is not None:
            raw = np.stack([np.frombuffer(row.vector or bytes(4 * embedder.dimension), np.float32) for row in rows])
            units = embedder.centre(raw, [row.text for row in rows])
        return Baselines(tuple(row.message_id for row in rows), postings, units, embedder)

    def rankings(self, query: Query, depth: int) -> Mapping[str, list[MessageId]]:
        """Each plain retriever's answer, best first."""
        bm25, _ = self.postings.score(query.asked.terms)
        scores = {"BM25": bm25}
        if self.units is not None and self.embedder is not None and query.vector is not None:
            cosine = self.units @ self.embedder.centre(query.vector.reshape(1, -1), [query.asked.text])[0]
            scores |= {"cosine": cosine, "min-max sum": _spread(bm25) + _spread(cosine)}
        return {
            name: [self.ids[row] for row in np.argsort(-column, kind="stable")[:depth].tolist()]
            for name, column in scores.items()
        }


def _spread(column: Column) -> Column:
    lowest, highest = column.min(), column.max()
    return (column - lowest) / max(highest - lowest, np.float32(1e-9))
