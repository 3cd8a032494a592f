"""Weights are learned within what was promised, and judged on talks that they never saw."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from echovessel.memory.scoring import Factor
from echovessel.runtime.recall_bench.data import Question, Told
from echovessel.runtime.recall_bench.tuning import Exercise, exercise, tune

NOW = datetime(2025, 6, 1, tzinfo=UTC)
SHIPPED = dict.fromkeys(Factor, 1.0) | {Factor.VERBATIM: 9.0, Factor.QUESTION: -1.0}
TURNS = [f"t{number}" for number in range(12)]


def told(talk: str) -> Told:
    return Told(
        conv_id=talk,
        line="",
        person=talk,
        me="Ada",
        other="Bo",
        session_of=dict.fromkeys(TURNS, "s"),
        said_at={turn: NOW - timedelta(days=30) for turn in TURNS},
    )


def asked(talk: str, right: str, telling: Factor, data: str = "own") -> Exercise:
    """A question whose evidence only one factor knows; the others say different things of different messages."""
    place = TURNS.index(right)
    factors = {name: np.abs(np.sin(np.arange(12.0) * (index + 2 + place))) for index, name in enumerate(Factor)}
    factors[telling] = np.zeros(12)
    factors[telling][place] = 1
    question = Question(
        conv_id=talk, text="?", category="fact", asked_at=NOW, headline=True, evidence=(frozenset({right}),)
    )
    return exercise(data, question, told(talk), TURNS, factors)


def talk(name: str, telling: Factor, data: str = "own") -> list[Exercise]:
    return [asked(name, right, telling, data) for right in TURNS]


def test_what_tells_counts_more_and_what_was_promised_stays() -> None:
    tuned = tune([*talk("a", Factor.VECTOR), *talk("b", Factor.VECTOR)], SHIPPED)

    others = [weight for name, weight in tuned.weights.items() if name not in {Factor.VECTOR, Factor.VERBATIM}]
    assert tuned.weights[Factor.VECTOR] > 3
    assert tuned.weights[Factor.VECTOR] > 2 * max(others)
    assert tuned.weights[Factor.VERBATIM] == 9
    assert tuned.weights[Factor.QUESTION] <= 0
    assert min(weight for name, weight in tuned.weights.items() if name != Factor.QUESTION) >= 0


def test_a_talk_is_judged_by_weights_that_never_saw_it() -> None:
    """What tells in talk b tells nothing in the others, so that b is ranked well only by weights that saw it."""
    exercises = [*talk("a", Factor.VECTOR), *talk("b", Factor.KEYWORD, "odd"), *talk("c", Factor.VECTOR)]
    exercises += talk("d", Factor.VECTOR, "odd")

    tuned = tune(exercises, SHIPPED)

    assert tuned.elsewhere["own"].measures["R@1"].value > tuned.shipped["own"].measures["R@1"].value
    assert tuned.elsewhere["odd"].measures["R@1"].value < 0.8
    assert tuned.weights[Factor.KEYWORD] > SHIPPED[Factor.KEYWORD]


def test_sets_of_one_talk_are_left_out_together() -> None:
    """Two translations of one talk: neither may be learned from to rank the other."""
    exercises = [*talk("zh", Factor.KEYWORD, "zh"), *talk("en", Factor.KEYWORD, "en")]
    exercises += [*talk("a", Factor.VECTOR), *talk("b", Factor.VECTOR)]

    tuned = tune(exercises, SHIPPED)

    assert tuned.elsewhere["zh"].measures["R@1"].value < 0.5


def test_evidence_that_is_in_no_row_is_never_found_and_teaches_nothing() -> None:
    lost = Question(
        conv_id="a",
        text="?",
        category="fact",
        asked_at=NOW,
        headline=True,
        evidence=(frozenset({"t1"}), frozenset({"x"})),
    )
    [first, *_] = talk("a", Factor.VECTOR)
    factors = {name: first.problem.features[:, place] for place, name in enumerate(Factor)}

    found = exercise("own", lost, told("a"), TURNS, factors)

    assert found.problem.groups == ((1,),)
    assert tune([found, *talk("b", Factor.VECTOR)], SHIPPED).shipped["own"].measures["R@20"].value < 1


def test_without_anything_to_learn_from() -> None:
    with pytest.raises(ValueError, match="nothing to learn"):
        tune([], SHIPPED)
