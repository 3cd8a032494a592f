"""The command line in this process, on a home of the test's own."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from echovessel.runtime.cli import main


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Done]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ECHOVESSEL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ECHOVESSEL_EMBEDDER__NAME", "none")
    monkeypatch.setenv("ECHOVESSEL_NEARBY__PORTS", "")
    monkeypatch.setenv("ECHOVESSEL_TURN__DEBOUNCE_S", "0")
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    return tmp_path / "home"


@pytest.fixture
def command(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: str, stdin: str = "") -> Done:
        monkeypatch.setattr(sys, "argv", ["echovessel", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        status = 0
        try:
            main()
        except SystemExit as left:
            status = int(left.code or 0)
        out, err = capsys.readouterr()
        return Done(status, out, err)

    return run
