"""A backup comes back whole or not at all: checked first, swapped in one step, without what was deleted since."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from echovessel.adapters.backup import FolderBackups, restoring
from echovessel.adapters.backup.folder import backups_in
from echovessel.adapters.backup.manifest import DATABASE
from echovessel.adapters.backup.restoring import BackupUnusable, find, keep_present, made_ready, take_its_place
from echovessel.adapters.home import Home
from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.core.errors import BackupFailed
from echovessel.ports.backups import Backup, Reason
from echovessel.ports.changes import DeleteMessage
from echovessel.testing.clock import StoppedClock
from echovessel.testing.contracts.store_house import StoreHouse

ROOT = Path(__file__).parents[4]


def texts(database: Path) -> list[str]:
    connection = sqlite3.connect(database)
    found = [row[0] for row in connection.execute("SELECT text FROM message_text ORDER BY id")]
    connection.close()
    return found


def restore(source: Path, home: Home, clock: StoppedClock) -> Backup | None:
    folder = home.path / "backups"
    with made_ready(source, home, folder, clock.now()) as ready:
        kept = keep_present(home, folder, clock.now())
        take_its_place(ready, home)
    return kept


@pytest.fixture
async def old(house: StoreHouse, backups: FolderBackups) -> Path:
    """The database of a backup that holds "before"; what the home holds is "before" and "after"."""
    await house.do(house.hearing("before"))
    backup = await backups.make(Reason.ASKED)
    house.clock.advance(60)
    await house.do(house.hearing("after"))
    return Path(backup.path) / DATABASE


async def test_it_takes_the_place_of_what_is_there_and_that_is_kept(
    old: Path, house: StoreHouse, home: Home, clock: StoppedClock
) -> None:
    await house.store.close()

    kept = restore(old, home, clock)

    assert texts(home.database) == ["before"]
    assert kept is not None
    assert (kept.reason, texts(Path(kept.path) / DATABASE)) == (Reason.BEFORE_RESTORE, ["before", "after"])
    assert sorted(p.name for p in home.path.iterdir()) == ["backups", "memory.db"]
    assert home.database.stat().st_mode & 0o777 == 0o600


async def test_it_opens_as_a_store_and_goes_on(old: Path, house: StoreHouse, home: Home, clock: StoppedClock) -> None:
    head = await house.store.head(house.user_id)
    await house.store.close()
    restore(old, home, clock)

    store = SqliteStore(home.database, clock)
    again = StoreHouse(store, clock, house.ids)
    again.home = house.home
    await again.do(again.hearing("and on"))

    assert (await store.health()).integrity == "ok"
    assert [m.text for m in await store.messages(house.home.pair)] == ["and on", "before"]
    first, *_ = await store.changes(house.user_id, head)
    assert (first.seq, first.kind) == (head + 1, "feed.reset"), "who has read the feed so far must not miss what comes"
    await store.close()


async def test_a_home_without_a_database_gets_one(old: Path, house: StoreHouse, tmp_path: Path) -> None:
    fresh = Home(tmp_path / "fresh")
    fresh.path.mkdir()

    assert restore(old, fresh, house.clock) is None
    assert texts(fresh.database) == ["before"]


async def test_what_was_deleted_since_stays_deleted(
    old: Path, house: StoreHouse, home: Home, clock: StoppedClock, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.db"
    shutil.copyfile(old, elsewhere)
    (before,) = [m for m in await house.store.messages(house.home.pair) if m.text == "before"]
    await house.do(DeleteMessage(user_id=house.user_id, message_id=before.id))
    await house.store.close()

    restore(elsewhere, home, clock)

    assert texts(home.database) == []
    assert b"before" not in home.database.read_bytes()


async def test_what_an_earlier_restore_forgot_of_is_known_from_its_backup(
    old: Path, house: StoreHouse, home: Home, clock: StoppedClock, tmp_path: Path
) -> None:
    with_both = tmp_path / "with-both.db"
    await house.store.scrub()
    shutil.copyfile(home.database, with_both)
    (after,) = [m for m in await house.store.messages(house.home.pair) if m.text == "after"]
    await house.do(DeleteMessage(user_id=house.user_id, message_id=after.id))
    await house.store.close()

    restore(old, home, clock)  # this database has never heard of "after"
    clock.advance(60)
    restore(with_both, home, clock)

    assert texts(home.database) == ["before"]


async def test_a_damaged_database_is_kept_as_it_is_and_replaced(
    old: Path, house: StoreHouse, home: Home, clock: StoppedClock
) -> None:
    await house.store.close()
    damaged = b"SQLite format 3\0" + b"\x17" * 20_000
    home.database.write_bytes(damaged)
    home.database.with_name("memory.db-wal").write_bytes(b"its log")

    kept = restore(old, home, clock)

    assert texts(home.database) == ["before"]
    assert kept is not None
    assert (Path(kept.path) / DATABASE).read_bytes() == damaged
    assert (Path(kept.path) / "memory.db-wal").read_bytes() == b"its log"
    assert not home.database.with_name("memory.db-wal").exists()
    (listed,) = [b for b in backups_in(home.path / "backups") if b.name == kept.name]
    assert "as they were" in listed.wrong


def _cut(database: Path) -> None:
    with database.open("r+b") as file:
        file.truncate(database.stat().st_size - 4096)


def _newer(database: Path) -> None:
    (database.parent / "manifest.json").unlink()
    connection = sqlite3.connect(database)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()


def _other(database: Path) -> None:
    (database.parent / "manifest.json").unlink()
    database.unlink()
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE recipe (id)")
    connection.close()


def _garbage(database: Path) -> None:
    (database.parent / "manifest.json").unlink()
    database.write_bytes(b"garbage" * 1000)


def _edited(database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.execute("UPDATE message_text SET text = 'forged'")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (_cut, "cut or changed"),
        (_edited, "cut or changed"),
        (_garbage, "damaged"),
        (_other, "not EchoVessel's"),
        (_newer, "9999"),
    ],
)
async def test_what_cannot_be_used_is_refused_and_nothing_is_touched(
    old: Path, house: StoreHouse, home: Home, clock: StoppedClock, damage: Callable[[Path], None], why: str
) -> None:
    await house.store.close()
    damage(old)
    before = home.database.read_bytes()

    with pytest.raises(BackupUnusable, match=why):
        restore(old, home, clock)

    assert home.database.read_bytes() == before
    assert sorted(p.name for p in home.path.iterdir()) == ["backups", "memory.db"]


async def test_another_program_that_has_the_database_open_is_noticed(
    old: Path, house: StoreHouse, home: Home, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("echovessel.adapters.store.standalone._PATIENCE_S", 0.1)
    with pytest.raises(BackupFailed, match="locked"):  # the house's own store
        restore(old, home, clock)

    assert [m.text for m in await house.store.messages(house.home.pair)] == ["after", "before"]


async def test_a_full_disk_leaves_the_database_as_it_is(
    old: Path, house: StoreHouse, home: Home, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.store.close()
    before = home.database.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(restoring.shutil, "copyfile", full)
    with pytest.raises(BackupFailed, match="No space left"):
        restore(old, home, clock)

    assert home.database.read_bytes() == before


async def test_a_backup_is_found_by_name_folder_or_file(old: Path, folder: Path) -> None:
    assert find(old.parent.name, folder) == old
    assert find(str(old.parent), folder) == old
    assert find(str(old), folder) == old
    for wrong in ("nothing", "20300101T000000Z-asked", str(folder)):
        with pytest.raises(BackupUnusable, match="no backup called"):
            find(wrong, folder)


KILLED_AT_EVERY_STEP = """
import json, os, shutil, sqlite3, sys
from datetime import UTC, datetime
from pathlib import Path
from echovessel.adapters.backup import restoring
from echovessel.adapters.home import Home
from tests.support.killing import Killing

