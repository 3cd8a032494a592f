"""`echovessel export`, and `import` of what it made."""

import zipfile
from pathlib import Path

import pytest

from tests.rooms.runtime.commands.conftest import Command
from tests.rooms.runtime.commands.test_imports import HISTORY, history

__all__ = ["HISTORY", "history"]


@pytest.fixture
def talked(command: Command, history: Path) -> Command:
    """A home in which two messages were said with Mira."""
    command("persona", "new", "Mira")
    command("import", str(history), "--me", "Ann")
    return command


def test_what_was_exported_is_imported_elsewhere_once(
    talked: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "mira.zip"
    assert talked("export", "--out", str(out), "--json").json["messages"] == 2
    before = talked("memory", "list").out
    assert out.stat().st_mode & 0o777 == 0o600

    monkeypatch.setenv("ECHOVESSEL_HOME", str(tmp_path / "elsewhere"))
    talked("persona", "new", "Mira")
    assert talked("import", str(out), "--json").json["added"] == 2
    assert talked("memory", "list").out == before
    assert talked("import", str(out), "--json").json == {
        "added": 0,
        "already_there": 2,
        "refused": [],
        "first_at": "2024-05-01T10:00:00.000Z",
        "last_at": "2024-05-01T10:01:00.000Z",
    }


def test_an_existing_file_is_not_written_over(talked: Command, tmp_path: Path) -> None:
    (tmp_path / "mira.zip").write_text("mine")

    refused = talked("export", "--out", str(tmp_path / "mira.zip"))

    assert (refused.status, "already" in refused.err) == (2, True)
    assert (tmp_path / "mira.zip").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "file"), [("../../etc/x", "etc-x.zip"), ("黄 逸扬", "黄-逸扬.zip"), ("...", "persona.zip")]
)
def test_a_file_is_named_after_the_persona_and_stays_here(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    command("persona", "new", name)

    command("export")

    assert [path.name for path in (tmp_path / "here").iterdir()] == [file]


def test_an_unknown_persona_makes_no_file(talked: Command, tmp_path: Path) -> None:
    assert talked("export", "--persona", "Nobody", "--out", str(tmp_path / "x.zip")).status != 0
    assert not (tmp_path / "x.zip").exists()


def test_another_zip_is_told_with_status_2(talked: Command, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("holiday.txt", "x")

    refused = talked("import", str(tmp_path / "x.zip"))

    assert (refused.status, "messages.jsonl" in refused.err) == (2, True)
