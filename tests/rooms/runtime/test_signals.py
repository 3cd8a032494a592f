"""A signal asks; nothing is broken off by it. Each is sent to a process of its own."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence

import pytest

ASKED = """
import asyncio, signal
from echovessel.runtime.signals import Signals

for ignored_by_whoever_runs_the_tests in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(ignored_by_whoever_runs_the_tests, signal.SIG_DFL)

async def main():
    signals = Signals()
    reloaded = asyncio.Event()
    signals.reload = reloaded.set
    print("listening", flush=True)
    waits = {asyncio.ensure_future(signals.stopping.wait()): "stop", asyncio.ensure_future(reloaded.wait()): "reload"}
    done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    print(*[waits[task] for task in done], flush=True)

asyncio.run(main())
"""


def _asked(name: str, command: Sequence[str] = ()) -> str:
    """What a process without a terminal was asked to do."""
    with subprocess.Popen(
        [*command, sys.executable, "-c", ASKED], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "listening\n"
        process.send_signal(getattr(signal, name))
        return process.stdout.readline().strip()


@pytest.mark.parametrize(("name", "asks"), [("SIGINT", "stop"), ("SIGTERM", "stop"), ("SIGHUP", "reload")])
def test_a_service_is_asked_to_stop_or_to_read_its_settings(name: str, asks: str) -> None:
    assert _asked(name) == asks


def test_a_terminal_that_is_closed_asks_to_stop() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", f"import os; os.login_tty({theirs}); exec({ASKED!r})"]
    with subprocess.Popen(command, pass_fds=[theirs]) as process, os.fdopen(ours) as terminal:
        os.close(theirs)
        assert terminal.readline().strip() == "listening"
        process.send_signal(signal.SIGHUP)
        assert terminal.readline().strip() == "stop"
