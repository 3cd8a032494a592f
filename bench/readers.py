"""What many open pages cost: one history is imported, and one reply streamed, while nobody and while many follow the events.

Run it on a quiet machine: `python bench/readers.py [READERS]`. The daemon is a process of its own; CPU is that process's.
"""

import json
import selectors
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from echovessel.testing import model_scripts
from echovessel.testing.model_server import ModelServer
from tests.support.daemon import Daemon, running

READERS = 50
MESSAGES = 2_000
A_CONVERSATION = 20
PIECES = 500


def main() -> None:
    """Measure without readers and with them, and print both."""
    many = int(sys.argv[1]) if len(sys.argv) > 1 else READERS
    print(
        f"| readers | import of {MESSAGES:,} messages, s | CPU, s | reply of {PIECES} pieces, CPU, s |\n|---|---|---|---|"
    )
    for readers in (0, many):
        with tempfile.TemporaryDirectory() as folder:
            imported, cpu, reply = measure(Path(folder), readers)
        print(f"| {readers} | {imported:.1f} | {cpu:.1f} | {reply:.1f} |")


def measure(folder: Path, readers: int) -> tuple[float, float, float]:
    """Seconds and CPU seconds of an import until every reader was told all of it, and CPU seconds of one streamed reply."""
    words = model_scripts.says("word " * PIECES, size=5, pause=0.005)
    with ModelServer(idle=words) as model:
        settings = {"embedder.name": "none", "turn.debounce_s": 0, "llm.base_url": model.base_url, "llm.model": "m"}
        for daemon in running(folder / "home", **settings):
            assert daemon.process is not None
            process = psutil.Process(daemon.process.pid)
            persona = daemon.call("POST", "/api/v1/personas", {"name": "Ines"})["id"]
            with following(daemon, readers) as told:
                begun, before = time.monotonic(), _cpu(process)
                daemon.call("POST", f"/api/v1/personas/{persona}/imports?me=me", _history(), timeout=600)
                while min(told, default=MESSAGES) < MESSAGES:
                    time.sleep(0.02)
                imported, cpu = time.monotonic() - begun, _cpu(process) - before
                before = _cpu(process)
                turn = daemon.call("POST", f"/api/v1/personas/{persona}/messages", {"text": "Go on"})["turn_id"]
                while daemon.call("GET", f"/api/v1/turns/{turn}")["state"] in ("open", "running"):
                    time.sleep(0.1)
                return imported, cpu, _cpu(process) - before
    raise AssertionError("the daemon never ran")


def _cpu(process: psutil.Process) -> float:
    spent = process.cpu_times()
    return spent.user + spent.system


def _history() -> bytes:
    def line(number: int) -> str:
        turns = [
            {
                "turn_id": str(place),
                "speaker": "me" if place % 2 else "Ines",
                "at": f"2026-01-{number % 28 + 1:02}T10:{place:02}:00Z",
                "text": f"some words of conversation {number}, place {place}",
            }
            for place in range(A_CONVERSATION)
        ]
        return json.dumps({"conv_id": str(number), "sessions": [{"turns": turns}]})

    return "\n".join(map(line, range(MESSAGES // A_CONVERSATION))).encode()


@contextmanager
def following(daemon: Daemon, readers: int) -> Generator[list[int]]:
    """Open so many event streams; the list tells how many new messages each was told of."""
    told = [0] * readers
    over = threading.Event()
    with selectors.DefaultSelector() as streams:
        for number in range(readers):
            stream = socket.create_connection(("127.0.0.1", daemon.port))
            stream.sendall(
                f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\n"
                f"Authorization: Bearer {daemon.token}\r\n\r\n".encode()
            )
            stream.setblocking(False)
            streams.register(stream, selectors.EVENT_READ, number)

        def read() -> None:
            while not over.wait(0.005):
                for key, _ in streams.select(0.1):
                    told[key.data] += key.fileobj.recv(1 << 20).count(b"event: message.created")  # type: ignore[union-attr]

        reading = threading.Thread(target=read)
        reading.start()
        time.sleep(1)
        yield told
        over.set()
        reading.join()
        for key in list(streams.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]


if __name__ == "__main__":
    main()
