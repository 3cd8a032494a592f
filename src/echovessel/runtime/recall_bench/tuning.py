"""The weights of recall, learned from talks, and how they do on talks that they were not learned from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from echovessel.memory.scoring import Factor, Factors, Weights
from echovessel.runtime.recall_bench.data import Question, Told
from echovessel.runtime.recall_bench.learning import Bounds, Numbers, Problem, fit
from echovessel.runtime.recall_bench.metrics import DEPTH, Summary, judge, summarise

FIXED = frozenset({Factor.VERBATIM})
"""Not learned: that a message comes first which holds every word asked for is a promise, not a finding."""
AGAINST = frozenset({Factor.QUESTION})
"""What may only count against a message; all others only for it."""
MOST = 20.0
"""No factor counts more, for or against."""
FACTORS = tuple(Factor)
OF_CONTENT = frozenset(
    {
        Factor.KEYWORD,
        Factor.VECTOR,
        Factor.PASSAGE,
        Factor.NEIGHBOURS,
        Factor.NEXT,
        Factor.SESSION,
        Factor.ANSWER,
        Factor.VERBATIM,
    }
)
"""What the question and the words say; the others are who speaks and when, which alone make no message worth a look."""
START = np.array([float(name in OF_CONTENT) for name in FACTORS])
"""Where the search begins, whatever is shipped: the same talks give the same weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """A question as something to learn from; `turns` are the turn ids of the problem's rows."""

    problem: Problem
    question: Question
    told: Told
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """The learned weights, and by set how the shipped ones do, and such that were learned from the other talks alone."""

    weights: Weights
    shipped: Mapping[str, Summary]
    elsewhere: Mapping[str, Summary]


def exercise(data: str, question: Question, told: Told, turns: Sequence[str], factors: Factors) -> Exercise:
    """A question of the set `data`; `factors`, each of shape (n,), are those of the turns, not yet weighed."""
    row_of = {turn: row for row, turn in enumerate(turns)}
    groups = (tuple(row_of[turn] for turn in sorted(group) if turn in row_of) for group in question.evidence)
    features = np.stack([factors[name] for name in FACTORS], axis=1).astype(np.float32)
    problem = Problem(set=data, talk=told.conv_id, features=features, groups=tuple(group for group in groups if group))
    return Exercise(problem=problem, question=question, told=told, turns=tuple(turns))


def tune(exercises: Sequence[Exercise], shipped: Weights) -> Tuned:
    """Learn from all, and once for each talk from all the others. ValueError without an exercise."""
    today = np.array([shipped[name] for name in FACTORS], np.float64)
    learned = _learn(exercises, shipped)
    of_fold: dict[str, list[Exercise]] = {}
    for each, fold in zip(exercises, _folds(exercises), strict=True):
        of_fold.setdefault(fold, []).append(each)
    elsewhere: list[tuple[Exercise, Numbers]] = []
    for fold, left_out in of_fold.items():
        others = [each for name, members in of_fold.items() if name != fold for each in members]
        weights = _learn(others, shipped) if others else today
        elsewhere += [(each, weights) for each in left_out]
    return Tuned(
        weights={name: round(float(weight), 1) for name, weight in zip(FACTORS, learned, strict=True)},
        shipped=_judged((each, today) for each in exercises),
        elsewhere=_judged(elsewhere),
    )


def _folds(exercises: Sequence[Exercise]) -> list[str]:
    """What each is left out with: its talk. Sets of a single talk go together: one may be a translation of another."""
    talks = Counter(data for data, _ in {(each.problem.set, each.problem.talk) for each in exercises})
    return [
        f"{each.problem.set}/{each.problem.talk}" if talks[each.problem.set] > 1 else "sets of one talk"
        for each in exercises
    ]


def _learn(exercises: Sequence[Exercise], shipped: Weights) -> Numbers:
    start, lowest, highest = START.copy(), np.zeros(len(FACTORS)), np.full(len(FACTORS), MOST)
    for place, name in enumerate(FACTORS):
        if name in FIXED:
            start[place] = lowest[place] = highest[place] = shipped[name]
        elif name in AGAINST:
            lowest[place], highest[place] = -MOST, 0
    bounds = Bounds(start=start, lowest=lowest, highest=highest)
    return fit([each.problem for each in exercises if each.problem.groups], bounds)


def _judged(answered: Iterable[tuple[Exercise, Numbers]]) -> dict[str, Summary]:
    """By set, how well the weights that go with each exercise rank it."""
    by_set: dict[str, list[tuple[Exercise, Numbers]]] = {}
    for each, weights in answered:
        by_set.setdefault(each.problem.set, []).append((each, weights))
    return {
        name: summarise([judge(each.question, _ranked(each, weights), each.told) for each, weights in members])
        for name, members in by_set.items()
    }


def _ranked(each: Exercise, weights: Numbers) -> list[str]:
    order = np.argsort(-(each.problem.features @ weights), kind="stable")[:DEPTH]
    return [each.turns[row] for row in order]
