"""Backups that make themselves: when it is time, when something changed, and visibly when they cannot."""

import asyncio
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from echovessel.adapters.backup import making
from echovessel.adapters.backup.manifest import read_manifest, write_manifest
from echovessel.flows.backup import TRIED_AGAIN, FlowBackups, check_backups, schedule_due
from echovessel.ports.backups import Backup, Reason
from echovessel.ports.front import Check, Verdict
from echovessel.ports.records import JobState
from echovessel.runtime.loops import JOB_ATTEMPTS, JOB_RETRY
from echovessel.testing.world import World

DAY_S = 24 * 3600.0


def backups(vessel: World) -> list[Backup]:
    return list(vessel.run(vessel.vessel.deps.backups.listed()))


def looks(vessel: World) -> None:
    """It is seen what is due, and done."""
    vessel.run(schedule_due(vessel.vessel.deps))
    vessel.rests()


def checked(vessel: World) -> Check:
    check = vessel.run(check_backups(vessel.vessel.deps))
    assert check is not None
    return check


def test_one_is_made_a_day_when_something_was_said(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        assert backups(vessel) == []
        looks(vessel)
        assert [b.reason for b in backups(vessel)] == [Reason.AUTOMATIC]

        vessel.model_says("好")
        vessel.hears("你好")
        looks(vessel)
        assert len(backups(vessel)) == 1, "a day has not passed"

        vessel.passes(DAY_S)
        looks(vessel)
        assert [b.messages for b in backups(vessel)] == [2, 0]

        vessel.passes(DAY_S)
        looks(vessel)
        assert len(backups(vessel)) == 2, "nothing has changed since"


def test_none_is_made_where_the_owner_wants_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHOVESSEL_BACKUP__EVERY_H", "0")
    with World(tmp_path) as vessel:
        looks(vessel)

        assert backups(vessel) == []
        assert (checked(vessel).verdict, "every_h" in checked(vessel).do) == (Verdict.NOTE, True)


def test_those_no_longer_needed_go_and_asked_ones_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHOVESSEL_BACKUP__KEEP_DAILY", "2")
    monkeypatch.setenv("ECHOVESSEL_BACKUP__KEEP_WEEKLY", "0")
    with World(tmp_path) as vessel:
        asked = vessel.run(FlowBackups(vessel.vessel.deps).make())
        for day in range(4):
            vessel.passes(DAY_S)
            vessel.sends(f"第 {day} 天")
            looks(vessel)

        made = backups(vessel)
        assert [b.reason for b in made] == [Reason.AUTOMATIC, Reason.AUTOMATIC, Reason.ASKED]
        assert made[-1] == asked


def test_a_clock_that_was_ahead_does_not_stop_them(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        looks(vessel)
        (made,) = backups(vessel)
        manifest = read_manifest(Path(made.path))
        assert manifest is not None
        write_manifest(
            Path(made.path), manifest.model_copy(update={"made_at": made.made_at + timedelta(days=30), "mark": ""})
        )
        looks(vessel)

        assert len(backups(vessel)) == 2


@pytest.mark.parametrize("hours", [3, 24 * 400], ids=["hours", "more than a year"])
def test_after_the_clock_was_set_back_what_is_new_is_backed_up_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    monkeypatch.setenv("ECHOVESSEL_BACKUP__KEEP_DAILY", "1")
    monkeypatch.setenv("ECHOVESSEL_BACKUP__KEEP_WEEKLY", "1")
    with World(tmp_path) as vessel:
        looks(vessel)
        vessel.clock.set(-hours * 3600)
        vessel.sends("还在吗")
        for _ in range(3):
            looks(vessel)

        assert [b.messages for b in backups(vessel)] == [0, 1]


def test_a_failure_is_told_though_a_backup_bears_a_date_to_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with World(tmp_path) as vessel:
        made = vessel.run(FlowBackups(vessel.vessel.deps).make())
        manifest = read_manifest(Path(made.path))
        assert manifest is not None
        ahead = made.made_at + timedelta(days=30)
        write_manifest(Path(made.path), manifest.model_copy(update={"made_at": ahead, "mark": ""}))

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(making, "copy_whole", full)
        vessel.run(schedule_due(vessel.vessel.deps))
        vessel.run(_attempted(vessel, 1))

        assert "No space left" in checked(vessel).found
        assert "No space left" in vessel.run(FlowBackups(vessel.vessel.deps).look()).failing


def test_with_a_damaged_table_it_is_still_told_which_there_are(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        vessel.sends("你好")
        made = vessel.run(FlowBackups(vessel.vessel.deps).make())
        damage(vessel.home.database, "message")

        assert checked(vessel).verdict is Verdict.OK
        kept = vessel.run(FlowBackups(vessel.vessel.deps).look())

        assert (kept.backups, kept.holding_deleted) == ([made], frozenset())


def damage(database: Path, table: str) -> None:
    """Write over the first page of a table and of its indexes, as a failing disk would."""
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    roots = connection.execute(
        "SELECT rootpage FROM sqlite_master WHERE tbl_name = ? AND rootpage", (table,)
    ).fetchall()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    with database.open("r+b") as file:
        for (root,) in roots:
            file.seek((root - 1) * size)
            file.write(b"\xff" * size)


@pytest.mark.parametrize("set_back", [False, True])
def test_a_folder_that_is_gone_is_told_parked_and_tried_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_back: bool
) -> None:
    disk = tmp_path / "disk"
    monkeypatch.setenv("ECHOVESSEL_BACKUP__FOLDER", str(disk / "backups"))
    with World(tmp_path) as vessel:
        vessel.run(schedule_due(vessel.vessel.deps))
        for attempts in range(1, JOB_ATTEMPTS + 1):
            vessel.run(_attempted(vessel, attempts))
            vessel.passes(JOB_RETRY.total_seconds())
        (job,) = vessel.run(vessel.vessel.deps.store.jobs(state=JobState.PARKED))
        assert str(disk) in job.last_error
        assert (checked(vessel).verdict, str(disk) in checked(vessel).found) == (Verdict.BROKEN, True)
        assert vessel.run(FlowBackups(vessel.vessel.deps).look()).failing == job.last_error

        disk.mkdir()
        by_hand = vessel.run(FlowBackups(vessel.vessel.deps).make())
        assert checked(vessel).verdict is Verdict.OK, "there is a good one now"
        vessel.run(FlowBackups(vessel.vessel.deps).remove(by_hand.name))
        if set_back:
            vessel.clock.set(-DAY_S)
        else:
            vessel.passes(TRIED_AGAIN.total_seconds())
        looks(vessel)

        assert len(backups(vessel)) == 1
        assert checked(vessel).verdict is Verdict.OK


async def _attempted(vessel: World, times: int) -> None:
    async with asyncio.timeout(10):
        while True:
            (job,) = await vessel.vessel.deps.store.jobs()
            if job.attempts == times and job.state is not JobState.LEASED:
                return
            await asyncio.sleep(0.01)


def test_what_is_deleted_leaves_the_backups_by_itself(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        receipt = vessel.sends("秘密是鳗笏珏")
        made = vessel.run(FlowBackups(vessel.vessel.deps).make())
        database = Path(made.path) / "memory.db"
        assert "鳗笏".encode() in database.read_bytes()

        vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, receipt.message_id))
        vessel.rests()

        assert "鳗笏".encode() not in database.read_bytes()
        assert [(b.messages, b.wrong) for b in backups(vessel)] == [(0, "")]


def test_one_that_still_holds_what_was_deleted_is_named_and_seen_to(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        receipt = vessel.sends("秘密是鳗笏珏")
        made = vessel.run(FlowBackups(vessel.vessel.deps).make())
        away = tmp_path / "away"
        Path(made.path).rename(away)
        vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, receipt.message_id))
        vessel.rests()
        away.rename(made.path)  # a disk that was not there comes back
        assert (checked(vessel).verdict, made.name in checked(vessel).found) == (Verdict.BROKEN, True)

        looks(vessel)

        assert checked(vessel).verdict is Verdict.OK
        assert made.name in [b.name for b in backups(vessel)]
        assert not vessel.run(vessel.vessel.deps.backups.holding_deleted())


def test_one_that_cannot_be_relied_on_is_named(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        made = vessel.run(FlowBackups(vessel.vessel.deps).make())
        (Path(made.path) / "manifest.json").unlink()

        assert checked(vessel).verdict is Verdict.BROKEN
        assert made.name in checked(vessel).found

        vessel.run(FlowBackups(vessel.vessel.deps).remove(made.name))
        assert checked(vessel).verdict is Verdict.OK


def test_what_a_restore_kept_as_it_was_is_named_until_it_is_removed(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        folder = vessel.home.path / "backups"
        (folder / "20260301T090000Z-before-restore").mkdir(parents=True)

        assert checked(vessel).verdict is Verdict.NOTE
        assert "20260301T090000Z-before-restore" in checked(vessel).found
