"""The daemon under test: a process of its own, asked over HTTP, looked at from outside."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Any

import httpx2
import psutil
from prometheus_client.parser import text_string_to_metric_families

START_S = 120.0
REQUEST_S = 120.0
KEEP_ALIVE_S = 2.0
"""Below the five seconds after which the daemon closes a connection that nobody uses: else both may act at once."""
INHERITED = ("PATH", "TZ", "LANG", "TMPDIR")


@dataclass(frozen=True, slots=True)
class Sample:
    """The process at one moment. `files_mb`: what of `rss_mb` are pages of files, such as the embedder's weights; `live`:
    messages on all timelines; `index_bytes`, `turns` and `waiting` (texts without a vector) as `/metrics` tells them."""

    minute: float
    rss_mb: float
    files_mb: float
    threads: int
    handles: int
    database_mb: float
    index_bytes: int
    turns: int
    waiting: int
    live: int
    cpu_s: float


class House:
    """One home and its daemon."""

    def __init__(self, folder: Path, settings: Mapping[str, object]) -> None:
        with socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.home = folder / "home"
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / "daemon.log"
        environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
        environment |= {f"ECHOVESSEL_{key.replace('.', '__').upper()}": str(value) for key, value in settings.items()}
        environment["ECHOVESSEL_HOME"] = str(self.home)
        program = shutil.which("echovessel", path=str(Path(sys.executable).parent))
        command = [program or "echovessel", "run", "--no-browser", "--port", str(port)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        self._seen = psutil.Process(self._process.pid)
        self._wait_until_ready()
        self.token = (self.home / "token").read_text().strip()

    def client(self) -> httpx2.Client:
        """A client of the API, with connections of its own."""
        headers = {"Authorization": f"Bearer {self.token}"}
        limits = httpx2.Limits(keepalive_expiry=KEEP_ALIVE_S)
        return httpx2.Client(base_url=self.url, headers=headers, timeout=REQUEST_S, limits=limits, trust_env=False)

    def sample(self, minute: float, live: int) -> Sample:
        """Look at the process."""
        with self.client() as client:
            told = client.get("/metrics").text
        values = {
            (s.name, s.labels.get("state", "")): s.value
            for f in text_string_to_metric_families(told)
            for s in f.samples
        }
        times, memory = self._seen.cpu_times(), self._seen.memory_info()
        return Sample(
            minute=minute,
            rss_mb=memory.rss / 1e6,
            files_mb=memory.shared / 1e6,
            threads=self._seen.num_threads(),
            handles=self._seen.num_fds(),
            database_mb=sum(file.stat().st_size for file in self.home.glob("memory.db*")) / 1e6,
            index_bytes=int(values["echovessel_index_bytes", ""]),
            turns=int(sum(v for (name, _), v in values.items() if name == "echovessel_turns_total")),
            waiting=int(values["echovessel_texts_without_vector", ""]),
            live=live,
            cpu_s=times.user + times.system,
        )

    def failures(self) -> Counter[str]:
        """What the daemon's log tells of errors: what failed, of which type, and the last place it passed."""
        told = Counter[str]()
        for file in (self.home / "logs").iterdir():
            for line in file.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                if entry["level"] == "error":
                    failure = entry.get("failure", {})
                    told[f"{entry['event']}: {failure.get('error')} at {failure.get('at', ['?'])[-1]}"] += 1
        return told

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        self._process.terminate()
        return self._process.wait(60)

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise RuntimeError(f"the daemon ended at once:\n{self.log.read_text()}")
            try:
                if httpx2.get(f"{self.url}/readyz", trust_env=False).is_success:
                    return
            except httpx2.TransportError:
                time.sleep(0.2)
        raise RuntimeError(f"the daemon was not ready in {START_S} s")


def decoded(answer: httpx2.Response) -> Any:
    """The JSON of an answer; None when it is empty."""
    return json.loads(answer.content) if answer.content else None
