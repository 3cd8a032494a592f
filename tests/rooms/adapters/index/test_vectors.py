"""Eight bits a dimension answer as floats would."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from echovessel.adapters.index.vectors import UnitVectors
from echovessel.ports.embedder import Vectors


def units(raw: Vectors) -> Vectors:
    return raw / np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), 1e-9).astype(np.float32)


@given(arrays(np.float32, (7, 24), elements=st.floats(-1, 1, width=16)))
def test_cosines_are_right_to_two_places(raw: Vectors) -> None:
    rows = units(raw)
    held = UnitVectors(24)
    held.extend(7)
    held.put(np.arange(7), rows)

    assert np.allclose(held.cosines(rows[0]), rows @ rows[0], atol=0.02)


def test_more_rows_than_a_block_and_rows_without_a_vector() -> None:
    rows = units(np.cos(np.arange(600 * 16, dtype=np.float32)).reshape(600, 16))
    held = UnitVectors(16)
    held.extend(600)
    known = np.delete(np.arange(600), 300)
    held.put(known, rows[known])

    cosines = held.cosines(rows[555])

    assert cosines.argmax() == 555
    assert cosines[300] == 0
    assert held.known.sum() == 599


def test_a_zero_vector_is_no_vector() -> None:
    held = UnitVectors(4)
    held.extend(1)
    held.put(np.array([0]), np.zeros((1, 4), np.float32))

    assert not held.known.any()


def test_products_of_rows_are_their_cosines() -> None:
    rows = units(np.cos(np.arange(5 * 24, dtype=np.float32)).reshape(5, 24))
    held = UnitVectors(24)
    held.extend(6)
    held.put(np.arange(5), rows)

    products = held.products(np.array([0, 1, 5]), np.array([1, 3, 0]))

    assert np.allclose(products, [rows[0] @ rows[1], rows[1] @ rows[3], 0], atol=0.02)
