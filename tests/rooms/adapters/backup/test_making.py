"""Backups of a database that is being written to: whole, verified, and free of what was deleted."""

import asyncio
import json
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from echovessel.adapters.backup import FolderBackups, back_up_before_upgrade, making
from echovessel.adapters.backup.folder import backups_in
from echovessel.adapters.backup.manifest import DATABASE, sha256_of
from echovessel.adapters.home import Home
from echovessel.adapters.store.standalone import copy_whole
from echovessel.core.errors import BackupFailed, ConfigError, StoreUnusable
from echovessel.ports.backups import Backup, Reason
from echovessel.ports.changes import DeleteMessage
from echovessel.testing.clock import StoppedClock
from echovessel.testing.contracts.store_house import StoreHouse
from tests.support.spoilt import spoil_index

WRITERS = 8
ROOT = Path(__file__).parents[4]


def ids_in(backup: Backup) -> set[str]:
    connection = sqlite3.connect(Path(backup.path) / DATABASE)
    found = {row[0] for row in connection.execute("SELECT id FROM message")}
    connection.close()
    return found


async def test_a_backup_made_while_eight_write_holds_all_that_was_acknowledged_before(
    house: StoreHouse, backups: FolderBackups
) -> None:
    acknowledged: set[str] = set()
    before = set[str]()
    enough, over = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        while not over.is_set():
            outcome = await house.do(house.hearing("x" * 200))
            assert outcome.message_id is not None
            acknowledged.add(outcome.message_id)
            if len(acknowledged) > 50:
                enough.set()

    async with asyncio.TaskGroup() as writers:
        for _ in range(WRITERS):
            writers.create_task(write())
        await enough.wait()
        for _ in range(3):
            before = set(acknowledged)
            backup = await backups.make(Reason.ASKED)
            held = ids_in(backup)
            assert before <= held
            assert (backup.messages, backup.wrong) == (len(held), "")
        over.set()
    assert len(acknowledged) > len(before)


async def test_a_backup_is_what_its_manifest_says(house: StoreHouse, backups: FolderBackups, home: Home) -> None:
    await house.do(house.hearing("hello"))

    backup = await backups.make(Reason.ASKED, mark="m")

    database = Path(backup.path) / DATABASE
    assert (backup.mark, backup.messages, backup.revision) == ("m", 1, (await house.store.health()).revision)
    assert (backup.bytes, backup.sha256) == (database.stat().st_size, sha256_of(database))
    assert await backups.listed() == [backup]
    assert stat.S_IMODE(Path(backups.folder).stat().st_mode) == 0o700
    assert sorted(p.name for p in Path(backup.path).iterdir()) == ["manifest.json", "memory.db"]


async def test_what_was_deleted_before_is_in_no_byte_of_a_backup(house: StoreHouse, backups: FolderBackups) -> None:
    heard = await house.do(house.hearing("qoxvathu 鳗笏珏"))
    await house.do(house.hearing("something else"))
    assert heard.message_id is not None
    await house.do(DeleteMessage(user_id=house.user_id, message_id=heard.message_id))

    backup = await backups.make(Reason.ASKED)

    assert not remains(backup, "qoxvathu", "鳗笏")


async def test_what_is_deleted_later_leaves_every_byte_of_the_backups(
    house: StoreHouse, backups: FolderBackups
) -> None:
    heard = await house.do(house.hearing("qoxvathu 鳗笏珏"))
    kept = await house.do(house.hearing("wuzzelkip"))
    old = await backups.make(Reason.ASKED, mark="m")
    untouched = sha256_of(Path((await backups.make(Reason.AUTOMATIC)).path) / DATABASE)
    assert remains(old, "qoxvathu", "鳗笏")
    assert heard.message_id is not None
    await house.do(DeleteMessage(user_id=house.user_id, message_id=heard.message_id))
    assert await backups.holding_deleted() == {backup.name for backup in await backups.listed()}

    await backups.forget_deleted()

    made = await backups.listed()
    assert [(backup.messages, backup.wrong) for backup in made] == [(1, "")] * 2
    assert not await backups.holding_deleted()
    for backup in made:
        assert not remains(backup, "qoxvathu", "鳗笏")
        assert remains(backup, "wuzzelkip")
        assert kept.message_id in ids_in(backup)
        assert sha256_of(Path(backup.path) / DATABASE) == backup.sha256 != untouched
    renewed = next(backup for backup in made if backup.name == old.name)
    assert (renewed.made_at, renewed.reason, renewed.mark) == (old.made_at, old.reason, "m")


