"""The daemon as one who operates it sees it: settings, disk, home and process are taken away under it, and given back."""

import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from echovessel.testing import model_scripts as model
from echovessel.testing.model_server import ModelServer
from tests.support.daemon import ROOT, Daemon, running

PATIENCE_S = 60.0
TALKS, LINES = 8, 10
"""Of the history that is imported."""
SHORTEST_LEASE_S = 5
"""The shortest that settings allow."""
WORDS = "It was a dark and stormy night, and the lamp had gone out. "


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(idle=model.says("I am here.")) as running:
        yield running


def settings(server: ModelServer) -> dict[str, object]:
    return {
        "turn.debounce_s": 0,
        "turn.draft_every_s": 0.2,
        "llm.base_url": server.base_url,
        "llm.model": "m",
        "llm.retries": 0,
        "embedder.name": "none",
    }


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, server: ModelServer) -> Iterator[Daemon]:
    """Shared: each test gives back what it took away."""
    yield from running(tmp_path_factory.mktemp("operation") / "home", **settings(server))


@pytest.fixture
def own_daemon(tmp_path: Path, server: ModelServer) -> Iterator[Daemon]:
    """One of the test's own. After an outage the loops wait longer before they try again: one outage a daemon."""
    yield from running(tmp_path / "home", **settings(server))


def until(true: Callable[[], Any], what: str) -> Any:
    """Wait for it; what it was when it became true."""
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        if found := true():
            return found
        time.sleep(0.1)
    raise AssertionError(f"in vain: {what}")


def persona(daemon: Daemon) -> str:
    return daemon.call("POST", "/api/v1/personas", {"name": "Mira"})["id"]


def say(daemon: Daemon, persona_id: str, text: str) -> str:
    """Say it; the turn's id."""
    return daemon.call("POST", f"/api/v1/personas/{persona_id}/messages", {"text": text})["turn_id"]


def ended(daemon: Daemon, turn_id: str) -> str:
    """How the turn ended."""

    def state() -> str:
        now = daemon.call("GET", f"/api/v1/turns/{turn_id}")["state"]
        return "" if now in {"open", "running"} else now

    return until(state, "the end of a turn")


def refused(daemon: Daemon, method: str, path: str, body: object) -> dict[str, Any]:
    """The problem that a request is answered with."""
    with pytest.raises(urllib.error.HTTPError) as answer:
        daemon.call(method, path, body)
    return json.loads(answer.value.read())


def ready(daemon: Daemon) -> str:
    """`ok`, or the code of what keeps it from being ready."""
    try:
        with urllib.request.urlopen(f"{daemon.url}/readyz", timeout=5) as answer:
            return json.load(answer)["status"]
    except urllib.error.HTTPError as problem:
        return json.loads(problem.read())["code"]


def budget(daemon: Daemon) -> int:
    return daemon.call("GET", "/api/v1/settings")["prompt"]["token_budget"]


def said(daemon: Daemon, persona_id: str) -> list[str]:
    return [m["text"] for m in daemon.timeline(persona_id) if m["speaker"] == "user"]


def numbers(daemon: Daemon) -> dict[str, float]:
    """Every metric, summed over its labels."""
    request = urllib.request.Request(f"{daemon.url}/metrics", headers={"Authorization": f"Bearer {daemon.token}"})
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        told = answer.read().decode()
    summed: defaultdict[str, float] = defaultdict(float)
    for family in text_string_to_metric_families(told):
        for sample in family.samples:
            summed[sample.name] += sample.value
    return summed


def test_numbers_of_a_daemon_at_work(daemon: Daemon) -> None:
    her, before = persona(daemon), numbers(daemon)
    assert ended(daemon, say(daemon, her, "hello")) == "done"

    until(lambda: numbers(daemon)["echovessel_turns_total"] == before["echovessel_turns_total"] + 1, "one more turn")
    after = numbers(daemon)
    assert after["echovessel_model_calls_total"] == before["echovessel_model_calls_total"] + 1
    assert after["echovessel_process_resident_memory_bytes"] > 10_000_000


