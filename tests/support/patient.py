"""A home with something wrong in it, and the commands that one would type: they run in this process, on this home."""

import io
import json
import shutil
import sqlite3
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from echovessel.ports.front import Check, Verdict
from echovessel.runtime.cli import main


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Patient:
    """One home; `settings` are set through the environment."""

    home: Path
    monkeypatch: pytest.MonkeyPatch

    def settings(self, **values: object) -> None:
        """Set each `section__key` by its environment variable."""
        for name, value in values.items():
            self.monkeypatch.setenv(f"ECHOVESSEL_{name.upper()}", str(value))

    def types(self, *arguments: str) -> Done:
        """Run a command."""
        self.monkeypatch.setattr(sys, "argv", ["echovessel", *arguments])
        self.monkeypatch.setattr(sys, "stdin", io.StringIO())
        out, err, status = io.StringIO(), io.StringIO(), 0
        with redirect_stdout(out), redirect_stderr(err):
            try:
                main()
            except SystemExit as left:
                status = int(left.code or 0)
        return Done(status, out.getvalue(), err.getvalue())

    def is_examined(self) -> dict[str, Check]:
        """What the doctor finds, by name. Its exit status says whether anything is broken."""
        done = self.types("doctor", "--json")
        items: list[dict[str, Any]] = json.loads(done.out)["items"]
        checks = [Check(**{**item, "verdict": Verdict(item["verdict"])}) for item in items]
        named = {check.name: check for check in checks}
        assert len(named) == len(checks), "each name stands once"
        assert done.status == any(check.verdict is Verdict.BROKEN for check in checks)
        assert all(bool(check.do) == (check.verdict is not Verdict.OK) for check in checks)
        return named

    def has(self, name: str, verdict: Verdict, found: str, do: str) -> Check:
        """Examine it: this check, and no other, is worse than a note; it says `found` and advises `do`."""
        checks = self.is_examined()
        check = checks[name]
        assert check.verdict is verdict, check
        assert found in check.found, check
        assert do in check.do, check
        broken = {other.name for other in checks.values() if other.verdict is Verdict.BROKEN}
        assert broken == ({name} if verdict is Verdict.BROKEN else set()), checks
        return check

    def is_well(self) -> None:
        """Examine it: nothing is broken."""
        broken = [check for check in self.is_examined().values() if check.verdict is Verdict.BROKEN]
        assert broken == []

    def config(self, text: str) -> None:
        """Write the settings file."""
        (self.home / "config.toml").write_text(text, encoding="utf-8")

    def in_database(self, statement: str, *values: object) -> None:
        """Change the database behind its owner's back."""
        with closing(sqlite3.connect(self.home / "memory.db")) as database:
            database.execute(statement, values)
            database.commit()

    def backup(self) -> Path:
        """A copy of the database, made while nothing runs."""
        copy = self.home.parent / "copy.db"
        shutil.copy2(self.home / "memory.db", copy)
        return copy
