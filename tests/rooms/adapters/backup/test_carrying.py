"""A backup is taken to another disk, and compared there."""

from pathlib import Path

import pytest

from echovessel.adapters.backup import FolderBackups, carrying
from echovessel.adapters.backup.carrying import carry, must_have_parent
from echovessel.adapters.backup.folder import backups_in
from echovessel.core.errors import BackupFailed, BadInput
from echovessel.ports.backups import Reason
from echovessel.testing.contracts.store_house import StoreHouse


async def test_it_lies_there_as_it_lay_here(house: StoreHouse, backups: FolderBackups, tmp_path: Path) -> None:
    backup = await backups.make(Reason.ASKED)

    there = carry(Path(backup.path), tmp_path / "mine")

    (found,) = backups_in(there.parent)
    assert (found.name, found.sha256, found.wrong) == (backup.name, backup.sha256, "")
    with pytest.raises(BadInput, match="already"):
        carry(Path(backup.path), there.parent)


async def test_a_copy_that_differs_is_no_backup(
    house: StoreHouse, backups: FolderBackups, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = await backups.make(Reason.ASKED)
    monkeypatch.setattr(carrying, "sha256_of", lambda _: "another")

    with pytest.raises(BackupFailed, match="not what was copied"):
        carry(Path(backup.path), tmp_path / "disk")

    assert backups_in(tmp_path / "disk") == []


def test_a_disk_that_is_not_there_is_not_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="usb is not there") as refused:
        must_have_parent(tmp_path / "usb" / "copies")
    assert "plugged in" in refused.value.do

    monkeypatch.chdir(tmp_path)
    must_have_parent(Path("copies"))
    assert list(tmp_path.iterdir()) == []
