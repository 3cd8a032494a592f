"""What signals ask of the daemon: to stop, or to read its settings again."""

import asyncio
import os
import signal
from collections.abc import Callable


class Signals:
    """Ctrl-C, `kill` and a closed terminal ask to stop, in place of an exception in the middle of something.

    SIGHUP means two things: the terminal was closed, or, as services are told, read your settings. With a terminal it is the
    former. Under nohup it is ignored, and stays so; Windows has none.
    """

    def __init__(self) -> None:
        self.stopping = asyncio.Event()
        """Set at each signal that asks to stop."""
        self.reload: Callable[[], None] = self._not_yet
        """Called when the settings are to be read again."""
        loop = asyncio.get_running_loop()

        def stop(*_: object) -> None:
            loop.call_soon_threadsafe(self.stopping.set)

        def hang_up(*_: object) -> None:
            loop.call_soon_threadsafe(self._read_again)

        _handle("SIGINT", stop)
        _handle("SIGTERM", stop)
        _handle("SIGHUP", stop if has_terminal() else hang_up)

    def _read_again(self) -> None:
        self.reload()

    def _not_yet(self) -> None:
        """They are just being read."""


def has_terminal() -> bool:
    """Whether a terminal's end would reach this process."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _handle(name: str, handler: Callable[..., None]) -> None:
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
        signal.signal(number, handler)
