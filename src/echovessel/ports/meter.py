"""What is counted while the program runs, and read by `/metrics`: numbers alone, of nobody in particular.

Plain counters, so that counting costs next to nothing and needs no library. They begin anew with each start.
"""

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime

from echovessel.ports.changes import Applied, Change, FinishTurn, RecordCall

QUICK_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
"""Upper bounds for what the program does by itself."""
SLOW_S = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0, 600.0)
"""Upper bounds for what waits for a model."""


class Times:
    """How long something took, in seconds: a histogram. Used from the event loop only."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def took(self, seconds: float) -> None:
        """It was done once more, in so many seconds. What ends on a bound counts below it."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.sum += seconds


class Meter:
    """The counters of one process."""

    def __init__(self) -> None:
        self.turns: Counter[str] = Counter()
        """Turns that ended, by their state."""
        self.calls: Counter[tuple[str, str]] = Counter()
        """Model calls, by (profile, outcome)."""
        self.tokens: Counter[str] = Counter()
        """Tokens of model calls: `in` (with the cached ones), `cached_in`, `out`."""
        self.first_token = Times(SLOW_S)
        self.reply = Times(SLOW_S)
        self.recall = Times(QUICK_S)
        self.write = Times(QUICK_S)
        self.last_backup: datetime | None = None
        """When the newest sound backup was made, as of the last look; None when there was none, or no look yet."""
        self.commits = 0
        self.listeners = 0
        self._lock = threading.Lock()

    def committed(self) -> None:
        """The database committed once. Any thread may say so."""
        with self._lock:
            self.commits += 1

    def wrote(self, changes: Sequence[Change], applied: Applied, seconds: float) -> None:
        """A request to the store was done."""
        self.write.took(seconds)
        for change, outcome in zip(changes, applied.outcomes, strict=True):
            match change:
                case FinishTurn():
                    self.turns[change.state.value] += 1
                case RecordCall() if outcome.fresh:
                    self._called(change)
                case _:
                    pass

    @contextmanager
    def listening(self) -> Generator[None]:
        """Someone follows the feed for as long as the block lasts."""
        self.listeners += 1
        try:
            yield
        finally:
            self.listeners -= 1

    def _called(self, call: RecordCall) -> None:
        self.calls[call.profile, call.outcome] += 1
        self.tokens["in"] += call.tokens_in
        self.tokens["cached_in"] += call.cached_in
        self.tokens["out"] += call.tokens_out
