"""A second vector for each message without storing or embedding one: of it and the two messages before it.

    passage = u₀ + 0.7·u₁ + 0.4·u₂        u: unit vectors, of the message, the one before it, the one before that

Its cosine with a question is the same weighted sum of the three cosines, divided by its length; so that only the products of
neighbours, from which the length follows, are kept.
"""

import numpy as np

from echovessel.adapters.index.growing import Growing
from echovessel.adapters.index.vectors import UnitVectors
from echovessel.memory.scoring import Column, Mask, Rows

BEFORE = (np.float32(0.7), np.float32(0.4))
"""What the message before, and the one before that, count."""
_AT_ONCE = 1024


class Passages:
    """Rows are those of `vectors`; a row whose neighbours or vector changed is measured anew at the next question."""

    def __init__(self, vectors: UnitVectors) -> None:
        self._vectors = vectors
        self._products: Growing[np.float32] = Growing(np.float32, len(BEFORE))
        self._changed: Growing[np.bool_] = Growing(np.bool_)

    @property
    def nbytes(self) -> int:
        """Memory in use."""
        return self._products.nbytes + self._changed.nbytes

    def extend(self, rows: int) -> None:
        """Add the next rows."""
        self._products.extend(np.zeros((rows, len(BEFORE)), np.float32))
        self._changed.extend(np.ones(rows, np.bool_))

    def changed(self, rows: Rows) -> None:
        """These rows have another vector, or other messages before them."""
        self._changed.rows[rows] = True

    def cosines(self, cosine: Column, order: Rows, session: Rows) -> Column:
        """With the question, shape (n,), from the messages' own `cosine`; all of them in timeline order."""
        self._measure(order)
        together = _together(session)
        products = self._products.rows[order]
        known = self._vectors.known[order]
        summed, square = cosine.copy(), known.astype(np.float32)
        for step, (share, same) in enumerate(zip(BEFORE, together, strict=True), start=1):
            summed[step:] += share * cosine[:-step] * same
            square[step:] += (share * share * known[:-step] + 2 * share * products[step:, step - 1]) * same
        both = BEFORE[0] * BEFORE[1]
        square[2:] += 2 * both * products[1:-1, 0] * together[1]
        return np.where(known, summed / np.sqrt(np.maximum(square, np.float32(0.05))), np.float32(0))

    def _measure(self, order: Rows) -> None:
        """The products of those that changed, and of the two behind each, whose neighbours they are."""
        changed = self._changed.rows[order]
        places = np.flatnonzero(changed | _shifted(changed, 1) | _shifted(changed, 2))
        for start in range(0, len(places), _AT_ONCE):
            here = places[start : start + _AT_ONCE]
            for step in (1, 2):
                some = here[here >= step]
                self._products.rows[order[some], step - 1] = self._vectors.products(order[some], order[some - step])
        self._changed.rows[:] = False


def _together(session: Rows) -> tuple[Mask, Mask]:
    """Whether each message, from the second and from the third on, is of one session with the one so many before it."""
    return session[1:] == session[:-1], session[2:] == session[:-2]


def _shifted(mask: Mask, steps: int) -> Mask:
    found = np.zeros_like(mask)
    found[steps:] = mask[:-steps]
    return found
