"""The times that messages name, read only from those that a question about a time looks at closely."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo

import numpy as np
from numpy.typing import NDArray

from echovessel.memory.scoring import Column
from echovessel.memory.time_expr import Mention, find

_TWO_DAYS_MS = np.float32(2 * 24 * 3600 * 1000)
_TOUCHES = 0.3
"""What it counts that two times meet, but are not about as long."""
_MOST_KEPT = 10_000

_Span = tuple[int, int]


class Moments:
    """What was read is kept, by row, as long as it is of one zone."""

    def __init__(self) -> None:
        self._zone: tzinfo = UTC
        self._read: dict[int, tuple[_Span, ...]] = {}

    def of(self, row: int, text: str, said_at: int, zone: tzinfo) -> tuple[_Span, ...]:
        """The times that a message names: milliseconds since 1970, half open. `said_at` likewise, `zone` of its speaker."""
        if zone != self._zone or len(self._read) > _MOST_KEPT:
            self._zone, self._read = zone, {}
        if (spans := self._read.get(row)) is None:
            at = datetime.fromtimestamp(said_at / 1000, zone)
            spans = self._read[row] = tuple(_span(mention) for mention in find(text, at))
        return spans


def nearness(said_at: NDArray[np.int64], asked: Sequence[Mention]) -> Column:
    """How near each message was said to a time asked about: 1 within it, 0.37 two days away from it; shape (n,).

    `said_at`: milliseconds since 1970.
    """
    near = np.zeros(len(said_at), np.float32)
    for since, until in map(_span, asked):
        away = np.maximum(np.maximum(since - said_at, said_at - (until - 1)), 0).astype(np.float32)
        near = np.maximum(near, np.exp(-away / _TWO_DAYS_MS))
    return near


def agreement(told: Sequence[_Span], asked: Sequence[Mention]) -> float:
    """How well a time that a message names fits one asked about: 1 the same, 0.3 they meet, 0 they do not."""
    return max((_agreement(each, _span(other)) for each in told for other in asked), default=0.0)


def _agreement(told: _Span, asked: _Span) -> float:
    shared = min(told[1], asked[1]) - max(told[0], asked[0])
    if shared <= 0:
        return 0.0
    lengths = (told[1] - told[0], asked[1] - asked[0])
    if 2 * shared < min(lengths):
        return _TOUCHES
    return 0.5 + 0.5 * shared / max(lengths)


def _span(mention: Mention) -> _Span:
    return int(mention.since.timestamp() * 1000), int(mention.until.timestamp() * 1000)
