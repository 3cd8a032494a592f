"""The score of a candidate: what its own words say, what its surroundings add.

    own     = keyword/best keyword + vector/best vector                      each 0…1
    context = neighbours (the two messages before and after) + session (its best three messages)
    score   = own + context + speaker asked about − a question itself

Everything is measured from a floor to the query's best, so that one more irrelevant candidate changes nothing among the others.
Age is no factor of relevance: old memories must not die.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float32]
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each factor counts beside the two arms, which count 1 each.

    `floor`: the calibrated similarity below which a vector says nothing. `neighbour`: for each step away, both directions.
    """

    floor: float = 0.3
    neighbour: tuple[float, ...] = (0.25, 0.1)
    session: float = 0.3
    speaker: float = 0.3
    question: float = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the arms say of each message of a timeline, shape (n,). `keyword`: BM25. `similarity`: calibrated, 0…1, 0 where no
    vector is known."""

    keyword: Column
    similarity: Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where each message stands, in timeline order, shape (n,): which session it is of (numbers that never fall), whether the
    one asked about said it, whether it is a question."""

    session: Rows
    asked: Mask
    question: Mask


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """What each factor adds to the score, shape (n,)."""

    keyword: Column
    vector: Column
    neighbours: Column
    session: Column
    speaker: Column
    question: Column

    def score(self) -> Column:
        """The sum."""
        total = np.zeros_like(self.keyword)
        for field in fields(self):
            total += getattr(self, field.name)
        return total

    def take(self, rows: Rows) -> "Factors":
        """The factors of some rows."""
        return Factors(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})

    def row(self, index: int) -> dict[str, float]:
        """One candidate's factors by name."""
        return {name: float(getattr(self, name)[index]) for name in _NAMES}


_NAMES = tuple(field.name for field in fields(Factors))


def weigh(evidence: Evidence, around: Surroundings, weights: Weights) -> Factors:
    """The factors of every message of a timeline, given in timeline order."""
    keyword = _to_best(evidence.keyword, 0.0)
    vector = _to_best(evidence.similarity, weights.floor)
    own = keyword + vector
    neighbours = _neighbours(own, around.session, weights.neighbour)
    return Factors(
        keyword=keyword,
        vector=vector,
        neighbours=neighbours,
        session=np.float32(weights.session) * _best_of_session(own + neighbours, around.session),
        speaker=np.where(around.asked, np.float32(weights.speaker), np.float32(0)),
        question=np.where(around.question, np.float32(-weights.question), np.float32(0)),
    )


def _to_best(values: Column, floor: float) -> Column:
    """Scaled so that `floor` (and everything below it) is 0 and the best is 1; all 0 when nothing rises above the floor."""
    above = np.maximum(values - np.float32(floor), np.float32(0))
    best = above.max(initial=0)
    return above / best if best > 0 else above


def _neighbours(own: Column, session: Rows, shares: tuple[float, ...]) -> Column:
    """The share each message gets of those before and after it in the same session."""
    gained = np.zeros_like(own)
    for steps, share in enumerate(shares, start=1):
        together = session[steps:] == session[:-steps]
        gained[steps:] += np.float32(share) * own[:-steps] * together
        gained[:-steps] += np.float32(share) * own[steps:] * together
    return gained


def _best_of_session(scores: Column, session: Rows, best: int = 3) -> Column:
    """For each message, the mean of the `best` highest scores of its session (of all, if it has fewer); equals count once."""
    if not len(scores):
        return scores
    starts = np.flatnonzero(np.diff(session, prepend=session[0] - 1))
    lengths = np.diff(starts, append=len(session))
    left, total = scores.copy(), np.zeros(len(starts), np.float32)
    for rank in range(best):
        highest = np.maximum.reduceat(left, starts)
        total += np.where(lengths > rank, highest, np.float32(0))
        left[left == np.repeat(highest, lengths)] = 0
    return np.repeat(total / np.minimum(lengths, best), lengths).astype(np.float32)
