"""The command line as real processes: beside a running daemon, and alone."""

import json
import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from echovessel.testing.model_scripts import says
from echovessel.testing.model_server import ModelServer
from tests.support.daemon import ROOT, Daemon, running

QUICK: dict[str, object] = {"turn.debounce_s": 0, "embedder.name": "none"}

LISTEN = """
import sys, urllib.request
request = urllib.request.Request(sys.argv[1], headers={"Authorization": f"Bearer {sys.argv[2]}"})
for line in urllib.request.urlopen(request):
    print("heard", flush=True)
"""


def echovessel(home: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command on a home."""
    return subprocess.run(
        [sys.executable, "-m", "echovessel", *arguments],
        env=Daemon(home, **QUICK).environment(),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def daemon(home: Path) -> Iterator[Daemon]:
    yield from running(home, **QUICK)


def test_commands_talk_through_the_running_daemon_and_alone(home: Path) -> None:
    first = Daemon(home, **QUICK).start()
    made = first.call("POST", "/api/v1/personas", {"name": "小满", "locale": "zh"})

    said = echovessel(home, "chat", "--once", "早上好")
    assert (said.returncode, said.stderr) == (0, "")
    assert "小满" in said.stdout
    assert [m["text"] for m in first.timeline(made["id"]) if m["speaker"] == "user"] == ["早上好"]
    assert first.stop() == 0

    assert echovessel(home, "chat", "--once", "晚上好").returncode == 0
    listed = json.loads(echovessel(home, "memory", "list", "--json").stdout)["items"]
    assert [m["text"] for m in listed if m["speaker"] == "user"] == ["早上好", "晚上好"]


def test_a_second_daemon_is_refused_with_a_sentence(daemon: Daemon) -> None:
    second = echovessel(daemon.home, "run", "--no-browser")

    assert second.returncode == 2
    assert f"process {daemon.process.pid if daemon.process else 0} ({daemon.url})" in second.stderr
    assert len(second.stderr.splitlines()) == 2


def test_a_killed_daemon_keeps_nobody_out(home: Path) -> None:
    killed = Daemon(home, **QUICK).start()
    killed.kill()
    assert (home / "daemon.json").exists(), "it had no chance to clean up"

    assert echovessel(home, "persona", "list").returncode == 0
    again = Daemon(home, **QUICK).start()
    assert again.stop() == 0


def test_a_daemon_stops_within_seconds_though_a_page_listens(daemon: Daemon) -> None:
    command = [sys.executable, "-c", LISTEN, f"{daemon.url}/api/v1/events", daemon.token]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as listening:
        assert listening.stdout
        assert listening.stdout.readline() == b"heard\n"
        begun = time.monotonic()

        assert daemon.stop() == 0

        assert time.monotonic() - begun < 10
        assert listening.wait(10) == 0, "the stream ended cleanly"
    assert "Traceback" not in daemon.log()
    assert daemon.log().endswith("Stopped. Everything said is kept.\n")


def test_a_config_with_a_typo_names_its_line_and_the_right_word(home: Path) -> None:
    echovessel(home, "init")
    (home / "config.toml").write_text('# mine\n[llm]\nbase_ulr = "http://127.0.0.1:1/v1"\n')

    for arguments in (["run", "--no-browser"], ["persona", "list"], ["chat", "--once", "hi"]):
        done = echovessel(home, *arguments)
        assert done.returncode == 2
        assert "config.toml, line 3: [llm] has no setting called 'base_ulr'" in done.stderr
        assert "Did you mean 'base_url'?" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_damaged_database_is_refused_and_left_as_it_is(home: Path) -> None:
    echovessel(home, "persona", "new", "Mira")
    damaged = bytearray((home / "memory.db").read_bytes())
    damaged[4096:20000] = os.urandom(20000 - 4096)  # noqa: TID251 - any bytes do
    (home / "memory.db").write_bytes(damaged)

    done = echovessel(home, "run", "--no-browser")

    assert done.returncode == 2
    assert "damaged" in done.stderr
    assert len(done.stderr.splitlines()) == 2
    assert (home / "memory.db").read_bytes() == damaged


def test_a_newer_database_is_refused_and_left_as_it_is(home: Path) -> None:
    echovessel(home, "persona", "new", "Mira")
    with sqlite3.connect(home / "memory.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()

    for arguments in (["run", "--no-browser"], ["persona", "list"]):
        done = echovessel(home, *arguments)
        assert done.returncode == 2
        assert "newer version" in done.stderr
    doctor = json.loads(echovessel(home, "doctor", "--json").stdout)["items"]
    assert [c["name"] for c in doctor if c["verdict"] == "broken"] == ["database"]


def test_what_is_printed_for_programs_is_json_errors_too(daemon: Daemon) -> None:
    made = json.loads(echovessel(daemon.home, "persona", "new", "Mira", "--json").stdout)
    assert json.loads(echovessel(daemon.home, "persona", "list", "--json").stdout)["items"] == [made]
    for arguments in (["persona", "show"], ["memory", "list"], ["memory", "search", "x"], ["doctor"], ["init"]):
        assert isinstance(json.loads(echovessel(daemon.home, *arguments, "--json").stdout), dict), arguments

    refused = echovessel(daemon.home, "persona", "show", "Nobody", "--json")

    assert (refused.returncode, refused.stdout) == (1, "")
    assert json.loads(refused.stderr)["error"]["code"] == "not-found"


def test_the_token_never_reaches_the_log(daemon: Daemon) -> None:
    with urllib.request.urlopen(f"{daemon.url}/login?token={daemon.token}") as page:
        assert page.status == 200

    for log in (daemon.home / "logs").iterdir():
        assert daemon.token not in log.read_text()


def test_a_person_talks_in_a_terminal_and_stops_an_answer(home: Path) -> None:
    with ModelServer() as model:
        model.will(says("从前有座山，山里有座庙。" * 20, pause=0.05), says("早。"))
        echovessel(home, "persona", "new", "小满", "--locale", "zh")
        settings = {**QUICK, "llm.base_url": model.base_url, "llm.model": "scripted"}
        terminal = Terminal(["chat"], Daemon(home, **settings).environment())

        terminal.until("> ")
        terminal.type("讲个故事\n")
        terminal.until("从前有座山")
        terminal.interrupt()
        terminal.until("(stopping; once more to leave)")
        terminal.until("> ")
        terminal.type("早\n")
        terminal.until("小满: \x1b[0m早。")
        terminal.until("> ")
        terminal.type("\x04")

        assert terminal.ended() == 0


@pytest.mark.parametrize("model_answers", [True, False])
def test_where_help_is_is_shown_to_whoever_needs_it(home: Path, model_answers: bool) -> None:
    with ModelServer() as model:
        model.will(says("我在听。"), says("我在。"))
        echovessel(home, "persona", "new", "小满", "--locale", "zh")
        settings = {**QUICK, "llm.base_url": model.base_url, "llm.model": "scripted"} if model_answers else QUICK
        environment = Daemon(home, **settings).environment() | {"LC_ALL": "C.UTF-8"}

        command = [sys.executable, "-m", "echovessel", "chat", "--once", "我不想活了"]
        once = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, cwd=ROOT)
        terminal = Terminal(["chat"], environment)
        terminal.until("── EchoVessel, not 小满 ──")
        terminal.until("> ")
        terminal.type("我真的不想活了\n")
        terminal.until("── EchoVessel, not 小满 ──")
        terminal.until("120")
        terminal.until("小满: \x1b[0m我在。" if model_answers else "The keeper, not 小满: ")
        terminal.until("> ")
        terminal.type("\x04")

        assert terminal.ended() == 0
    notice, _, answer = once.stdout.partition("\n──\n")
    assert "12356" in notice
    assert answer == "我在听。\n" if model_answers else "程序" in answer


class Terminal:
    """A command in a terminal of 80 columns."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self._shown = ""
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            environment |= {"COLUMNS": "80", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
            environment.pop("NO_COLOR", None)
            os.execve(sys.executable, [sys.executable, "-m", "echovessel", *arguments], environment)

    def until(self, text: str) -> None:
        """Read until the terminal has shown `text`, after what was read before."""
        deadline = time.monotonic() + 30
        while text not in self._shown:
            assert time.monotonic() < deadline, f"{text!r} never came: {self._shown!r}"
            if select.select([self._terminal], [], [], 0.5)[0]:
                self._shown += os.read(self._terminal, 65536).decode("utf-8", "replace")
        self._shown = self._shown.partition(text)[2]

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._terminal, text.encode())

    def interrupt(self) -> None:
        """Ctrl-C."""
        os.write(self._terminal, b"\x03")

    def ended(self) -> int:
        """The exit status, once the command has ended; whatever it still shows is read away."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                os.close(self._terminal)
                return os.waitstatus_to_exitcode(status)
            if select.select([self._terminal], [], [], 0.1)[0]:
                try:
                    os.read(self._terminal, 65536)
                except OSError:
                    time.sleep(0.05)
        os.kill(self._pid, signal.SIGKILL)
        raise AssertionError("the command did not end")
