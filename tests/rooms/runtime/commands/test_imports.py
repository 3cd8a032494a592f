"""`echovessel import`."""

import json
from pathlib import Path

import pytest

from tests.rooms.runtime.commands.conftest import Command

HISTORY = {
    "conv_id": "c1",
    "speakers": ["Ann", "Mira"],
    "sessions": [
        {
            "turns": [
                {"turn_id": "t1", "speaker": "Ann", "at": "2024-05-01T10:00:00", "text": "I planted tomatoes."},
                {"turn_id": "t2", "speaker": "Mira", "at": "2024-05-01T10:01:00", "text": "Red ones?"},
            ],
        }
    ],
}


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "history.jsonl"
    path.write_text(json.dumps(HISTORY) + "\n")
    return path


def test_history_is_looked_at_taken_in_and_never_twice(command: Command, history: Path) -> None:
    command("persona", "new", "Mira")

    tried = command("import", str(history), "--me", "Ann", "--dry-run")
    assert "2 messages would be added" in tried.out
    assert command("memory", "list").out == ""

    assert command("import", str(history), "--me", "Ann", "--json").json["added"] == 2
    assert "0 messages added, 2 were there already." in command("import", str(history), "--me", "Ann").out
    assert "2024-05-01" in command("memory", "list").out


def test_a_file_that_is_not_there_is_told_with_status_2(command: Command, tmp_path: Path) -> None:
    done = command("import", str(tmp_path / "none.jsonl"))

    assert done.status == 2
    assert "none.jsonl" in done.err


def test_a_file_of_something_else_is_told_with_status_2(command: Command, tmp_path: Path) -> None:
    command("persona", "new", "Mira")
    (tmp_path / "x.jsonl").write_text("not json\n")

    done = command("import", str(tmp_path / "x.jsonl"), "--me", "Ann")

    assert done.status == 2
    assert "Traceback" not in done.err
