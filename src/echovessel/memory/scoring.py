"""The score of a candidate: a weighted sum of factors, each 0…1, of what its own words say and of what stands around it.

Everything is measured against the query's best, so that one more irrelevant candidate changes nothing among the others.
Age is no factor of relevance: old memories must not die.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float32]
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]


class Factor(StrEnum):
    """What counts for or against a message. Each is told in a trace under its name."""

    KEYWORD = "keyword"
    """It holds the words asked for: BM25 against the best."""
    VECTOR = "vector"
    """It means what is asked: cosine against the best."""
    PASSAGE = "passage"
    """It and the two messages before it mean, together, what is asked."""
    NEIGHBOURS = "neighbours"
    """The two messages before and after it hold the words asked for."""
    NEXT = "next"
    """The message after it means what is asked."""
    SESSION = "session"
    """The best three messages of its session fit."""
    ANSWER = "answer"
    """It follows a question that fits."""
    SPEAKER = "speaker"
    """The one whose words are asked for said it."""
    USER = "user"
    """The user said it."""
    QUESTION = "question"
    """It only asks."""
    SAID_THEN = "said_then"
    """It was said at the time asked about."""
    TELLS_OF_THEN = "tells_of_then"
    """It names the time asked about."""
    DATED = "dated"
    """It names some time, and a time is asked for."""
    VERBATIM = "verbatim"
    """It holds every word of the question."""


Weights = Mapping[Factor, float]
"""How much each factor counts; one that is not named counts nothing."""
Factors = Mapping[Factor, Column]
"""The factors of some messages, each of shape (n,); in `weigh`'s answer each times its weight."""

_FAR = np.float32(0.6)
"""What the second message away counts beside the first."""
_BEST_OF_SESSION = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the arms say of each message of a timeline, in timeline order, shape (n,).

    `keyword`: BM25 against the best, 0…1. `cosine`, `passage`: with the question, of the message and of it with the two before
    it; 0 where no vector is known.
    """

    keyword: Column
    cosine: Column
    passage: Column


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where each message stands, in timeline order, shape (n,).

    `session`: which one it is of, in numbers that never fall. `asked`: whether the one asked about said it; `user`: whether the
    user did. `question`: whether it asks. `then`: how near to a time asked about it was said, 0…1.
    """

    session: Rows
    asked: Mask
    user: Mask
    question: Mask
    then: Column


def weigh(evidence: Evidence, around: Surroundings, weights: Weights) -> Factors:
    """The factors of every message of a timeline, given in timeline order."""
    keyword, vector = evidence.keyword, to_best(evidence.cosine)
    own = (keyword + vector) / np.float32(2)
    before, after = _beside(keyword, around.session)
    factors = {
        Factor.KEYWORD: keyword,
        Factor.VECTOR: vector,
        Factor.PASSAGE: to_best(evidence.passage),
        Factor.NEIGHBOURS: (before + after) / np.float32(2),
        Factor.NEXT: _next(vector, around.session),
        Factor.SESSION: _best_of_session(own, around.session),
        Factor.ANSWER: _previous(own * around.question, around.session),
        Factor.SPEAKER: around.asked,
        Factor.USER: around.user,
        Factor.QUESTION: around.question,
        Factor.SAID_THEN: around.then,
    }
    return {name: column * np.float32(weights.get(name, 0)) for name, column in factors.items()}


def total(factors: Factors) -> Column:
    """The score of each message: the sum of its factors."""
    columns = list(factors.values())
    score = columns[0].copy()
    for column in columns[1:]:
        score += column
    return score


def by_message(factors: Factors) -> list[Mapping[str, float]]:
    """Each message's factors by name; one that is 0 says nothing and is left out."""
    names = [name.value for name in factors]
    rows: list[list[float]] = np.stack(list(factors.values()), axis=1).tolist()
    return [{name: value for name, value in zip(names, row, strict=True) if value} for row in rows]


def to_best(values: Column, least: float = 0.0) -> Column:
    """Scaled so that the best is 1 and everything below 0 is 0; `least` is what the best counts as when it is lower."""
    above = np.maximum(values, np.float32(0))
    best = max(float(above.max(initial=0)), least)
    return _float32(above / np.float32(best)) if best > 0 else above


def _float32(values: NDArray[Any]) -> Column:
    """As it is already: arithmetic of float32 is not known to the type checker to stay it."""
    return values.astype(np.float32, copy=False)


def _previous(values: Column, session: Rows, steps: int = 1) -> Column:
    """For each message, the value of the one so many steps before it in the same session; 0 without one."""
    found = np.zeros_like(values)
    found[steps:] = values[:-steps] * (session[steps:] == session[:-steps])
    return found


def _next(values: Column, session: Rows, steps: int = 1) -> Column:
    """For each message, the value of the one so many steps after it in the same session; 0 without one."""
    found = np.zeros_like(values)
    found[:-steps] = values[steps:] * (session[steps:] == session[:-steps])
    return found


def _beside(values: Column, session: Rows) -> tuple[Column, Column]:
    """The weighted means, 0…1, of the two before and of the two after each message."""
    whole = np.float32(1) + _FAR
    before = _previous(values, session) + _FAR * _previous(values, session, 2)
    after = _next(values, session) + _FAR * _next(values, session, 2)
    return _float32(before / whole), _float32(after / whole)


def _best_of_session(scores: Column, session: Rows) -> Column:
    """For each message, the mean of the highest scores of its session (of all, if it has fewer)."""
    if not len(scores):
        return scores
    starts = np.flatnonzero(np.diff(session, prepend=session[0] - 1))
    lengths = np.diff(starts, append=len(session))
    places, nowhere = np.arange(len(scores)), len(scores)
    left, summed = scores.copy(), np.zeros(len(starts), np.float32)
    for rank in range(_BEST_OF_SESSION):
        highest = np.maximum.reduceat(left, starts)
        summed += np.where(lengths > rank, highest, np.float32(0))
        first = np.minimum.reduceat(np.where(left == np.repeat(highest, lengths), places, nowhere), starts)
        left[first] = -1
    return _float32(np.repeat(summed / np.minimum(lengths, _BEST_OF_SESSION), lengths))
