"""One process owns a home."""

import subprocess
import sys
from pathlib import Path

import pytest

from echovessel.adapters.home import Daemon, Home, HomeInUse, HomeLock

HOLD = """
import sys, pathlib
from echovessel.adapters.home import Home, HomeLock, Daemon
lock = HomeLock(Home(pathlib.Path(sys.argv[1])))
assert lock.acquire()
lock.publish(Daemon(url="http://127.0.0.1:1", pid=7))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_process_is_refused_and_told_who_owns_the_home(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        lock = HomeLock(Home(tmp_path))

        assert not lock.acquire()
        assert lock.holder() in {holder.pid, None}, "not every system tells"
        assert lock.owner() == Daemon(url="http://127.0.0.1:1", pid=7)
        with pytest.raises(HomeInUse, match="process 7"), lock:
            pass
        holder.kill()

    assert lock.acquire(), "a killed owner leaves nothing behind that keeps others out"
    assert lock.owner() is None, "its address is forgotten by the next owner"
    lock.release()


def test_a_released_home_is_free_and_has_no_address(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with HomeLock(home) as lock:
        lock.publish(Daemon(url="http://127.0.0.1:1", pid=1))
    with HomeLock(home) as again:
        assert again.owner() is None


def test_an_unreadable_address_is_no_address(tmp_path: Path) -> None:
    home = Home(tmp_path)
    lock = HomeLock(home)
    for text in ("", "{", "[]", '{"url": 1}'):
        home.daemon.write_text(text)
        assert lock.owner() is None


def test_only_the_owner_says_how_it_is_reached(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        HomeLock(Home(tmp_path)).publish(Daemon(url="", pid=0))