def test_settings_that_are_edited_while_it_works(daemon: Daemon) -> None:
    her = persona(daemon)
    config = daemon.home / "config.toml"
    config.write_text("# mine\n[prompt]\ntoken_budget = 900 # small\n[server]\nport = 7070\n")
    until(lambda: budget(daemon) == 900, "an edit by hand")
    daemon.call("PATCH", "/api/v1/settings", {"prompt": {"history_share": 0.4}})
    assert "# mine" in config.read_text()
    assert "# small" in config.read_text()

    config.write_text("[prompt]\ntoken_budget = 'many'\n")
    assert daemon.process
    daemon.process.send_signal(signal.SIGHUP)
    (trouble,) = until(lambda: daemon.call("GET", "/api/v1/status")["troubles"], "a wrong edit being told")
    assert trouble["code"] == "config"
    assert "line 2" in trouble["message"]
    assert budget(daemon) == 900
    assert ended(daemon, say(daemon, her, "still there?")) == "done"

    config.write_text("")
    until(lambda: not daemon.call("GET", "/api/v1/status")["troubles"], "the file being right again")


def test_a_disk_without_room_is_told_and_lived_through(daemon: Daemon) -> None:
    her, lines = persona(daemon), len(daemon.log().splitlines())
    ended(daemon, say(daemon, her, "before"))
    assert daemon.process
    _, hard = resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (1, hard))

    messages = f"/api/v1/personas/{her}/messages"
    writes: list[tuple[str, str, object]] = [
        ("POST", messages, {"text": "lost"}),
        ("POST", "/api/v1/personas", {"name": "Nobody"}),
        ("PATCH", "/api/v1/me", {"name": "Lin"}),
        ("PATCH", "/api/v1/settings", {"prompt": {"token_budget": 900}}),
        ("PATCH", f"/api/v1/messages/{daemon.timeline(her)[0]['id']}", {"text": "lost"}),
        ("DELETE", f"/api/v1/messages/{daemon.timeline(her)[0]['id']}", None),
        ("POST", f"/api/v1/messages/{daemon.timeline(her)[1]['id']}/regenerate", None),
    ]
    for write in writes:
        problem = refused(daemon, *write)
        assert (problem["code"], problem["status"]) == ("disk-failing", 503), write
        assert problem["do"]
    assert ready(daemon) == "disk-failing"
    assert [t["code"] for t in daemon.call("GET", "/api/v1/status")["troubles"]] == ["disk-failing"]
    assert said(daemon, her) == ["before"]

    resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
    until(lambda: ready(daemon) == "ok", "being ready again")
    assert ended(daemon, say(daemon, her, "after")) == "done"
    assert said(daemon, her) == ["before", "after"]
    assert len(daemon.log().splitlines()) - lines < 30


