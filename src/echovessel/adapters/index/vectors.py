"""The vector arm: unit vectors as 8-bit integers, one scale a row: nothing measurable is lost, in a quarter of the memory.

There is no float32 copy beside them: turning a block into floats inside the cache costs little more than reading four times
the bytes.
"""

import numpy as np

from echovessel.adapters.index.growing import Growing
from echovessel.memory.scoring import Column, Mask, Rows
from echovessel.ports.embedder import Vectors

_BLOCK = 256
_STEPS = np.float32(127)


class UnitVectors:
    """Rows are numbered in the order they are added; a row may get its vector later."""

    def __init__(self, dimension: int) -> None:
        self._steps: Growing[np.int8] = Growing(np.int8, dimension)
        self._scales: Growing[np.float32] = Growing(np.float32)

    @property
    def nbytes(self) -> int:
        """Memory in use."""
        return self._steps.nbytes + self._scales.nbytes

    @property
    def known(self) -> Mask:
        """Which rows have a vector that is not zero, shape (n,)."""
        return self._scales.rows > 0

    def extend(self, rows: int) -> None:
        """Add the next rows, without vectors yet."""
        self._steps.extend(np.zeros((rows, self._steps.rows.shape[1]), np.int8))
        self._scales.extend(np.zeros(rows, np.float32))

    def put(self, rows: Rows, units: Vectors) -> None:
        """Give some rows their vectors, shape (len(rows), dimension)."""
        largest = np.abs(units).max(axis=1)
        self._scales.rows[rows] = largest / _STEPS
        self._steps.rows[rows] = np.rint(units * (_STEPS / np.maximum(largest, np.float32(1e-9)))[:, np.newaxis])

    def cosines(self, unit: Vectors) -> Column:
        """With one unit vector, shape (n,); 0 where no vector is known."""
        steps = self._steps.rows
        products = np.empty(len(steps), np.float32)
        block = np.empty((_BLOCK, steps.shape[1]), np.float32)
        for start in range(0, len(steps), _BLOCK):
            part = steps[start : start + _BLOCK]
            floats = block[: len(part)]
            np.copyto(floats, part)
            np.dot(floats, unit, out=products[start : start + len(part)])
        return products * self._scales.rows

    def products(self, rows: Rows, others: Rows) -> Column:
        """The cosine of each row with the one at the same place of `others`; 0 where either has no vector."""
        found = np.einsum("ij,ij->i", self._steps.rows[rows], self._steps.rows[others], dtype=np.float32)
        return found * self._scales.rows[rows] * self._scales.rows[others]
