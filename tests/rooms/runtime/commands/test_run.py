"""`echovessel run`: what is told, and what keeps it from starting. Its life as a process is tested in tests/e2e."""

import socket
import webbrowser
from pathlib import Path

import pytest

from echovessel.adapters.home import Daemon, Home, HomeLock
from echovessel.runtime.commands import run
from tests.rooms.runtime.commands.conftest import Command


def test_a_second_daemon_is_refused_and_pointed_to_the_first(home: Path, command: Command) -> None:
    command("init")
    with HomeLock(Home(home)) as lock:
        lock.publish(Daemon(url="http://127.0.0.1:7777", pid=42))
        done = command("run", "--no-browser")

    assert done.status == 2
    assert "process 42 (http://127.0.0.1:7777)" in done.err


def test_a_port_in_use_is_told(command: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = command("run", "--no-browser", "--port", str(taken.getsockname()[1]))

    assert done.status == 2
    assert "--port" in done.err


def test_a_wrong_setting_is_told_with_its_line(home: Path, command: Command) -> None:
    command("init")
    (home / "config.toml").write_text("[server]\nport = 'x'\n")

    done = command("run", "--no-browser")

    assert done.status == 2
    assert "config.toml, line 2" in done.err


@pytest.mark.parametrize(("display", "opened"), [(":0", ["http://x"]), ("", [])])
def test_the_page_is_opened_only_where_there_is_a_screen(
    monkeypatch: pytest.MonkeyPatch, display: str, opened: list[str]
) -> None:
    pages: list[str] = []
    monkeypatch.setattr(webbrowser, "open", pages.append)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    run.open_page("http://x").join()

    assert pages == opened
