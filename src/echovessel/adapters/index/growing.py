"""An array that can be appended to."""

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
        if self._size == len(self._kept):
            self._kept = np.concatenate([self._kept, np.zeros_like(self._kept)])
        self._kept[self._size] = row
        self._size += 1

    def insert(self, place: int, row: Any) -> None:
        """Add one row before `place`: moves everything behind it."""
        self.append(row)
        self._kept[place + 1 : self._size] = self._kept[place : self._size - 1]
        self._kept[place] = row

    def remove(self, place: int) -> None:
        """Take out the row at `place`: moves everything behind it."""
        self._kept[place : self._size - 1] = self._kept[place + 1 : self._size]
        self._size -= 1
