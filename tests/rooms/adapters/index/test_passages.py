"""The cosine of a passage is that of the weighted sum of its messages' vectors, whatever changed and in which order it came."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from echovessel.adapters.index.passages import BEFORE, Passages
from echovessel.adapters.index.vectors import UnitVectors
from echovessel.memory.scoring import Column, Rows
from echovessel.ports.embedder import Vectors

DIMENSION = 16


def unit(number: int) -> Vectors:
    raw = np.cos(np.arange(DIMENSION, dtype=np.float32) * np.float32(number + 1))
    return (raw / np.linalg.norm(raw)).astype(np.float32)


def by_hand(numbers: list[int | None], session: list[int], question: Vectors) -> list[float]:
    vectors = [np.zeros(DIMENSION, np.float32) if n is None else unit(n) for n in numbers]
    found: list[float] = []
    for place, number in enumerate(numbers):
        whole = vectors[place].copy()
        for step, share in enumerate(BEFORE, start=1):
            if place >= step and session[place - step] == session[place]:
                whole += share * vectors[place - step]
        found.append(0.0 if number is None else float(whole @ question / np.linalg.norm(whole)))
    return found


class Held:
    def __init__(self, numbers: list[int | None]) -> None:
        self.vectors = UnitVectors(DIMENSION)
        self.passages = Passages(self.vectors)
        self.add(numbers)

    def add(self, numbers: list[int | None]) -> None:
        first = len(self.vectors.known)
        self.vectors.extend(len(numbers))
        self.passages.extend(len(numbers))
        for row, number in enumerate(numbers, start=first):
            if number is not None:
                self.put(row, number)

    def put(self, row: int, number: int) -> None:
        self.vectors.put(np.array([row]), unit(number).reshape(1, -1))
        self.passages.changed(np.array([row]))

    def cosines(self, order: Rows, session: list[int], question: Vectors) -> Column:
        cosine = self.vectors.cosines(question)[order]
        return self.passages.cosines(cosine, order, np.array(session, np.intp))


NUMBERS = st.lists(st.one_of(st.none(), st.integers(0, 40)), max_size=12)


@given(NUMBERS, st.data())
def test_it_is_the_cosine_of_the_weighted_sum(numbers: list[int | None], data: st.DataObject) -> None:
    steps = data.draw(st.lists(st.integers(0, 1), min_size=len(numbers), max_size=len(numbers)))
    session = np.cumsum(steps).astype(int).tolist()

    found = Held(numbers).cosines(np.arange(len(numbers)), session, unit(99))

    assert np.allclose(found, by_hand(numbers, session, unit(99)), atol=0.05)


def test_a_vector_that_comes_later_and_a_message_in_between_are_seen() -> None:
    held = Held([1, None, 3])
    before = held.cosines(np.arange(3), [0, 0, 0], unit(99))

    held.put(1, 2)
    held.add([7])
    order = np.array([0, 3, 1, 2])  # the last one to come was said second
    held.passages.changed(order[1:2])

    assert np.allclose(held.cosines(order, [0] * 4, unit(99)), by_hand([1, 7, 2, 3], [0] * 4, unit(99)), atol=0.05)
    assert before[1] == 0
