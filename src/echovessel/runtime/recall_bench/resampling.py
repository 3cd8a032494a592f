"""How far a figure might be off: bootstrap intervals, resampling the questions within each talk.

The dice are the bits of SHAKE-256, so that the same questions give the same interval in every run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import shake_256

import numpy as np
from numpy.typing import NDArray

DRAWS = 1000

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figure:
    """A share or mean of `n` things, with the interval that 95 % of the draws fall into; None where no draw had any."""

    value: float
    low: float
    high: float
    n: int


class Resampling:
    """Draws of the questions, each as many as its talk has. `talks`: the talk of each question."""

    def __init__(self, talks: Sequence[str]) -> None:
        self._times = np.zeros((DRAWS, len(talks)), np.float64)
        of_talk: dict[str, list[int]] = {}
        for place, talk in enumerate(talks):
            of_talk.setdefault(talk, []).append(place)
        for talk, places in of_talk.items():
            self._times[:, places] = _drawn(talk, len(places))

    def share(self, of: Values, among: Values) -> Figure | None:
        """The sum of `of` divided by the sum of `among`, each a value for each question; None when that is 0."""
        if not among.sum():
            return None
        low, high = _middle(self._times @ of, self._times @ among)
        return Figure(float(of.sum() / among.sum()), low, high, round(float(among.sum())))

    def ratio(self, upper: tuple[Values, Values], lower: tuple[Values, Values]) -> Figure | None:
        """One share divided by another, each as `share` takes it; None when that cannot be told. `n` counts the upper one."""
        (of, among), (of_lower, among_lower) = upper, lower
        if not (among.sum() and of_lower.sum()):
            return None
        value = (of.sum() / among.sum()) / (of_lower.sum() / among_lower.sum())
        draw = self._times
        low, high = _middle((draw @ of) * (draw @ among_lower), (draw @ among) * (draw @ of_lower))
        return Figure(float(value), low, high, round(float(among.sum())))


def _drawn(talk: str, size: int) -> Values:
    """How often each of `size` questions is drawn, shape (DRAWS, size)."""
    bits = np.frombuffer(shake_256(talk.encode()).digest(4 * DRAWS * size), np.uint32)
    picks = (bits % size).reshape(DRAWS, size) + np.arange(DRAWS)[:, None] * size
    return np.bincount(picks.ravel(), minlength=DRAWS * size).reshape(DRAWS, size).astype(np.float64)


def _middle(of: Values, among: Values) -> tuple[float, float]:
    """The interval of the quotients that can be told."""
    told = among > 0
    low, high = np.percentile(of[told] / among[told], [2.5, 97.5])
    return float(low), float(high)
