"""How long a second start takes to answer /readyz, and what the idle program holds.

Limits: at most 1.5 s of CPU, below 2 s on an idle machine, at most 200 MB when idle. Run it on a quiet machine:
`python bench/startup.py [HOME]`; HOME is a folder to start on, else a new one that is started once before.
"""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

import psutil

if TYPE_CHECKING:
    from collections.abc import Generator

STARTS = 5
GIVE_UP_SECONDS = 60.0
IDLE_SECONDS = 5.0


def main() -> None:
    """Start the program some times and print the medians."""
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(temporary) / "home"
        with started(home):
            pass
        cpu, wall, idle = zip(*(measure(home) for _ in range(STARTS)), strict=True)
    print("| measure | median | worst | limit |\n|---|---|---|---|")
    print(f"| CPU seconds to /readyz | {statistics.median(cpu):.2f} | {max(cpu):.2f} | 1.5 |")
    print(f"| seconds to /readyz | {statistics.median(wall):.2f} | {max(wall):.2f} | 2 |")
    print(f"| idle memory, MB | {statistics.median(idle):.0f} | {max(idle):.0f} | 200 |")


def measure(home: Path) -> tuple[float, float, float]:
    """CPU seconds and seconds from the start to /readyz, and the megabytes held after some idle seconds."""
    begun = time.perf_counter()
    with started(home) as process:
        wall = time.perf_counter() - begun
        spent = process.cpu_times()
        time.sleep(IDLE_SECONDS)
        return spent.user + spent.system, wall, process.memory_info().rss / 1e6


@contextmanager
def started(home: Path) -> "Generator[psutil.Process]":
    """A daemon on `home` that has answered /readyz; terminated at the end."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("echovessel")), "run", "--no-browser", "--port", str(port)]
    with subprocess.Popen(
        command,
        env=environment(home),
        stdout=subprocess.DEVNULL,
    ) as daemon:
        try:
            wait_until_ready(f"http://127.0.0.1:{port}/readyz", daemon)
            yield psutil.Process(daemon.pid)
        finally:
            daemon.terminate()


def environment(home: Path) -> dict[str, str]:
    """What a user's shell hands on: their home, and nothing that keeps Python from caching its bytecode."""
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, "ECHOVESSEL_HOME": str(home)}


def wait_until_ready(url: str, daemon: "subprocess.Popen[bytes]") -> None:
    """Ask until the answer is 200."""
    deadline = time.perf_counter() + GIVE_UP_SECONDS
    while time.perf_counter() < deadline and daemon.poll() is None:
        try:
            with urlopen(url, timeout=1) as answer:
                if answer.status == 200:
                    return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.02)
    message = f"{url} did not become ready"
    raise SystemExit(message)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
