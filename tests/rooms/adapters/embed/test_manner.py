"""What a question sounds like is told by what it is near to, of two kinds of lines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from echovessel.adapters.embed.manner import Manner

EAST, NORTH = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
MANNER = Manner(EAST[np.newaxis], NORTH[np.newaxis])


def test_nearer_to_ours_is_above_nearer_to_anyones_below_between_is_nothing() -> None:
    between = (EAST + NORTH) / np.float32(2**0.5)

    ours, anyone, neither = MANNER.personal(np.stack([EAST, NORTH, between]), lo=0, hi=1)

    assert (ours, anyone) == pytest.approx((12.6, -12.6))
    assert neither == pytest.approx(0, abs=1e-4)


def test_how_many_lines_a_kind_has_changes_nothing() -> None:
    doubled = Manner(np.stack([EAST, EAST]), NORTH[np.newaxis])

    assert doubled.personal(EAST[np.newaxis], lo=0, hi=1) == pytest.approx(12.6)


def test_a_vector_of_zeros_sounds_like_nothing() -> None:
    lopsided = Manner(np.stack([EAST, NORTH]), EAST[np.newaxis])

    assert lopsided.personal(np.zeros((1, 2), np.float32), lo=-1, hi=1).tolist() == [0]


@given(arrays(np.float32, (3, 2), elements=st.floats(-1, 1, width=32)))
def test_it_is_finite_and_bounded(vectors: np.ndarray) -> None:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-6)

    told = MANNER.personal(units, lo=0, hi=0.5)

    assert np.all(np.abs(told) <= 2 * 12.6 / 0.5 + 1e-3)


def test_what_is_kept_is_what_is_found() -> None:
    kept = Manner(np.array([[0.6, 0.8]], np.float32), np.array([[-1, 0]], np.float32)).arrays()

    found = Manner.of(kept)

    assert found.ours[0].tolist() == pytest.approx([0.6, 0.8], abs=0.01)
    assert found.anyone[0].tolist() == pytest.approx([-1, 0])


def test_lines_of_two_lengths_are_refused() -> None:
    kept = Manner(EAST[np.newaxis], np.ones((1, 3), np.float32)).arrays()

    with pytest.raises(ValueError, match="one length"):
        Manner.of(kept)