KILLED_AT_EVERY_STEP = """
import asyncio, json, os, shutil, sys
from pathlib import Path
from echovessel.adapters.backup import FolderBackups, folder as folders, making
from echovessel.adapters.backup.manifest import DATABASE, sha256_of
from echovessel.testing.clock import StoppedClock
from tests.support.killing import Killing

state, home = Path(sys.argv[1]), Path(sys.argv[2])
folder = home / "backups"
killing = Killing()

def forget():
    asyncio.run(FolderBackups(home / "memory.db", lambda: folder, StoppedClock()).forget_deleted())

def killed():
    for name in ("erase_from", "copy_whole", "described"):
        killing.at(name, making)
    for name in ("write_manifest", "sync_folder"):
        killing.at(name, folders)
    for name in ("copyfile", "rmtree"):
        killing.at(name, shutil)
    for name in ("mkdir", "rename", "unlink"):
        killing.at(name, Path)
    forget()

def look():
    held = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    sound = [sha256_of(Path(b.path) / DATABASE) == b.sha256 and not b.wrong for b in folders.backups_in(folder)]
    return [sorted(path.name for path in folder.iterdir()), sound, b"qoxvathu" in held, b"wuzzelkip" in held]

found = []
while True:
    shutil.rmtree(home)
    shutil.copytree(state, home)
    child = os.fork()
    if not child:
        killed()
        os._exit(0)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    folders.sweep(folder)
    swept = look()
    forget()
    found.append([ended, swept, look()])
    if ended == 0:
        break
    killing.point += 1
print(json.dumps(found))
"""


async def test_killed_at_any_step_of_writing_one_anew_it_is_whole_and_written_anew_later(
    house: StoreHouse, home: Home, backups: FolderBackups, tmp_path: Path
) -> None:
    heard = await house.do(house.hearing("qoxvathu"))
    await house.do(house.hearing("wuzzelkip"))
    name = (await backups.make(Reason.ASKED)).name
    assert heard.message_id is not None
    await house.do(DeleteMessage(user_id=house.user_id, message_id=heard.message_id))
    await house.store.close()
    shutil.copytree(home.path, tmp_path / "state")
    command = [sys.executable, "-c", KILLED_AT_EVERY_STEP, str(tmp_path / "state"), str(home.path)]

    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, cwd=ROOT, timeout=60)

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [ended for ended, *_ in found] == [-9] * (len(found) - 1) + [0]
    assert len(found) > 20
    old, new = ([name], [True], True, True), ([name], [True], False, True)
    seen = [tuple(swept) for _, swept, _ in found]
    assert (seen[0], seen[-1], set(map(str, seen))) == (old, new, {str(old), str(new)})
    assert all(tuple(after) == new for *_, after in found)


async def test_a_draft_of_what_was_said_later_and_deleted_leaves_a_backup_too(
    house: StoreHouse, backups: FolderBackups
) -> None:
    turn, fence = await house.running("tell me")
    await house.do(house.drafting(turn, "yiffronta it is"), fence)
    backup = await backups.make(Reason.ASKED)
    assert remains(backup, "yiffronta")
    reply = await house.do(house.finishing(turn, "yiffronta it is."), fence)
    assert reply.message_id is not None
    await house.do(DeleteMessage(user_id=house.user_id, message_id=reply.message_id))

    await backups.forget_deleted()

    assert not remains(backup, "yiffronta")


async def test_nothing_is_written_anew_without_need(house: StoreHouse, backups: FolderBackups) -> None:
    heard = await house.do(house.hearing("hello"))
    assert heard.message_id is not None
    await house.do(DeleteMessage(user_id=house.user_id, message_id=heard.message_id))
    backup = await backups.make(Reason.ASKED)
    before = (Path(backup.path) / DATABASE).stat()

    await backups.forget_deleted()

    after = (Path(backup.path) / DATABASE).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


