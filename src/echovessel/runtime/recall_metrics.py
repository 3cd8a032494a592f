"""How well a ranking found the evidence.

A question's evidence comes in groups of turns; a group is found at the rank of its first turn.

    R@k       share of the groups found in the first k turns
    MRR       1 / rank of the first group found (0 when none is within DEPTH)
    nDCG@10   1/log2(rank + 1) summed over the groups found in the first 10, divided by the best possible sum
    S@5       R@5 over sessions, in the order of their best turn
    old/new   R@10 of evidence more than 180 days old, divided by R@10 of evidence 8 to 30 days old
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from echovessel.runtime.recall_data import Question, Told

DEPTH = 50
"""How many turns of a ranking are looked at."""
AGES = ((0, 7), (8, 30), (31, 90), (91, 180), (181, 99_999))
MEASURES = ("R@1", "R@5", "R@10", "R@20", "MRR", "nDCG@10", "S@5")


@dataclass(frozen=True, slots=True)
class Judged:
    """One question's measures by name, and the age in days of each group with whether it was among the first ten."""

    question: Question
    measures: Mapping[str, float]
    ages: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over the headline questions, and R@10 by category (of all questions) and by age in days."""

    questions: int
    measures: Mapping[str, float]
    categories: Mapping[str, float]
    ages: Mapping[str, float]
    old_to_new: float | None


def judge(question: Question, ranked: Sequence[str], told: Told) -> Judged:
    """Score one ranking of turn ids, best first."""
    ranked = list(dict.fromkeys(ranked))[:DEPTH]
    ranks = [_first(group, ranked) for group in question.evidence]
    sessions = list(dict.fromkeys(told.session_of[turn] for turn in ranked if turn in told.session_of))
    session_groups = [
        frozenset(told.session_of[turn] for turn in group if turn in told.session_of) for group in question.evidence
    ]
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= 10)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(len(ranks), 10)))
    measures = {f"R@{k}": _share(ranks, k) for k in (1, 5, 10, 20)} | {
        "MRR": 1 / min(ranks),
        "nDCG@10": gain / ideal,
        "S@5": _share([_first(group, sessions) for group in session_groups], 5),
    }
    ages = tuple(
        (_age(question, group, told), rank <= 10) for group, rank in zip(question.evidence, ranks, strict=True)
    )
    return Judged(question, measures, ages)


def summarise(judged: Sequence[Judged]) -> Summary:
    """Average over questions; an empty set of headline questions is a ValueError."""
    headline = [each for each in judged if each.question.headline]
    if not headline:
        raise ValueError("no question counts")
    categories: dict[str, list[float]] = defaultdict(list)
    for each in judged:
        categories[each.question.category].append(each.measures["R@10"])
    by_age = {
        f"{first}–{last} d" if last < 99_999 else f"{first} d and more": [
            found for each in headline for days, found in each.ages if first <= days <= last
        ]
        for first, last in AGES
    }
    ages = {label: sum(found) / len(found) for label, found in by_age.items() if found}
    newer, older = ages.get("8–30 d"), ages.get("181 d and more")
    return Summary(
        questions=len(headline),
        measures={name: _mean([each.measures[name] for each in headline]) for name in MEASURES},
        categories={name: _mean(values) for name, values in sorted(categories.items())},
        ages=ages,
        old_to_new=older / newer if newer and older is not None else None,
    )


def _first(group: frozenset[str], ranked: Sequence[str]) -> float:
    return next((place for place, turn in enumerate(ranked, start=1) if turn in group), math.inf)


def _share(ranks: Sequence[float], k: int) -> float:
    return sum(rank <= k for rank in ranks) / len(ranks)


def _age(question: Question, group: frozenset[str], told: Told) -> int:
    """Of the newest turn of a group; -1, in no bracket, when none of them is in the conversation."""
    return min(((question.asked_at - told.said_at[turn]).days for turn in group if turn in told.said_at), default=-1)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
