"""`echovessel export`, and `import` of what it made."""

import zipfile
from pathlib import Path

import pytest

from tests.rooms.runtime.commands.conftest import Command
from tests.rooms.runtime.commands.test_imports import HISTORY, history
from tests.support.cards import CARDS

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


def test_an_export_brings_its_persona_along_as_they_last_were(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "mira.zip"
    command("persona", "import", str(CARDS / "v2.json"))
    mira = command("persona", "show", "--json").json
    command("export", "--out", str(out))

    monkeypatch.setenv("ECHOVESSEL_HOME", str(tmp_path / "elsewhere"))
    command("persona", "new", "Somebody")
    told = command("import", str(out))

    assert (told.status, "Mira Vale is here now." in told.out) == (0, True)
    there = command("persona", "show", "Mira", "--json").json
    same = ("name", "tagline", "greetings", "examples", "locale", "card_format")
    assert [there.get(key) for key in same] == [mira.get(key) for key in same]
    words = [[(b["label"], b["text"]) for b in persona["core_blocks"]] for persona in (there, mira)]
    assert words[0] == words[1]
    command("import", str(out))
    assert len(command("persona", "list", "--json").json["items"]) == 2


def test_it_goes_to_nobody_whose_name_only_begins_alike_and_a_try_makes_nobody(
    talked: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "mira.zip"
    talked("export", "--out", str(out))

    monkeypatch.setenv("ECHOVESSEL_HOME", str(tmp_path / "elsewhere"))
    talked("persona", "new", "Miranda")

    assert "would be made" in talked("import", str(out), "--dry-run").err
    assert "no persona called Nobody" in talked("import", str(out), "--persona", "Nobody").err
    assert len(talked("persona", "list", "--json").json["items"]) == 1


def test_persona_import_knows_an_export(talked: Command, tmp_path: Path) -> None:
    talked("export", "--out", str(tmp_path / "mira.zip"))

    refused = talked("persona", "import", str(tmp_path / "mira.zip"))

    assert (refused.status, "echovessel import" in refused.err, "CHARX" in refused.err) == (2, True, False)
