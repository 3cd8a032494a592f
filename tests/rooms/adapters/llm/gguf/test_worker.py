"""The worker as a process: one line in, one line out, and it never outlives who started it."""

import json
import subprocess
import sys
from pathlib import Path

from echovessel.adapters.llm.gguf.engine import WORKER
from echovessel.adapters.llm.gguf.worker import available_memory
from tests.support.gguf import smollm2

JOB = {
    "file": str(smollm2()),
    "name": "smollm2",
    "context_tokens": 256,
    "threads": 1,
    "key": "the key",
    "needed": 1,
    "embeds": False,
    "pools_itself": False,
}


def _started(*flags: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, *flags, str(WORKER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _asked(job: dict[str, object], *flags: str) -> dict[str, object]:
    with _started(*flags) as worker:
        out, _ = worker.communicate(json.dumps(job) + "\n", timeout=60)
    return json.loads(out)


def test_a_model_larger_than_the_memory_is_not_tried() -> None:
    answer = _asked({**JOB, "needed": 10**18})
    assert answer["failed"] == "too large"
    assert isinstance(answer["available"], int)
    assert 0 < answer["available"] < 10**18


def test_without_the_engine_it_says_so() -> None:
    assert _asked(dict(JOB), "-I", "-S") == {"failed": "no engine"}


def test_an_engine_that_does_not_load_says_why(tmp_path: Path) -> None:
    (tmp_path / "xllamacpp.py").write_text("raise ImportError('libsomething.so is missing')")
    worker = tmp_path / WORKER.name
    worker.write_text(WORKER.read_text())
    with subprocess.Popen(
        [sys.executable, str(worker)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as started:
        out, _ = started.communicate(json.dumps(JOB) + "\n", timeout=60)
    assert json.loads(out) == {"failed": "engine broken", "words": "libsomething.so is missing"}


def test_it_serves_until_its_stdin_ends_and_says_nothing_else() -> None:
    with _started() as worker:
        assert worker.stdin
        assert worker.stdout
        worker.stdin.write(json.dumps(JOB) + "\n")
        worker.stdin.flush()
        assert json.loads(worker.stdout.readline())["url"].startswith("http://127.0.0.1:")
        assert worker.poll() is None
        worker.stdin.close()
        assert worker.stdout.read() == ""
        assert worker.wait(30) == 0


def test_it_ends_when_whoever_started_it_was_gone_before_it_was_loaded() -> None:
    with _started() as worker:
        assert worker.stdin
        assert worker.stdout
        worker.stdin.write(json.dumps(JOB) + "\n")
        worker.stdin.close()
        worker.stdout.close()
        assert worker.wait(60) == 0


def test_the_memory_that_the_system_tells_is_in_bytes(tmp_path: Path) -> None:
    told = tmp_path / "meminfo"
    told.write_text("MemTotal:  100 kB\nMemFree:  1 kB\nMemAvailable:   30 kB\n")
    assert available_memory(told) == 30 * 1024
    told.write_text("MemTotal:  100 kB\n")
    assert available_memory(told) is None
    assert available_memory(tmp_path / "elsewhere") is None
