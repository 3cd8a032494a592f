"""The command line as a whole: fast to answer, and no command or option without its words."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from echovessel import __version__
from echovessel.runtime.cli import cli

REFERENCE = Path(__file__).parents[3] / "docs" / "reference" / "cli.md"


def _commands(command: Any = None, path: str = "echovessel") -> Iterator[tuple[str, Any]]:
    command = command or get_command(cli)
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from _commands(below, f"{path} {name}")


@pytest.mark.parametrize(("path", "command"), list(_commands()), ids=lambda x: x if isinstance(x, str) else "")
def test_every_command_and_option_is_documented(path: str, command: Any) -> None:
    assert f"\n## {path}\n" in REFERENCE.read_text(encoding="utf-8"), "run `make fix` to renew docs/reference/cli.md"
    assert command.help, path
    assert [p.name for p in command.params if not getattr(p, "help", None)] == []


def test_the_commands_of_the_design_are_there() -> None:
    there = {path.removeprefix("echovessel ") for path, _ in _commands()}

    assert there >= {
        "run", "chat", "init", "import", "doctor", "persona new", "persona list", "persona show", "persona import",
        "persona take", "memory search", "memory list", "bench recall",
    }  # fmt: skip


def _python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_version_is_told_without_loading_the_program() -> None:
    code = (
        "import sys; sys.argv = ['echovessel', '--version']\n"
        "from echovessel.runtime.cli import main; main()\n"
        "print([m for m in ('pydantic', 'fastapi', 'sqlalchemy', 'numpy', 'rich', 'httpx2') if m in sys.modules])"
    )

    assert _python(code) == f"echovessel {__version__}\n[]\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["chta"], "Did you mean"), (["run", "--port", "many"], "--port"), (["memory"], "Usage:"), (["run", "-x"], "-x")],
)
def test_wrong_use_is_told_with_status_2(arguments: list[str], said: str) -> None:
    done = subprocess.run([sys.executable, "-m", "echovessel", *arguments], capture_output=True, text=True)

    assert done.returncode == 2
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def _echovessel(home: Path, *arguments: str | bytes, **how: Any) -> "subprocess.CompletedProcess[bytes]":
    environment = os.environ | {"ECHOVESSEL_HOME": str(home)}
    command = [sys.executable, "-m", "echovessel", *arguments]
    return subprocess.run(command, env=environment, stderr=subprocess.PIPE, timeout=60, check=False, **how)


@pytest.mark.parametrize("name", ["config.toml", "token", "lock", "daemon.json", "memory.db", "logs/echovessel.log"])
def test_a_home_with_a_folder_where_a_file_should_be_is_told_with_status_2(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir(parents=True)

    done = _echovessel(tmp_path, "run", "--no-browser", "--port", "1")

    assert done.returncode == 2
    assert name.rpartition("/")[2].encode() in done.stderr or b"The home" in done.stderr
    assert b"Traceback" not in done.stderr


def test_an_argument_that_is_not_text_is_told_with_status_2(tmp_path: Path) -> None:
    done = _echovessel(tmp_path, "persona", "new", b"\xff")

    assert (done.returncode, b"not UTF-8" in done.stderr) == (2, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_nobody_takes_is_told_with_status_1() -> None:
    with Path("/dev/full").open("wb") as full:
        done = _echovessel(Path(), "--version", stdout=full)

    assert (done.returncode, done.stderr.count(b"\n")) == (1, 2)
    assert b"could not be written" in done.stderr
