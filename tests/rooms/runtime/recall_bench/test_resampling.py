"""Intervals: the same every time, wider where there is less to go by, and honest where there is nothing."""

import numpy as np
import pytest

from echovessel.runtime.recall_bench.resampling import Resampling, Values


def column(*values: float) -> Values:
    return np.array(values, np.float64)


def test_an_interval_holds_the_share_and_is_the_same_in_every_run() -> None:
    found, asked = column(*[1, 1, 1, 0] * 25), np.ones(100)

    figure = Resampling(["a"] * 50 + ["b"] * 50).share(found, asked)

    assert figure is not None
    assert figure == Resampling(["a"] * 50 + ["b"] * 50).share(found, asked)
    assert (figure.value, figure.n) == (0.75, 100)
    # Of 100 questions, a share of 75 % has a standard error of 4.3 points.
    assert figure.low == pytest.approx(0.75 - 1.96 * 0.0433, abs=0.015)
    assert figure.high == pytest.approx(0.75 + 1.96 * 0.0433, abs=0.015)


def test_questions_are_drawn_within_their_talk() -> None:
    figure = Resampling(["a"] * 20 + ["b"] * 20).share(column(*[1] * 20, *[0] * 20), np.ones(40))

    assert figure is not None
    assert (figure.low, figure.high) == (0.5, 0.5)


def test_a_ratio_of_two_shares() -> None:
    old, new = (column(1, 0, 0, 0), column(1, 1, 0, 0)), (column(0, 0, 1, 1), column(0, 0, 1, 1))

    ratio = Resampling(["a", "a", "b", "b"]).ratio(old, new)

    assert ratio is not None
    assert (ratio.value, ratio.low, ratio.high, ratio.n) == (0.5, 0, 1, 2)


def test_of_nothing_there_is_no_figure() -> None:
    draws, nothing = Resampling(["a", "a"]), np.zeros(2)

    assert draws.share(nothing, nothing) is None
    assert draws.ratio((nothing, nothing), (column(1, 1), column(1, 1))) is None
    assert draws.ratio((column(1, 1), column(1, 1)), (nothing, column(1, 1))) is None
