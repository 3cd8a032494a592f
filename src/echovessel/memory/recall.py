"""What comes to mind, if anything does: candidates are ranked, given their neighbours, and packed to a budget; every one leaves
a trace.

PairIndex.candidates → rank → judge → pack
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from echovessel.core.ids import MessageId
from echovessel.core.text import tokens
from echovessel.memory.knowing import Signs, Verdict, judge
from echovessel.memory.scoring import Column, Factor, Factors, by_message, total

WEAK = 0.35
"""What scores less than this share of the best one stays away from it."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A message beside a candidate, and its estimated length in tokens."""

    message_id: MessageId
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Some messages of one timeline, as columns: row i of each belongs to `ids[i]`. The order of the rows means nothing.

    `tokens`: estimated length. `before`, `after`: what stands next to it in the same session, the nearest first. `similarity`:
    calibrated, 0…1. `coverage`: the share of the question's terms it holds, by weight, 0…1. `signs`: what the question and all
    of the timeline show together.
    """

    ids: tuple[MessageId, ...]
    tokens: tuple[int, ...]
    texts: tuple[str, ...]
    before: tuple[tuple[Neighbour, ...], ...]
    after: tuple[tuple[Neighbour, ...], ...]
    similarity: Column
    coverage: Column
    factors: Factors
    signs: Signs


@dataclass(frozen=True, slots=True)
class Passage:
    """A hit with its neighbours, in the order they were said. No message is in two passages of one answer."""

    hit: MessageId
    messages: tuple[MessageId, ...]
    score: float


@dataclass(frozen=True, slots=True)
class TraceRow:
    """What became of one candidate. `arm` found it: `vector`, `keyword`, or `context` when only its surroundings did."""

    message_id: MessageId
    arm: str
    factors: Mapping[str, float]
    kept: bool
    why: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """The passages, best first, and the trace of every candidate in the same order; `verdict`: whether any may come."""

    passages: tuple[Passage, ...]
    trace: tuple[TraceRow, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class _Ranked:
    row: int
    message_id: MessageId
    score: float
    factors: Mapping[str, float]
    near: bool
    """Whether it is not far below the best."""


def rank(candidates: Candidates) -> list[tuple[MessageId, float, Mapping[str, float]]]:
    """All candidates, best first, with their scores (0…1) and factors; of two equals, the newer one first.

    The best one's score is how sure it is by itself (its similarity or its coverage); the others stand below it in
    proportion.
    """
    return [(r.message_id, r.score, r.factors) for r in _ranked(candidates)]


def _ranked(candidates: Candidates) -> list[_Ranked]:
    if not candidates.ids:
        return []
    raw = np.maximum(total(candidates.factors), 0)
    order = sorted(range(len(raw)), key=lambda row: (raw[row], candidates.ids[row]), reverse=True)
    best = order[0]
    sure = max(candidates.similarity[best], candidates.coverage[best])
    scale = sure / raw[best] if raw[best] > 0 else 0
    near = raw >= WEAK * _best_but_for_its_words(candidates)
    factors = by_message(candidates.factors)
    return [
        _Ranked(row, candidates.ids[row], float(raw[row] * scale), factors[row], bool(near[row] and raw[row] > 0))
        for row in order
    ]


def _best_but_for_its_words(candidates: Candidates) -> float:
    """The highest score without what counts for holding every word: beside that, nothing else would be near."""
    others = {name: column for name, column in candidates.factors.items() if name is not Factor.VERBATIM}
    return float(total(others).max())


def fitting(candidates: Candidates) -> frozenset[MessageId]:
    """Those that may come to mind: none when nothing bears on the question, else those that are not far below the best."""
    if not judge(candidates.signs).comes:
        return frozenset()
    return frozenset(ranked.message_id for ranked in _ranked(candidates) if ranked.near)


def select(candidates: Candidates, *, budget_tokens: int, limit: int) -> Recalled:
    """The best of what may come to mind, each with its neighbours, at most `limit` passages in `budget_tokens`."""
    packing = _Packing(budget_tokens, limit)
    verdict = judge(candidates.signs)
    trace: list[TraceRow] = []
    for ranked in _ranked(candidates):
        if not verdict.comes:
            why = "nothing of this came up before"
        else:
            why = packing.add(candidates, ranked) if ranked.near else "far below the best"
        trace.append(
            TraceRow(
                message_id=ranked.message_id,
                arm=_arm(candidates, ranked.row),
                factors={"score": ranked.score, **ranked.factors},
                kept=ranked.message_id in packing.taken,
                why=why,
            )
        )
    return Recalled(packing.passages(candidates), tuple(trace), verdict)


def _arm(candidates: Candidates, row: int) -> str:
    keyword, vector = candidates.factors[Factor.KEYWORD][row], candidates.factors[Factor.VECTOR][row]
    if max(keyword, vector) <= 0:
        return "context"
    return "keyword" if keyword > vector else "vector"


class _Packing:
    """Hits first, in the order of their scores; what is left of the budget then goes to their neighbours, the nearest first."""

    def __init__(self, budget: int, limit: int) -> None:
        self._left = budget
        self._limit = limit
        self._hits: list[_Ranked] = []
        self._said: set[frozenset[str]] = set()
        self.taken: set[MessageId] = set()

    def add(self, candidates: Candidates, ranked: _Ranked) -> str:
        """Take a hit if there is room; says what became of it."""
        if len(self._hits) >= self._limit:
            return "enough passages"
        words = frozenset(tokens(candidates.texts[ranked.row]))
        if words in self._said:
            return "says the same as a better one"
        if candidates.tokens[ranked.row] > self._left:
            return "over the budget"
        self._left -= candidates.tokens[ranked.row]
        self._said.add(words)
        self._hits.append(ranked)
        self.taken.add(ranked.message_id)
        return "kept"

    def passages(self, candidates: Candidates) -> tuple[Passage, ...]:
        """The passages. A hit that stands beside a better one stays a passage of its own."""
        return tuple(
            Passage(
                hit.message_id,
                (
                    *reversed(self._room_for(candidates.before[hit.row])),
                    hit.message_id,
                    *self._room_for(candidates.after[hit.row]),
                ),
                hit.score,
            )
            for hit in self._hits
        )

    def _room_for(self, neighbours: Sequence[Neighbour]) -> list[MessageId]:
        """The neighbours without a gap that still fit and are in no passage yet."""
        added: list[MessageId] = []
        for neighbour in neighbours:
            if neighbour.message_id in self.taken or neighbour.tokens > self._left:
                break
            self._left -= neighbour.tokens
            self.taken.add(neighbour.message_id)
            added.append(neighbour.message_id)
        return added
