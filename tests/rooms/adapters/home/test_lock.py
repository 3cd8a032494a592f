"""One process owns a home."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from echovessel.adapters.home import Daemon, Home, HomeInUse, HomeLock
from echovessel.adapters.home import lock as lock_module
from tests.support.nearby import serving

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
    for text in ("", "{", "[]", '{"url": 1}', '{"url": 1, "pid": 1}', '{"url": "", "pid": "1"}'):
        home.daemon.write_text(text)
        assert lock.owner() is None


def test_only_the_owner_says_how_it_is_reached(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        HomeLock(Home(tmp_path)).publish(Daemon(url="", pid=0))


def test_a_lock_that_was_taken_away_lets_no_second_one_in_while_the_owner_answers(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with HomeLock(home) as first, serving({"GET /healthz": {"status": "ok"}}) as there:
        owner = Daemon(url=there.root, pid=os.getpid())
        first.publish(owner)
        home.lock.unlink()
        second = HomeLock(home)

        assert not second.acquire()
        with pytest.raises(HomeInUse, match=f"process {owner.pid}"), second:
            pass
        assert second.owner() == owner, "its address is still told"


def test_an_owner_that_takes_connections_and_is_too_busy_to_answer_still_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock_module, "_ANSWERS_WITHIN_S", 0.05)
    home = Home(tmp_path)
    with HomeLock(home) as first, socket.create_server(("127.0.0.1", 0)) as busy:
        first.publish(Daemon(url=f"http://127.0.0.1:{busy.getsockname()[1]}", pid=os.getpid()))
        home.lock.unlink()

        assert not HomeLock(home).acquire()


@pytest.mark.parametrize("pid", [pytest.param(os.getpid(), id="our own"), 0, -1, 2**80])
def test_what_a_killed_owner_left_keeps_nobody_out(tmp_path: Path, pid: int) -> None:
    home = Home(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    home.daemon.write_text(f'{{"url": "http://127.0.0.1:{port}", "pid": {pid}}}')

    with HomeLock(home) as lock:
        assert lock.owner() is None
