"""Ctrl-C is raised, remembered until it is heard, and given back to whoever had it before."""

import signal
from contextlib import suppress

import pytest

from echovessel.channels.terminal import StopKey


def test_it_is_raised_at_once_and_again_until_it_is_heard() -> None:
    key = StopKey()
    before = signal.getsignal(signal.SIGINT)
    with key.watched():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            key.check()
        key.heard()
        key.check()

    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_is_lost_in_a_destructor_is_raised_by_the_next_check() -> None:
    class Gone:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    key = StopKey()
    with key.watched():
        gone = Gone()
        del gone

        with pytest.raises(KeyboardInterrupt):
            key.check()


def test_nothing_is_raised_while_nobody_presses() -> None:
    key = StopKey()
    with suppress(KeyboardInterrupt):
        key.press()
    key.heard()

    key.check()
