"""An old home is kept as it was before it is upgraded, can be brought back, and lets go of what is deleted later."""

import sqlite3
from pathlib import Path

import pytest

from echovessel.adapters.backup.restoring import keep_present, made_ready, take_its_place
from echovessel.adapters.home import Home
from echovessel.adapters.store.schema import HEAD
from echovessel.ports.backups import Backup, Reason
from echovessel.testing.world import World
from tests.houses.test_upgrade import HOUSES, moves_into

OLD = [house for house in HOUSES if house.name < f"revision-{HEAD}"]


def backups(vessel: World) -> list[Backup]:
    return list(vessel.run(vessel.vessel.deps.backups.listed()))


def revision_of(database: Path) -> str:
    connection = sqlite3.connect(database)
    (found,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    connection.close()
    return found


@pytest.mark.parametrize("house", OLD, ids=lambda house: house.name)
def test_it_is_kept_before_the_upgrade_once_and_can_be_brought_back(tmp_path: Path, house: Path) -> None:
    home = Home(moves_into(house, tmp_path))
    before = revision_of(home.database)
    with World(tmp_path) as vessel:
        (kept,) = backups(vessel)
        assert (kept.reason, kept.revision, kept.wrong) == (Reason.BEFORE_UPGRADE, before, "")
        said = vessel.said
    with World(tmp_path) as vessel:
        assert len(backups(vessel)) == 1, "nothing was upgraded this time"
        folder, now = home.path / "backups", vessel.clock.now()
    with made_ready(Path(kept.path) / "memory.db", home, folder, now) as ready:
        keep_present(home, folder, now)
        take_its_place(ready, home)
    assert revision_of(home.database) == before
    with World(tmp_path) as vessel:
        assert vessel.said == said


@pytest.mark.parametrize("house", OLD, ids=lambda house: house.name)
def test_what_is_deleted_after_the_upgrade_leaves_the_old_backup_at_its_own_revision(
    tmp_path: Path, house: Path
) -> None:
    moves_into(house, tmp_path)
    with World(tmp_path) as vessel:
        (kept,) = backups(vessel)
        database = Path(kept.path) / "memory.db"
        gone = vessel.timeline[0]
        assert gone.text.encode() in database.read_bytes()
        vessel.passes(3 * 86_400)

        vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, gone.id))
        vessel.run(vessel.vessel.deps.backups.forget_deleted())

        assert gone.text.encode() not in database.read_bytes()
        assert revision_of(database) == kept.revision
        (after,) = [b for b in backups(vessel) if b.name == kept.name]
        assert (after.wrong, after.messages) == ("", kept.messages - 1)
        assert not vessel.run(vessel.vessel.deps.backups.holding_deleted())
