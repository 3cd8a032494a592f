"""Weights are learned from lists: what the evidence has in common counts, and nothing depends on chance."""

import numpy as np
import pytest

from echovessel.runtime.recall_bench import learning
from echovessel.runtime.recall_bench.learning import Bounds, Problem, fit

FREE = Bounds(start=np.ones(3), lowest=np.full(3, -9.0), highest=np.full(3, 9.0))


def problems(count: int = 30, talk: str = "a") -> list[Problem]:
    """Of twenty messages, the one that says most in column 0 is the evidence; column 1 misleads, column 2 is noise."""
    made: list[Problem] = []
    for number in range(count):
        noise = np.sin(np.arange(60, dtype=np.float32) * (number + 1)).reshape(20, 3)
        right = number % 20
        noise[right] += np.array([1.5, -1.5, 0], np.float32)
        made.append(Problem(set="s", talk=talk, features=noise, groups=((right,),)))
    return made


def found_first(asked: list[Problem], weights: np.ndarray) -> float:
    return float(np.mean([np.argmax(each.features @ weights) in each.groups[0] for each in asked]))


def test_what_the_evidence_has_in_common_counts_most() -> None:
    weights = fit(problems(), FREE)

    assert weights[0] > 1
    assert weights[1] < 0
    assert abs(weights[2]) < weights[0] / 2
    assert found_first(problems(), weights) > found_first(problems(), FREE.start)


def test_the_same_problems_give_the_same_weights_in_any_order() -> None:
    once = fit(problems(), FREE)

    assert np.array_equal(once, fit(problems(), FREE))
    assert np.allclose(once, fit(problems()[::-1], FREE), atol=1e-3)


def test_a_weight_stays_within_its_bounds() -> None:
    bounded = Bounds(start=np.ones(3), lowest=np.array([0, 0, 0]), highest=np.array([0.5, 9, 9]))

    weights = fit(problems(), bounded)

    assert weights[0] == 0.5
    assert weights[1] == 0


def test_any_message_of_a_group_will_do() -> None:
    """Two messages say the same; only one of them has what the features know."""
    both = [
        Problem(set="s", talk="a", features=each.features, groups=((*each.groups[0], (each.groups[0][0] + 1) % 20),))
        for each in problems()
    ]

    assert fit(both, FREE)[0] > 1


def test_a_long_list_is_cut_but_never_its_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "LONGEST", 3)
    hidden = [
        Problem(set="s", talk="a", features=np.array([[3, 0], [2, 0], [1, 0], [0, 1]], np.float32), groups=((3,),))
    ]

    weights = fit(hidden, Bounds(start=np.ones(2), lowest=np.zeros(2), highest=np.full(2, 9.0)))

    assert weights[1] > weights[0]


def test_sets_count_alike_however_many_questions_they_have() -> None:
    """A hundred questions that want column 0, ten that want column 1: neither set is drowned."""
    wants = [np.array([[1, 0], [0, 1]], np.float32)] * 2
    many = [Problem(set="many", talk="a", features=wants[0], groups=((0,),))] * 100
    few = [Problem(set="few", talk="b", features=wants[1], groups=((1,),))] * 10

    weights = fit([*many, *few], Bounds(start=np.ones(2), lowest=np.full(2, -9.0), highest=np.full(2, 9.0)))

    assert weights[0] == pytest.approx(weights[1], abs=0.05)


def test_without_a_problem_there_is_nothing_to_learn() -> None:
    with pytest.raises(ValueError, match="nothing to learn"):
        fit([], FREE)