state, home, source = Path(sys.argv[1]), Home(Path(sys.argv[2])), Path(sys.argv[3])
now = datetime(2026, 3, 2, 10, tzinfo=UTC)
folder = home.path / "backups"
killing = Killing()

def restore():
    for name in ("_copy", "copy_whole", "make", "_close", "sync_folder"):
        killing.at(name, restoring)
    for name in ("rename", "replace", "unlink"):
        killing.at(name, Path)
    with restoring.made_ready(source, home, folder, now) as ready:
        restoring.keep_present(home, folder, now)
        restoring.take_its_place(ready, home)

found = []
while True:
    shutil.rmtree(home.path)
    shutil.copytree(state, home.path)
    child = os.fork()
    if not child:
        restore()
        os._exit(0)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    restoring.sweep(home)
    connection = sqlite3.connect(home.database)
    texts = [row[0] for row in connection.execute("SELECT text FROM message_text ORDER BY id")]
    connection.close()
    found.append([ended, texts, (home.path / ".restoring").exists()])
    if ended == 0:
        break
    killing.point += 1
print(json.dumps(found))
"""


async def test_killed_at_any_step_either_the_old_or_the_new_database_stands(
    old: Path, house: StoreHouse, home: Home, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    shutil.copytree(home.path, state)  # with the log of a store that was killed
    await house.store.close()
    command = [sys.executable, "-c", KILLED_AT_EVERY_STEP, str(state), str(home.path), str(old)]

    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, cwd=ROOT, timeout=60)

    assert done.returncode == 0, done.stderr
    *killed, last = json.loads(done.stdout)
    assert last == [0, ["before"], False]
    assert len(killed) > 15
    assert (killed[0][1], killed[-1][1]) == (["before", "after"], ["before"])
    assert all(found in ([-9, ["before"], False], [-9, ["before", "after"], False]) for found in killed)
