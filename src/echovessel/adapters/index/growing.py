"""An array that can be appended to."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

S = TypeVar("S", bound=np.generic)


class Growing(Generic[S]):
    """Rows of one shape and type; capacity doubles when it is full."""

    def __init__(self, dtype: type[S], width: int | None = None) -> None:
        shape = (16,) if width is None else (16, width)
        self._kept: NDArray[S] = np.zeros(shape, dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def rows(self) -> NDArray[S]:
        """What was appended: a view, valid until the next append."""
        return self._kept[: self._size]

    @property
    def nbytes(self) -> int:
        """Bytes in use, the spare capacity included."""
        return self._kept.nbytes

    def append(self, row: Any) -> None:
        """Add one row at the end."""
        self._make_room(1)
        self._kept[self._size] = row
        self._size += 1

    def extend(self, rows: Sequence[Any] | NDArray[S]) -> None:
        """Add some rows at the end: one copy, where `append` makes one for each."""
        if len(rows):
            self._make_room(len(rows))
            self._kept[self._size : self._size + len(rows)] = rows
            self._size += len(rows)

    def insert(self, place: int, row: Any) -> None:
        """Add one row before `place`: moves everything behind it."""
        self.append(row)
        self._kept[place + 1 : self._size] = self._kept[place : self._size - 1]
        self._kept[place] = row

    def remove(self, place: int) -> None:
        """Take out the row at `place`: moves everything behind it."""
        self._kept[place : self._size - 1] = self._kept[place + 1 : self._size]
        self._size -= 1

    def _make_room(self, more: int) -> None:
        capacity = len(self._kept)
        while capacity < self._size + more:
            capacity *= 2
        if capacity > len(self._kept):
            grown = np.zeros((capacity, *self._kept.shape[1:]), self._kept.dtype)
            grown[: self._size] = self._kept[: self._size]
            self._kept = grown
