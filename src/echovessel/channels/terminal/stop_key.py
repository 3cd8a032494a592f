"""Ctrl-C that is not lost, wherever in a library it arrives."""

import signal
from collections.abc import Generator
from contextlib import contextmanager


class StopKey:
    """Ctrl-C raises KeyboardInterrupt, and is remembered until `heard`.

    Raised where Python can only print an exception (a destructor, a callback of C code), KeyboardInterrupt goes nowhere:
    https://docs.python.org/3/library/signal.html#note-on-signal-handlers-and-exceptions. `check` raises it again.
    """

    def __init__(self) -> None:
        self._pressed = False

    @contextmanager
    def watched(self) -> Generator[None]:
        """Remember each Ctrl-C meanwhile; in the main thread only."""
        before = signal.signal(signal.SIGINT, self.press)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def press(self, *_: object) -> None:
        """What Ctrl-C does."""
        self._pressed = True
        raise KeyboardInterrupt

    def heard(self) -> None:
        """It was acted upon."""
        self._pressed = False

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed and nobody has heard it."""
        if self._pressed:
            raise KeyboardInterrupt
