"""Weights that rank the evidence first: a linear score, learned by the softmax of whole lists.

For a question with features X, shape (n, F), and weights w, row i comes first with probability
p_i = exp(x_i·w) / Σ_j exp(x_j·w). What is made small is the mean over the groups of evidence of −ln Σ_{i in group} p_i, plus a
little of |w|². Source: Cao, Qin, Liu, Tsai and Li, "Learning to rank: from pairwise approach to listwise approach" (ICML 2007);
the steps are those of Adam (Kingma and Ba, 2015). No dice are thrown: the same problems give the same weights.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Numbers = NDArray[np.float64]

STEPS = 250
RATE = 0.1
SLOWER = 0.3
"""What the rate is multiplied with for the last third of the steps."""
SMALL = 3e-3
"""How much |w|² counts."""
LONGEST = 100
"""Rows of a list that are looked at besides the evidence: the best by the weights that the search begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A question: the features of each message, shape (n, F), and the rows of each group of its evidence. Sets count alike,
    however many questions each has, and so do the questions of a set."""

    set: str
    talk: str
    features: Matrix
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Where each weight begins, and between which values it stays, shape (F,)."""

    start: Numbers
    lowest: Numbers
    highest: Numbers


@dataclass(frozen=True, slots=True)
class _Lists:
    """All problems below one another. `first`: the row that each list begins with; `evidence`: rows, group after group, and
    `group_first` where each group begins among them; `group_of`: its list, `share`: how much it counts."""

    features: Matrix
    first: NDArray[np.intp]
    evidence: NDArray[np.intp]
    group_first: NDArray[np.intp]
    group_of: NDArray[np.intp]
    share: Numbers


def fit(problems: Sequence[Problem], bounds: Bounds) -> Numbers:
    """The weights, shape (F,). ValueError without a problem."""
    if not problems:
        raise ValueError("there is nothing to learn from")
    lists = _below_one_another(problems, bounds.start)
    weights = bounds.start.copy()
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = _slope(lists, weights)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope * slope
        rate = RATE * (1 if step <= STEPS * 2 // 3 else SLOWER)
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights = np.clip(weights, bounds.lowest, bounds.highest)
    return weights


def _below_one_another(problems: Sequence[Problem], start: Numbers) -> _Lists:
    per_set = Counter(problem.set for problem in problems)
    features: list[Matrix] = []
    share: list[float] = []
    first, evidence, group_first, group_of = [0], list[int](), list[int](), list[int]()
    for number, problem in enumerate(problems):
        rows = _rows(problem, start)
        features.append(problem.features[rows])
        for group in problem.groups:
            group_first.append(len(evidence))
            evidence += (first[-1] + np.searchsorted(rows, group)).tolist()
            group_of.append(number)
            share.append(1 / (len(per_set) * per_set[problem.set] * len(problem.groups)))
        first.append(first[-1] + len(rows))
    return _Lists(
        np.concatenate(features),
        np.array(first[:-1], np.intp),
        np.array(evidence, np.intp),
        np.array(group_first, np.intp),
        np.array(group_of, np.intp),
        np.array(share, np.float64),
    )


def _rows(problem: Problem, start: Numbers) -> NDArray[np.intp]:
    """The rows of a list that are looked at, ascending."""
    best = np.argsort(-(problem.features @ start), kind="stable")[:LONGEST]
    return np.union1d(best, [row for group in problem.groups for row in group]).astype(np.intp)


def _slope(lists: _Lists, weights: Numbers) -> Numbers:
    """The gradient of what is made small, shape (F,)."""
    scores = (lists.features @ weights.astype(np.float32)).astype(np.float64)
    lengths = np.diff(lists.first, append=len(scores))
    likely = np.exp(scores - np.repeat(np.maximum.reduceat(scores, lists.first), lengths))
    likely /= np.repeat(np.add.reduceat(likely, lists.first), lengths)
    counts = np.zeros(len(lists.first))
    np.add.at(counts, lists.group_of, lists.share)
    slope = likely * np.repeat(counts, lengths)
    of_group = likely[lists.evidence]
    sizes = np.diff(lists.group_first, append=len(of_group))
    within = of_group / np.repeat(np.add.reduceat(of_group, lists.group_first), sizes)
    np.subtract.at(slope, lists.evidence, within * np.repeat(lists.share, sizes))
    return (slope.astype(np.float32) @ lists.features).astype(np.float64) + SMALL * weights
