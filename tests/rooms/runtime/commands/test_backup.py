"""`echovessel backup` and `echovessel restore`."""

import json
import os
from pathlib import Path

import pytest
import typer

from echovessel.adapters.home import Daemon, Home, HomeLock
from tests.rooms.runtime.commands.conftest import Command


@pytest.fixture
def mira(command: Command) -> Command:
    """A home with one persona in it."""
    command("persona", "new", "Mira")
    return command


def personas(command: Command) -> list[str]:
    return [p["name"] for p in command("persona", "list", "--json").json["items"]]


def test_one_is_made_listed_and_removed(mira: Command) -> None:
    made = mira("backup", "--json").json

    assert (Path(made["path"]) / "memory.db").is_file()
    assert mira("backup", "list", "--json").json["items"][0]["id"] == made["id"]
    assert made["id"] in mira("backup", "list").out
    assert mira("backup", "remove", made["id"]).status == 0
    assert "No backup yet" in mira("backup", "list").out


@pytest.mark.parametrize("name", ["../memory.db", "", ".", "/etc", "20260101T000000Z-asked"])
def test_what_is_no_backup_is_said_to_be_none(mira: Command, name: str) -> None:
    refused = mira("backup", "remove", name)

    assert (refused.status, "There is no such backup." in refused.err) == (1, True)


def test_one_is_put_elsewhere_and_none_stays(mira: Command, tmp_path: Path) -> None:
    made = mira("backup", "--to", str(tmp_path / "disk"), "--json").json

    assert Path(made["path"]).parent == tmp_path / "disk"
    assert (Path(made["path"]) / "memory.db").is_file()
    assert mira("backup", "list", "--json").json["items"] == []


def test_none_is_made_for_a_disk_that_is_not_there(mira: Command, tmp_path: Path) -> None:
    refused = mira("backup", "--to", str(tmp_path / "usb" / "copies"))

    assert (refused.status, "plugged in" in refused.err) == (2, True)
    assert not (tmp_path / "usb").exists()
    assert mira("backup", "list", "--json").json["items"] == []


def test_what_is_wrong_with_one_is_listed(mira: Command) -> None:
    made = mira("backup", "--json").json
    (Path(made["path"]) / "manifest.json").unlink()

    assert "Not to be relied on" in mira("backup", "list").out


def test_with_a_damaged_database_they_are_listed_and_one_comes_back(mira: Command, home: Path) -> None:
    made = mira("backup", "--json").json
    (home / "memory.db").write_bytes(b"no database at all" * 500)

    listed = mira("backup", "list")

    assert (listed.status, made["id"] in listed.out, "damaged" in listed.out) == (0, True, True)
    assert mira("backup", "list", "--json").json["items"][0]["id"] == made["id"]
    assert mira("restore", made["id"], "--yes").status == 0
    assert personas(mira) == ["Mira"]


def test_a_backup_comes_back_and_what_was_there_is_kept(mira: Command) -> None:
    made = mira("backup", "--json").json
    mira("persona", "new", "Later")

    restored = mira("restore", made["id"], "--yes", "--json").json

    assert personas(mira) == ["Mira"]
    assert mira("restore", restored["kept"], "--yes").status == 0
    assert personas(mira) == ["Mira", "Later"]


def test_nothing_is_replaced_without_a_word(mira: Command, home: Path) -> None:
    made = mira("backup", "--json").json
    before = (home / "memory.db").read_bytes()

    refused = mira("restore", made["id"])

    assert (refused.status, "--yes" in refused.err) == (2, True)
    assert (home / "memory.db").read_bytes() == before


@pytest.mark.parametrize("answer", [True, False])
def test_at_a_terminal_it_is_asked(mira: Command, monkeypatch: pytest.MonkeyPatch, answer: bool) -> None:
    made = mira("backup", "--json").json
    mira("persona", "new", "Later")
    asked: list[str] = []

    def confirm(text: str, *, abort: bool) -> bool:
        asked.append(text)
        if abort and not answer:
            raise typer.Abort
        return answer

    monkeypatch.setattr(typer, "confirm", confirm)
    monkeypatch.setattr("echovessel.runtime.commands.backup.is_terminal", lambda: True)
    done = mira("restore", made["id"])

    assert (done.status, len(asked), "kept as a backup" in asked[0]) == (0 if answer else 1, 1, True)
    assert personas(mira) == (["Mira"] if answer else ["Mira", "Later"])


def test_while_it_runs_it_says_how_to_stop_it(mira: Command, home: Path) -> None:
    made = mira("backup", "--json").json
    with HomeLock(Home(home)) as lock:
        lock.publish(Daemon(url="http://127.0.0.1:1", pid=os.getpid()))
        refused = mira("restore", made["id"], "--yes", "--json")

    told = json.loads(refused.err)["error"]
    assert (refused.status, told["code"], f"kill {os.getpid()}" in told["do"]) == (1, "conflict", True)


def test_what_is_no_backup_is_told_with_status_2(mira: Command, tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"garbage" * 100)

    assert mira("restore", "nothing", "--yes").status == 2
    refused = mira("restore", str(tmp_path / "x.db"), "--yes")

    assert (refused.status, "cannot be used" in refused.err) == (2, True)
    assert personas(mira) == ["Mira"]


def test_where_there_is_no_backup_no_home_is_made(command: Command, home: Path) -> None:
    refused = command("restore", "nothing", "--yes")

    assert (refused.status, "no backup called" in refused.err, home.exists()) == (2, True, False)


def test_a_backup_from_elsewhere_makes_a_home(mira: Command, home: Path, tmp_path: Path) -> None:
    made = mira("backup", "--to", str(tmp_path / "disk"), "--json").json
    home.rename(tmp_path / "old machine")

    assert mira("restore", made["path"]).status == 0
    assert personas(mira) == ["Mira"]


def test_a_server_s_data_is_restored_by_its_own_tools(mira: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHOVESSEL_DATABASE__URL", "postgresql://ada:s3cret@localhost/vessel")

    told = mira("restore", "x")

    assert "pg_restore" in told.err
    assert "s3cret" not in told.err


@pytest.mark.postgres
def test_with_a_server_the_command_for_it_is_told_and_an_export_works(
    command: Command, monkeypatch: pytest.MonkeyPatch, postgres_url: str, tmp_path: Path
) -> None:
    monkeypatch.setenv("ECHOVESSEL_DATABASE__URL", postgres_url)
    command("persona", "new", "Mira")

    told = command("backup")

    assert (told.status, "pg_dump" in told.err) == (1, True)
    assert command("backup", "list").out.startswith("A server keeps the data")
    assert command("export", "--out", str(tmp_path / "mira.zip"), "--json").json["messages"] == 0