def test_a_home_that_is_taken_away_takes_nothing_with_it(own_daemon: Daemon) -> None:
    daemon = own_daemon
    her = persona(daemon)
    ended(daemon, say(daemon, her, "before"))
    token, elsewhere = daemon.token, daemon.home.with_name("elsewhere")
    daemon.home.rename(elsewhere)

    request = urllib.request.Request(
        f"{daemon.url}/api/v1/personas/{her}/messages",
        data=b'{"text": "lost"}',
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with pytest.raises(urllib.error.HTTPError) as gone:
        urllib.request.urlopen(request)
    assert json.loads(gone.value.read())["code"] == "store-gone"
    assert ready(daemon) == "store-gone"

    elsewhere.rename(daemon.home)
    until(lambda: ready(daemon) == "ok", "being ready again")
    ended(daemon, say(daemon, her, "after"))
    assert said(daemon, her) == ["before", "after"]


def test_a_machine_that_sleeps_in_the_middle_of_a_reply_loses_and_doubles_nothing(
    daemon: Daemon, server: ModelServer
) -> None:
    config = daemon.home / "config.toml"
    config.write_text(f"[turn]\nlease_s = {SHORTEST_LEASE_S}\n[prompt]\ntoken_budget = 901\n")
    until(lambda: budget(daemon) == 901, "the settings being read")
    server.will(model.says(WORDS * 3, pause=0.05))
    her = persona(daemon)
    turn = say(daemon, her, "a story")
    until(lambda: daemon.call("GET", f"/api/v1/turns/{turn}")["draft"], "the first words")

    assert daemon.process
    daemon.process.send_signal(signal.SIGSTOP)
    time.sleep(SHORTEST_LEASE_S + 1)
    daemon.process.send_signal(signal.SIGCONT)

    assert ended(daemon, turn) in {"done", "failed"}
    (reply,) = [m for m in daemon.timeline(her) if m["speaker"] == "persona"]
    assert reply["text"]
    assert (WORDS * 3).startswith(reply["text"].strip())
    assert reply["state"] == "complete" or reply["trouble"]["do"]
    assert ended(daemon, say(daemon, her, "and then?")) == "done"
    assert said(daemon, her) == ["a story", "and then?"]
    config.write_text("")


def test_a_stop_lets_end_what_can_and_keeps_the_rest(tmp_path: Path, server: ModelServer) -> None:
    for daemon in running(tmp_path / "home", **settings(server) | {"embedder.name": "auto"}):
        _stop_in_the_middle_of_everything(daemon, server)


def _stop_in_the_middle_of_everything(daemon: Daemon, server: ModelServer) -> None:
    """At once: a reply being worded that would take minutes, an import, texts being embedded, a stream, half a request."""
    her = persona(daemon)
    server.will(model.says(WORDS * 40, pause=0.1))
    turn = say(daemon, her, "a long story")
    until(lambda: daemon.call("GET", f"/api/v1/turns/{turn}")["draft"], "the first words")
    history = "\n".join(_conversation(number) for number in range(TALKS)).encode()
    importing = threading.Thread(target=_try_to_import, args=(daemon, her, history))
    importing.start()
    stream = http.client.HTTPConnection("127.0.0.1", daemon.port)
    stream.request("GET", "/api/v1/events", headers={"Authorization": f"Bearer {daemon.token}"})
    half = socket.create_connection(("127.0.0.1", daemon.port))
    half.sendall(b"POST /api/v1/personas HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
    assert stream.getresponse().status == 200

    began = time.monotonic()
    assert daemon.stop() == 0
    assert time.monotonic() - began < 25
    importing.join()
    stream.close()
    half.close()

    daemon.start()
    assert ended(daemon, turn) == "failed"
    (reply,) = [m for m in daemon.timeline(her) if m["speaker"] == "persona" and m["turn_id"] == turn]
    assert reply["text"]
    assert reply["trouble"]["code"] == "interrupted"
    report = daemon.call("POST", f"/api/v1/personas/{her}/imports", history)
    assert report["added"] + report["already_there"] == TALKS * LINES
    until(lambda: daemon.call("GET", "/api/v1/status")["embedder"]["waiting"] == 0, "every text having its vector")
    assert len(daemon.timeline(her)) == 2 + TALKS * LINES


def _conversation(number: int) -> str:
    turns = [
        {
            "turn_id": f"{number}-{n}",
            "speaker": ("user", "Mira")[n % 2],
            "at": f"2024-01-{1 + number % 28:02}T{number % 24:02}:{n:02}:00Z",
            "text": f"line {n} of talk {number}",
        }
        for n in range(LINES)
    ]
    return json.dumps({"conv_id": f"c{number}", "sessions": [{"turns": turns}]})


def _try_to_import(daemon: Daemon, persona_id: str, history: bytes) -> None:
    try:
        daemon.call("POST", f"/api/v1/personas/{persona_id}/imports", history)
    except (OSError, http.client.HTTPException):
        return  # it was stopped in the middle of it


def test_of_two_that_start_at_once_one_serves_and_the_other_says_where(tmp_path: Path) -> None:
    both = [Daemon(tmp_path / "home") for _ in range(2)]
    command = [sys.executable, "-m", "echovessel", "run", "--no-browser", "--port"]
    started = [
        subprocess.Popen([*command, str(d.port)], env=d.environment(), stderr=subprocess.PIPE, text=True, cwd=ROOT)
        for d in both
    ]
    try:
        second = until(lambda: next((p for p in started if p.poll() is not None), None), "one of them giving way")
        assert second.returncode == 2
        owner = json.loads((tmp_path / "home" / "daemon.json").read_text())
        assert owner["pid"] == next(p.pid for p in started if p is not second)
        assert owner["url"] in (second.stderr.read() if second.stderr else "")
    finally:
        for process in started:
            process.kill()
            process.communicate()


def test_a_home_that_may_not_be_made_is_told_in_a_sentence(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    command = [sys.executable, "-m", "echovessel", "run", "--no-browser"]
    environment = Daemon(closed / "home").environment()

    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, cwd=ROOT, check=False, preexec_fn=_obey_permissions
    )

    assert done.returncode == 2
    assert "cannot be used: Permission denied" in done.stderr
    assert "ECHOVESSEL_HOME" in done.stderr
    assert "Traceback" not in done.stderr


def _obey_permissions() -> None:
    """Who is root is asked about permissions too: it gives up the right to pass them over (capabilities(7))."""
    if os.geteuid() == 0:
        import ctypes

        ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE
