"""Whatever keeps SQLite from writing is said in our words, undoes the request whole, and is over when its cause is."""

import asyncio
import errno
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.core.errors import DiskFailing, DiskFull, DiskReadOnly, EchoVesselError, StoreDown, StoreGone
from echovessel.testing.contracts.store_house import StoreHouse

LONG = "word " * 20_000


async def _tell(store: SqliteStore, pragma: str) -> None:
    """Set something of the writing connection."""

    def execute(conn: Any) -> None:
        driver: sqlite3.Connection = conn.connection.driver_connection
        driver.execute(f"PRAGMA {pragma}").fetchall()

    await asyncio.wrap_future(store._writer.alone(execute))


async def _down(store: SqliteStore, writing: Callable[[], Any], kind: type[StoreDown]) -> EchoVesselError:
    """The write fails as `kind`, and the store says so until it can be written again."""
    with pytest.raises(kind) as refused:
        await writing()
    assert store.down is refused.value
    with pytest.raises(kind):
        await store.try_writing()
    assert refused.value.do
    return refused.value


async def test_a_full_disk(house: StoreHouse, store: SqliteStore) -> None:
    await house.hears("before")
    await _tell(store, "max_page_count = 1")

    # Into pages that are there already one may write on a full disk: so no attempt to write is made here.
    with pytest.raises(DiskFull) as refused:
        await house.hears(LONG)

    assert store.down is refused.value
    assert await house.texts() == ["before"]
    await _tell(store, "max_page_count = 1000000")
    await store.try_writing()
    assert store.down is None
    await house.hears("after")
    assert await house.texts() == ["after", "before"]


async def test_a_disk_that_is_read_only(house: StoreHouse, store: SqliteStore) -> None:
    await house.hears("before")
    await _tell(store, "query_only = 1")

    await _down(store, lambda: house.hears("lost"), DiskReadOnly)

    await _tell(store, "query_only = 0")
    await store.try_writing()
    await house.hears("after")
    assert await house.texts() == ["after", "before"]


async def test_one_request_that_finds_no_room_undoes_its_group_and_no_more(
    house: StoreHouse, store: SqliteStore
) -> None:
    await house.hears("before")
    await _tell(store, "max_page_count = 1")

    outcomes = await asyncio.gather(*(house.hears(LONG) for _ in range(4)), return_exceptions=True)

    assert [type(outcome) for outcome in outcomes] == [DiskFull] * 4
    await _tell(store, "max_page_count = 1000000")
    await house.hears("after")
    assert await house.texts() == ["after", "before"]
    assert (await store.health()).integrity == "ok"


async def test_a_file_that_was_moved_takes_nothing_that_nobody_would_find(
    house: StoreHouse, store: SqliteStore, path: Path
) -> None:
    await house.hears("before")
    moved = path.with_name("elsewhere.db")
    path.rename(moved)

    await _down(store, lambda: house.hears("lost"), StoreGone)

    shutil.copy(moved, path)
    await _down(store, lambda: house.hears("into another file"), StoreGone)
    moved.replace(path)
    await house.hears("after")
    assert store.down is None
    assert await house.texts() == ["after", "before"]


def _cannot_write(store: SqliteStore, code: int) -> None:
    """From now on SQLite gives this for each write."""

    def broken(_: Any) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = code
        raise OperationalError("INSERT", None, error) from error

    store._writer.submit, submit = lambda _, **how: submit(broken, **how), store._writer.submit  # pyright: ignore[reportAttributeAccessIssue]


async def test_a_disk_that_fails_is_told_from_one_that_is_full(
    house: StoreHouse, store: SqliteStore, path: Path
) -> None:
    _cannot_write(store, sqlite3.SQLITE_IOERR)
    before = sorted(path.parent.iterdir())

    await _down(store, lambda: house.hears("lost"), DiskFailing)

    assert sorted(path.parent.iterdir()) == before


@pytest.mark.parametrize("code", [sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_CANTOPEN], ids=["write", "open"])
async def test_a_disk_that_turned_read_only_is_told_from_one_that_fails(
    house: StoreHouse, store: SqliteStore, path: Path, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def read_only(**where: Path) -> None:
        asked.extend(where.values())
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", read_only)
    _cannot_write(store, code)

    told = await _down(store, lambda: house.hears("lost"), DiskReadOnly)

    assert "Read-only file system" in told.message
    assert set(asked) == {path.parent}


async def test_a_disk_that_fails_for_another_reason_stays_a_failing_one(
    house: StoreHouse, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(tempfile, "TemporaryFile", broken)
    _cannot_write(store, sqlite3.SQLITE_IOERR)

    await _down(store, lambda: house.hears("lost"), DiskFailing)
