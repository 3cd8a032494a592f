"""The daemon as a user runs it: a process of its own on a free port, with a home in a temporary folder."""

import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

START_TIMEOUT_S = 60.0
ROOT = Path(__file__).parents[2]


_asked = itertools.count(os.getpid() % 12 * 1000)  # processes that run tests beside each other begin far apart


def free_port() -> int:
    """A port that nobody listens on at this moment, and that this process was not given before.

    It lies below those that systems give to whoever wants any (Linux: from 32768), so nobody takes it from a program that is
    stopped and started again.
    """
    while True:
        port = 20_000 + next(_asked) % 12_000
        with socket.socket() as s, contextlib.suppress(OSError):
            s.bind(("127.0.0.1", port))
            return port


class Daemon:
    """One home and, while it runs, one process that owns it. `settings` are `{"llm.base_url": …}` by environment."""

    def __init__(self, home: Path, **settings: object) -> None:
        self.home = home
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.settings = settings
        self.process: subprocess.Popen[bytes] | None = None

    def environment(self) -> dict[str, str]:
        """What the process sees: this machine's environment, the home, and each setting as its variable."""
        named = {f"ECHOVESSEL_{key.replace('.', '__').upper()}": str(value) for key, value in self.settings.items()}
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("ECHOVESSEL_")}
        alone = {"ECHOVESSEL_NEARBY__PORTS": ""}  # what else runs on this machine is nobody's business in a test
        return inherited | {"ECHOVESSEL_HOME": str(self.home)} | alone | named

    def start(self) -> "Daemon":
        """Start it and wait until it is ready."""
        command = [sys.executable, "-m", "echovessel", "run", "--no-browser", "--port", str(self.port)]
        with (self.home.parent / f"{self.home.name}.log").open("ab") as log:
            self.process = subprocess.Popen(command, env=self.environment(), stdout=log, stderr=log, cwd=ROOT)
        until = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise RuntimeError(f"the daemon ended with {self.process.returncode}:\n{self.log()}")
            if self._ready():
                return self
            time.sleep(0.05)
        raise RuntimeError(f"the daemon was not ready in {START_TIMEOUT_S} s:\n{self.log()}")

    def _ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def kill(self) -> None:
        """`kill -9`: no chance to clean up."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end, as a service manager would; returns the exit code."""
        return self._end(signal.SIGTERM)

    def end(self) -> None:
        """Make sure that nothing of it runs."""
        if self.process is not None:
            self.kill()

    def _end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        code = self.process.wait(30)
        self.process = None
        return code

    def log(self) -> str:
        """Everything its processes printed."""
        return (self.home.parent / f"{self.home.name}.log").read_text(errors="replace")

    @property
    def token(self) -> str:
        """The owner's token."""
        return (self.home / "token").read_text().strip()

    def call(self, method: str, path: str, body: object = None, *, timeout: float = 30) -> Any:
        """One request with the owner's token; returns the decoded JSON, or None for an empty answer."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def timeline(self, persona_id: str) -> list[Any]:
        """Every message of the owner and this persona, oldest first."""
        messages: list[Any] = []
        path = f"/api/v1/personas/{persona_id}/messages?limit=100"
        page = self.call("GET", path)
        messages.extend(page["items"])
        while page["next"]:
            page = self.call("GET", f"{path}&before={page['next']}")
            messages.extend(page["items"])
        return messages[::-1]


def running(home: Path, **settings: object) -> Iterator[Daemon]:
    """A daemon for a fixture: started, and ended whatever happens."""
    daemon = Daemon(home, **settings).start()
    try:
        yield daemon
    finally:
        daemon.end()
