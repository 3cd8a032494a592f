"""Vectors of one's own model are brought to unit length, and refused when they are none."""

import numpy as np
import pytest

from echovessel.adapters.embed.source import units
from echovessel.core.errors import EmbedderDown


def test_vectors_get_unit_length_and_zeros_stay() -> None:
    assert units(np.array([[3, 4], [0, 0]], np.float32), "m").tolist() == [
        [pytest.approx(0.6), pytest.approx(0.8)],
        [0, 0],
    ]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused(bad: float) -> None:
    with pytest.raises(EmbedderDown, match="no number"):
        units(np.array([[bad, 1]], np.float32), "m")