async def test_a_backup_that_cannot_be_written_anew_is_named(
    house: StoreHouse, backups: FolderBackups, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = await house.do(house.hearing("qoxvathu"))
    backup = await backups.make(Reason.ASKED)
    assert heard.message_id is not None
    await house.do(DeleteMessage(user_id=house.user_id, message_id=heard.message_id))

    def read_only(self: Path, *_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system", str(self))

    monkeypatch.setattr(Path, "mkdir", read_only)
    with pytest.raises(BackupFailed, match=backup.name) as failed:
        await backups.forget_deleted()

    assert "backup remove" in failed.value.do
    assert await backups.holding_deleted() == {backup.name}


async def test_a_folder_that_is_a_file_fails_with_its_remedy(
    house: StoreHouse, home: Home, tmp_path: Path, clock: StoppedClock
) -> None:
    (tmp_path / "file").touch()
    backups = FolderBackups(home.database, lambda: tmp_path / "file", clock)

    with pytest.raises(BackupFailed) as failed:
        await backups.make(Reason.AUTOMATIC)

    assert str(tmp_path / "file") in failed.value.message


async def test_whoever_is_cancelled_leaves_nothing_half_made(
    house: StoreHouse, backups: FolderBackups, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.store.apply([house.hearing("x" * 500) for _ in range(200)])
    begun = Event()

    def slow(source: Path, target: Path, stop: Event) -> None:
        begun.set()
        stop.wait(10)
        copy_whole(source, target, stop)

    monkeypatch.setattr(making, "copy_whole", slow)
    work = asyncio.create_task(backups.make(Reason.ASKED))
    await asyncio.to_thread(begun.wait, 10)

    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work

    await backups.close()
    assert list(folder.iterdir()) == []


async def test_while_one_is_made_looking_goes_on_and_who_waits_takes_no_thread_from_others(
    house: StoreHouse, backups: FolderBackups, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = await backups.make(Reason.ASKED)
    begun, go_on = Event(), Event()

    def slow(source: Path, target: Path, stop: Event) -> None:
        begun.set()
        go_on.wait(20)
        copy_whole(source, target, stop)

    monkeypatch.setattr(making, "copy_whole", slow)
    work = asyncio.create_task(backups.make(Reason.AUTOMATIC))
    await asyncio.to_thread(begun.wait, 10)
    waiting = [asyncio.create_task(backups.sweep()) for _ in range(40)]
    await asyncio.sleep(0.05)
    try:
        async with asyncio.timeout(5):
            assert await backups.listed() == [there]
            assert not await backups.holding_deleted()
            await asyncio.to_thread(int)
    finally:
        go_on.set()
    assert (await work).name in [backup.name for backup in await backups.listed()]
    await asyncio.gather(*waiting)


async def test_backups_are_listed_though_the_database_is_damaged(
    house: StoreHouse, home: Home, backups: FolderBackups
) -> None:
    backup = await backups.make(Reason.ASKED)
    await house.store.close()
    home.database.write_bytes(b"no database at all" * 500)

    assert await backups.listed() == [backup]
    with pytest.raises(StoreUnusable, match="damaged"):
        await backups.holding_deleted()


async def test_one_that_cannot_be_looked_into_is_not_said_to_be_clean(
    house: StoreHouse, backups: FolderBackups
) -> None:
    heard = await house.do(house.hearing("hello"))
    assert heard.message_id is not None
    await house.do(DeleteMessage(user_id=house.user_id, message_id=heard.message_id))
    backup = await backups.make(Reason.ASKED)
    assert not await backups.holding_deleted()
    (Path(backup.path) / DATABASE).write_bytes(b"x" * backup.bytes)

    assert await backups.holding_deleted() == {backup.name}
    with pytest.raises(BackupFailed, match=backup.name):
        await backups.forget_deleted()


def _copied_with_a_spoilt_index(source: Path, target: Path, stop: Event) -> None:
    """A disk that keeps something else than it was given: in one page, which no count and no opening reads."""
    copy_whole(source, target, stop)
    spoil_index(target, "ix_message_turn")


async def test_a_copy_that_came_out_damaged_is_no_backup(
    house: StoreHouse, backups: FolderBackups, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.do(house.hearing("hello"))
    monkeypatch.setattr(making, "copy_whole", _copied_with_a_spoilt_index)

    with pytest.raises(StoreUnusable, match="damaged"):
        await backups.make(Reason.ASKED)

    assert await backups.listed() == []
    assert await asyncio.to_thread(list, folder.iterdir()) == []


async def test_a_damaged_database_is_told_to_be_one(house: StoreHouse, home: Home, backups: FolderBackups) -> None:
    await house.store.close()
    size = home.database.stat().st_size
    with home.database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\x17" * (size - 4096))

    with pytest.raises(StoreUnusable, match="damaged"):
        await backups.make(Reason.ASKED)

    assert await asyncio.to_thread(list, Path(backups.folder).iterdir()) == []


async def test_before_an_upgrade_a_database_is_kept_or_not_upgraded(
    house: StoreHouse, home: Home, folder: Path, tmp_path: Path
) -> None:
    backup = back_up_before_upgrade(home.database, folder, house.clock.now())
    assert (backup.reason, backup.wrong) == (Reason.BEFORE_UPGRADE, "")

    house.clock.advance(60)
    assert back_up_before_upgrade(home.database, folder, house.clock.now()) == backup, "the upgrade is tried again"
    await house.do(house.hearing("hello"))
    assert back_up_before_upgrade(home.database, folder, house.clock.now()) != backup
    assert len(backups_in(folder)) == 2

    with pytest.raises(ConfigError, match="before it is upgraded"):
        back_up_before_upgrade(home.database, tmp_path / "missing" / "backups", house.clock.now())


def remains(backup: Backup, *words: str) -> list[str]:
    held = b"".join(path.read_bytes() for path in Path(backup.path).iterdir())
    return [word for word in words if word.encode() in held]
