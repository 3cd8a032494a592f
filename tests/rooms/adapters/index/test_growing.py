"""A growing array is a list that NumPy can read."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from echovessel.adapters.index.growing import Growing

STEPS = st.lists(
    st.tuples(st.sampled_from(["append", "extend", "insert", "remove"]), st.integers(0, 99), st.integers(-9, 9))
)


@given(STEPS)
def test_it_holds_what_a_list_would(steps: list[tuple[str, int, int]]) -> None:
    grown: Growing[np.int64] = Growing(np.int64)
    expected: list[int] = []
    for verb, place, value in steps:
        at = place % (len(expected) + 1)
        if verb == "append":
            grown.append(value)
            expected.append(value)
        elif verb == "extend":
            grown.extend([value] * place)
            expected.extend([value] * place)
        elif verb == "insert":
            grown.insert(at, value)
            expected.insert(at, value)
        elif expected:
            grown.remove(at % len(expected))
            del expected[at % len(expected)]

    assert grown.rows.tolist() == expected
    assert len(grown) == len(expected)


def test_rows_may_be_wide_and_are_written_in_place() -> None:
    grown: Growing[np.int8] = Growing(np.int8, 3)
    for _ in range(40):
        grown.append(1)
    grown.rows[39] = (4, 5, 6)

    assert grown.rows.shape == (40, 3)
    assert grown.rows[39].tolist() == [4, 5, 6]
    assert grown.nbytes >= 120
