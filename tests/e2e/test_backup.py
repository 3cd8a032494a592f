"""Backups as a user has them: made while people talk, killed in the middle, brought back, taken elsewhere."""

import json
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from tests.support.daemon import ROOT, Daemon, running

WRITERS = 8
SECRET = "qoxvathu"


def echovessel(daemon: Daemon, *arguments: str) -> Any:
    command = [sys.executable, "-m", "echovessel", *arguments, "--json"]
    done = subprocess.run(command, env=daemon.environment(), capture_output=True, text=True, cwd=ROOT, timeout=100)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def back_up(daemon: Daemon) -> Any:
    return daemon.call("POST", "/api/v1/backups", timeout=60)


def back_up_until_it_is_killed(daemon: Daemon) -> None:
    with suppress(OSError, HTTPException):
        back_up(daemon)


def say(daemon: Daemon, persona: str, text: str) -> str:
    return daemon.call("POST", f"/api/v1/personas/{persona}/messages", {"text": text})["message_id"]


def write(daemon: Daemon, persona: str, over: threading.Event, acknowledged: set[str]) -> None:
    while not over.is_set():
        acknowledged.add(say(daemon, persona, f"一件小事 {len(acknowledged)}"))


def written(daemon: Daemon, persona: str) -> list[Any]:
    """What was written here; on a slow machine the keeper may have answered."""
    return [message for message in daemon.timeline(persona) if message["speaker"] == "user"]


def test_a_talk_goes_on_while_it_is_backed_up_comes_back_and_moves(tmp_path: Path) -> None:
    daemon = Daemon(tmp_path / "home", **{"turn.debounce_s": 30, "embedder.name": "none"}).start()
    try:
        persona = daemon.call("POST", "/api/v1/personas", {"name": "小满", "locale": "zh"})["id"]
        secret = say(daemon, persona, SECRET)
        over, acknowledged = threading.Event(), set[str]()
        threads = [threading.Thread(target=write, args=(daemon, persona, over, acknowledged)) for _ in range(WRITERS)]
        for thread in threads:
            thread.start()
        while len(acknowledged) < 40:
            time.sleep(0.02)
        before = set(acknowledged)
        made = back_up(daemon)
        over.set()
        for thread in threads:
            thread.join(20)

        elsewhere = echovessel(daemon, "backup", "--to", str(tmp_path / "disk"))
        daemon.call("DELETE", f"/api/v1/messages/{secret}")
        until = time.monotonic() + 20
        while SECRET.encode() in (daemon.home / "backups" / made["id"] / "memory.db").read_bytes():
            assert time.monotonic() < until
            time.sleep(0.1)
        assert SECRET.encode() in (Path(elsewhere["path"]) / "memory.db").read_bytes(), "that one is out of reach"
        daemon.kill()

        restored = echovessel(daemon, "restore", elsewhere["path"], "--yes")
        assert SECRET.encode() not in (daemon.home / "memory.db").read_bytes()
        daemon.start()
        there = written(daemon, persona)
        assert before <= {message["id"] for message in there}
        assert secret not in {message["id"] for message in there}
        assert restored["messages"] >= len(there)
        assert restored["kept"]

        out = tmp_path / "talk.zip"
        assert echovessel(daemon, "export", "--out", str(out))["messages"] >= len(there)
        other = daemon.call("POST", "/api/v1/personas", {"name": "阿禾", "locale": "zh"})["id"]
        assert echovessel(daemon, "import", str(out), "--persona", "阿禾")["added"] == len(there)
        moved = written(daemon, other)
        assert [(m["text"], m["sent_at"]) for m in moved] == [(m["text"], m["sent_at"]) for m in there]
    finally:
        daemon.end()


def test_killed_while_it_backs_up_it_leaves_no_half_backup(tmp_path: Path) -> None:
    for daemon in running(tmp_path / "home", **{"turn.debounce_s": 30, "embedder.name": "none"}):
        persona = daemon.call("POST", "/api/v1/personas", {"name": "Wren"})["id"]
        turns = [
            {
                "turn_id": n,
                "speaker": "user",
                "at": f"2025-05-01T20:{n // 60 % 60:02}:{n % 60:02}Z",
                "text": "so " * 300,
            }
            for n in range(3000)
        ]
        line = json.dumps({"conv_id": "c", "sessions": [{"turns": turns}]}).encode()
        daemon.call("POST", f"/api/v1/personas/{persona}/imports", line, timeout=60)
        backups = daemon.home / "backups"
        asking = threading.Thread(target=back_up_until_it_is_killed, args=(daemon,))
        asking.start()
        until = time.monotonic() + 20
        while not list(backups.glob(".part-*/memory.db")):
            assert time.monotonic() < until
            time.sleep(0.001)
        daemon.kill()
        asking.join(30)
        assert [path.name[:6] for path in backups.iterdir()] == [".part-"]

        daemon.start()

        until = time.monotonic() + 20
        while list(backups.iterdir()):
            assert time.monotonic() < until
            time.sleep(0.05)
        assert back_up(daemon)["messages"] == 3000


FULL = """
import asyncio, resource, sys
from pathlib import Path
from echovessel.adapters.backup import FolderBackups
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import BackupFailed
from echovessel.ports.backups import Reason

home = Path(sys.argv[1])
limit = (home / "memory.db").stat().st_size // 2
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    asyncio.run(FolderBackups(home / "memory.db", lambda: home / "backups", SystemClock()).make(Reason.ASKED))
except BackupFailed as failed:
    print(failed.message, failed.do)
"""


def test_a_full_disk_is_told_and_nothing_stays(tmp_path: Path) -> None:
    for daemon in running(tmp_path / "home", **{"embedder.name": "none"}):
        daemon.call("POST", "/api/v1/personas", {"name": "Wren"})
        daemon.stop()
        command = [sys.executable, "-c", FULL, str(daemon.home)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60)

        assert "disk" in done.stdout, done.stderr
        assert "[backup]" in done.stdout
        assert list((daemon.home / "backups").iterdir()) == []
