"""How well a ranking found the evidence.

A question's evidence comes in groups of turns; a group is found at the rank of its first turn.

    R@k       share of the groups found in the first k turns
    MRR       1 / rank of the first group found (0 when none is within DEPTH)
    nDCG@10   1/log2(rank + 1) summed over the groups found in the first 10, divided by the best possible sum
    S@5       R@5 over sessions, in the order of their best turn
    old/new   R@10 of evidence more than 180 days old, divided by R@10 of evidence 8 to 30 days old
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from echovessel.runtime.recall_bench.data import Question, Told
from echovessel.runtime.recall_bench.resampling import Figure, Resampling, Values

DEPTH = 50
"""How many turns of a ranking are looked at."""
AGES = ((0, 7), (8, 30), (31, 90), (91, 180), (181, 99_999))
NEW, OLD = AGES[1], AGES[-1]
MEASURES = ("R@1", "R@5", "R@10", "R@20", "MRR", "nDCG@10", "S@5")
BY_KIND = ("R@5", "R@10")


@dataclass(frozen=True, slots=True)
class Judged:
    """One question's measures by name, and the age in days of each group with whether it was among the first ten."""

    question: Question
    measures: Mapping[str, float]
    ages: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Means over the headline questions; by kind (of all questions) R@5 and R@10, by language and by age in days R@10."""

    measures: Mapping[str, Figure]
    kinds: Mapping[str, Mapping[str, Figure]]
    languages: Mapping[str, Figure]
    ages: Mapping[str, Figure]
    old_to_new: Figure | None


def judge(question: Question, ranked: Sequence[str], told: Told) -> Judged:
    """Score one ranking of turn ids, best first. The question has evidence."""
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
    if not any(each.question.headline for each in judged):
        raise ValueError("no question counts")
    draws = Resampling([each.question.conv_id for each in judged])
    column = {name: np.array([each.measures[name] for each in judged], np.float64) for name in MEASURES}
    headline = np.array([each.question.headline for each in judged], np.float64)

    def mean(name: str, among: Values) -> Figure | None:
        return draws.share(column[name] * among, among)

    kinds = {each.question.category for each in judged}
    languages = {each.question.lang for each in judged if each.question.lang}
    return Summary(
        measures=_told((name, mean(name, headline)) for name in MEASURES),
        kinds={
            kind: _told(
                (name, mean(name, _where(each.question.category == kind for each in judged))) for name in BY_KIND
            )
            for kind in sorted(kinds)
        },
        languages=_told(
            (lang, mean("R@10", headline * _where(each.question.lang == lang for each in judged)))
            for lang in sorted(languages)
        ),
        ages=_told((_label(age), draws.share(*_found(judged, age))) for age in AGES),
        old_to_new=draws.ratio(_found(judged, OLD), _found(judged, NEW)),
    )


def _found(judged: Sequence[Judged], age: tuple[int, int]) -> tuple[Values, Values]:
    """For each headline question, how many groups of an age were among the first ten, and how many there are."""
    first, last = age
    of_age = [
        [found for days, found in each.ages if first <= days <= last and each.question.headline] for each in judged
    ]
    return np.array([sum(each) for each in of_age], np.float64), np.array([len(each) for each in of_age], np.float64)


def _where(holds: Iterable[bool]) -> Values:
    return np.array(list(holds), np.float64)


def _told(figures: Iterable[tuple[str, Figure | None]]) -> dict[str, Figure]:
    return {name: figure for name, figure in figures if figure is not None}


def _label(age: tuple[int, int]) -> str:
    first, last = age
    return f"{first}–{last} d" if last < 99_999 else f"{first} d and more"


def _first(group: frozenset[str], ranked: Sequence[str]) -> float:
    return next((place for place, turn in enumerate(ranked, start=1) if turn in group), math.inf)


def _share(ranks: Sequence[float], k: int) -> float:
    return sum(rank <= k for rank in ranks) / len(ranks)


def _age(question: Question, group: frozenset[str], told: Told) -> int:
    """Of the newest turn of a group; -1, in no bracket, when none of them is in the conversation."""
    return min(((question.asked_at - told.said_at[turn]).days for turn in group if turn in told.said_at), default=-1)
