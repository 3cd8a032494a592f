"""Backups appear and leave all at once, and what a killed process left is cleared away."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from echovessel.adapters.backup import folder as folders
from echovessel.adapters.backup.manifest import DATABASE, MANIFEST, Manifest, read_manifest
from echovessel.core.errors import BackupFailed, NotFound, StoreUnusable
from echovessel.ports.backups import Reason

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HELD = b"not really a database"


def made(folder: Path, at: datetime = AT, reason: Reason = Reason.AUTOMATIC) -> str:
    with folders.new_backup(folder, at, reason) as part:
        (part / DATABASE).write_bytes(HELD)
        said = Manifest(
            made_at=at, reason=reason, program="1", revision="0001", messages=0, bytes=len(HELD), sha256="ab"
        )
        folders.finish(part, said)
    return folders.kept_as(part).name


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_backup_is_for_its_owner_alone(tmp_path: Path) -> None:
    name = made(tmp_path / "backups")

    modes = {p.name: p.stat().st_mode & 0o777 for p in (tmp_path / "backups").rglob("*")}
    assert modes == {name: 0o700, "memory.db": 0o600, "manifest.json": 0o600}


def test_backups_are_listed_newest_first_and_two_of_one_second_are_two(tmp_path: Path) -> None:
    first, second, later = made(tmp_path), made(tmp_path), made(tmp_path, AT + timedelta(hours=1), Reason.ASKED)
    (tmp_path / "holiday pictures").mkdir()

    assert len({first, second, later}) == 3
    found = folders.backups_in(tmp_path)
    assert found[0].name == later
    assert {backup.name for backup in found[1:]} == {first, second}
    assert (found[0].reason, found[0].made_at, found[0].wrong) == (Reason.ASKED, AT + timedelta(hours=1), "")


def test_a_folder_that_is_not_there_holds_none(tmp_path: Path) -> None:
    assert folders.backups_in(tmp_path / "nowhere") == []


def test_what_fails_in_the_making_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), folders.new_backup(tmp_path, AT, Reason.ASKED) as part:
        part.write_bytes(HELD)

    assert names(tmp_path) == []


def test_a_missing_disk_is_not_made_up(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        made(tmp_path / "disk" / "backups")

    assert not (tmp_path / "disk").exists()


@pytest.mark.parametrize(
    ("damage", "wrong"),
    [
        (lambda b: (b / "memory.db").unlink(), "gone"),
        (lambda b: (b / "memory.db").write_bytes(HELD[:-1]), "not as long"),
        (lambda b: (b / "manifest.json").unlink(), "manifest"),
        (lambda b: (b / "manifest.json").write_text("{"), "manifest"),
    ],
)
def test_what_speaks_against_a_backup_is_told(tmp_path: Path, damage, wrong: str) -> None:
    damage(tmp_path / made(tmp_path))

    (backup,) = folders.backups_in(tmp_path)

    assert wrong in backup.wrong
    assert (backup.made_at, backup.reason) == (AT, Reason.AUTOMATIC)


def test_a_backup_that_is_replaced_is_there_until_the_new_one_is(tmp_path: Path) -> None:
    backup = tmp_path / made(tmp_path)

    with pytest.raises(IsADirectoryError), folders.instead_of(backup) as part:
        part.write_bytes(b"new")
    assert (backup / DATABASE).read_bytes() == HELD

    with folders.instead_of(backup) as part:
        (part / DATABASE).write_bytes(b"new")
    assert (backup / DATABASE).read_bytes() == b"new"
    assert names(tmp_path) == [backup.name]


@pytest.mark.parametrize("goes", [False, True])
def test_one_that_is_replaced_or_removed_meanwhile_is_not_said_to_be_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goes: bool
) -> None:
    backup = tmp_path / made(tmp_path)
    looks = 0

    def read_then_change(path: Path) -> Manifest | None:
        nonlocal looks
        looks += 1
        read = read_manifest(path)
        if looks == 1 and goes:
            folders.remove(tmp_path, backup.name)
        elif looks == 1 and read:
            with folders.instead_of(backup) as part:
                (part / DATABASE).write_bytes(b"new")
                folders.finish(part, read.model_copy(update={"bytes": 3}))
        return read

    monkeypatch.setattr(folders, "read_manifest", read_then_change)

    assert [(one.name, one.wrong) for one in folders.backups_in(tmp_path)] == ([] if goes else [(backup.name, "")])


def test_an_odd_entry_is_said_to_be_wrong_and_the_others_are_as_they_were(tmp_path: Path) -> None:
    good = made(tmp_path)
    odd = ["20269999T999999Z-automatic", "00010101T000000Z-asked", "20260101T000000Z-asked", "20260102T000000Z-asked"]
    (tmp_path / odd[0]).mkdir()
    (tmp_path / odd[1]).mkdir()
    (tmp_path / odd[2]).write_text("a file")
    (tmp_path / odd[3] / MANIFEST).mkdir(parents=True)

    found = {one.name: one for one in folders.backups_in(tmp_path)}

    assert found.keys() == {good, *odd}
    assert [name for name, one in found.items() if not one.wrong] == [good]
    assert all("manifest" in found[name].wrong for name in odd)

    for name in odd:
        folders.remove(tmp_path, name)
    assert names(tmp_path) == [good]


def test_a_manifest_that_may_not_be_read_is_said_to_be_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path)

    def refused(_: Path) -> Manifest | None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(folders, "read_manifest", refused)

    assert "Permission denied" in folders.backups_in(tmp_path)[0].wrong


def test_a_link_is_removed_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "20260101T000000Z-asked").symlink_to(tmp_path / "photos")

    folders.remove(tmp_path, "20260101T000000Z-asked")

    assert names(tmp_path) == ["photos"]


@pytest.mark.parametrize(
    "name", ["20260302T090000Z-asked", "..", ".", "", "../backups", "a/b", "20260302T090000Z-asked/.."]
)
def test_what_is_no_backup_is_not_removed(tmp_path: Path, name: str) -> None:
    (tmp_path / "backups").mkdir()
    with pytest.raises(NotFound):
        folders.remove(tmp_path / "backups", name)


def test_one_is_removed_and_the_others_stay(tmp_path: Path) -> None:
    kept, leaves = made(tmp_path), made(tmp_path, reason=Reason.ASKED)

    folders.remove(tmp_path, leaves)

    assert names(tmp_path) == [kept]


def test_what_a_killed_process_left_is_cleared_away(tmp_path: Path) -> None:
    kept, replaced = made(tmp_path), made(tmp_path, reason=Reason.ASKED)
    for left in (".part-20260302T090000Z-2-asked", f".old-{kept}", ".gone-20260301T090000Z-asked"):
        (tmp_path / left).mkdir()
        (tmp_path / left / DATABASE).write_bytes(HELD)
    (tmp_path / replaced).rename(tmp_path / f".old-{replaced}")  # killed between the two renames

    folders.sweep(tmp_path)

    assert names(tmp_path) == sorted([kept, replaced])


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    for theirs in (".part-download", ".old-photos", ".gone-girl", ".part-20260302T090000Z-asked~"):
        (tmp_path / theirs).mkdir()
        (tmp_path / theirs / "x").touch()
    (tmp_path / ".part-20260302T090000Z-asked").touch()  # a file: no backup was ever begun so
    before = sorted(tmp_path.rglob("*"))

    folders.sweep(tmp_path)

    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (OSError(28, "No space left on device"), "No space left"),
        (sqlite3.OperationalError("database or disk is full"), "disk is full"),
    ],
)
def test_what_the_system_refuses_is_told_with_its_remedy(tmp_path: Path, raised: Exception, told: str) -> None:
    with pytest.raises(BackupFailed, match=told) as failed, folders.plain_errors(tmp_path):
        raise raised

    assert "[backup]" in failed.value.do


def test_a_damaged_database_is_not_blamed_on_the_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="damaged"), folders.plain_errors(tmp_path):
        raise sqlite3.DatabaseError("database disk image is malformed")


def test_backups_lie_where_the_settings_say(tmp_path: Path) -> None:
    assert folders.folder_of(tmp_path, "") == tmp_path / "backups"
    assert folders.folder_of(tmp_path, " copies ") == tmp_path / "copies"
    assert folders.folder_of(tmp_path, str(tmp_path / "disk")) == tmp_path / "disk"
    assert folders.folder_of(tmp_path, "~/disk") == Path.home() / "disk"
    assert folders.folder_of(tmp_path, "~nobody-of-this-name/x") == tmp_path / "~nobody-of-this-name" / "x"
