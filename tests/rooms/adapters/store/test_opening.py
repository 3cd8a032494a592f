import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from echovessel.adapters.store import open_store, opening, sqlite
from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.core.errors import StoreUnusable
from echovessel.testing.clock import CountedIds, StoppedClock
from echovessel.testing.contracts.store_house import StoreHouse


async def _filled(path: Path) -> None:
    clock = StoppedClock()
    store = open_store(url=None, path=path, clock=clock)
    house = await StoreHouse(store, clock, CountedIds(clock)).moved_in()
    for number in range(200):
        await house.hears(f"message {number} " + "word " * 50)
    await store.close()


def _newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0999'")
    connection.close()


def _foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (id INTEGER)")
    connection.close()


def _no_database(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 1000)


def _torn_header(path: Path) -> None:
    path.write_bytes(b"\0" * 100 + path.read_bytes()[100:])


def _torn_middle(path: Path) -> None:
    whole = path.read_bytes()
    middle = len(whole) // 2 // 4096 * 4096
    path.write_bytes(whole[:middle] + b"\xff" * 8192 + whole[middle + 8192 :])


def _cut_short(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


@pytest.mark.parametrize("harm", [_newer, _foreign, _no_database, _torn_header, _torn_middle, _cut_short])
async def test_what_cannot_be_used_is_refused_and_left_as_it_is(path: Path, harm: Callable[[Path], None]) -> None:
    await _filled(path)
    harm(path)
    before = path.read_bytes()

    with pytest.raises(StoreUnusable) as refused:
        open_store(url=None, path=path, clock=StoppedClock())

    assert refused.value.message.endswith(".")
    assert refused.value.do.endswith(".")
    assert path.read_bytes() == before


def _locked_by_a_reader_of_its_own(other: sqlite3.Connection) -> None:
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")


def _written_by_another(other: sqlite3.Connection) -> None:
    other.execute("BEGIN IMMEDIATE")


@pytest.mark.parametrize("lock", [_locked_by_a_reader_of_its_own, _written_by_another])
async def test_a_locked_file_is_not_called_damaged(
    path: Path, lock: Callable[[sqlite3.Connection], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_PATIENCE_S", 0.05)
    monkeypatch.setattr(sqlite, "_BUSY_MS", 50)
    await _filled(path)
    other = sqlite3.connect(path)
    lock(other)
    before = path.read_bytes()

    with pytest.raises(StoreUnusable) as refused:
        open_store(url=None, path=path, clock=StoppedClock())

    assert "damaged" not in refused.value.message
    assert "Another program" in refused.value.message
    assert "backup in its place" not in refused.value.do
    assert path.read_bytes() == before
    other.close()
    await open_store(url=None, path=path, clock=StoppedClock()).close()


def test_a_folder_of_that_name_is_not_called_damaged(path: Path) -> None:
    path.mkdir()

    with pytest.raises(StoreUnusable, match=r"memory\.db cannot be opened"):
        open_store(url=None, path=path, clock=StoppedClock())


def test_a_place_where_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StoreUnusable, match=r"memory\.db cannot be opened"):
        open_store(url=None, path=tmp_path / "file" / "memory.db", clock=StoppedClock())


async def test_a_store_is_opened_again_with_all_that_was_in_it(path: Path) -> None:
    await _filled(path)

    store = open_store(url=None, path=path, clock=StoppedClock())

    assert (await store.health()).messages == 200
    await store.close()


async def test_an_empty_file_is_a_new_store(path: Path) -> None:
    path.touch()
    store = open_store(url=None, path=path, clock=StoppedClock())

    assert await store.users() == []
    await store.close()


async def test_only_the_owner_can_read_the_files(path: Path) -> None:
    store = open_store(url=None, path=path, clock=StoppedClock())
    await store.users()

    files = list(path.parent.glob("memory.db*"))

    assert len(files) == 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    await store.close()


async def test_a_path_may_hold_any_sign(tmp_path: Path) -> None:
    odd = tmp_path / "記憶 100% #1?.db"
    for _ in range(2):
        store = open_store(url=None, path=odd, clock=StoppedClock())
        assert await store.users() == []
        await store.close()


@pytest.mark.parametrize("both", [True, False])
def test_one_place_must_be_named(path: Path, both: bool) -> None:
    with pytest.raises(ValueError, match="either"):
        open_store(url="postgresql://localhost/x" if both else None, path=path if both else None, clock=StoppedClock())


def test_the_first_start_makes_the_same_store_as_the_class(path: Path) -> None:
    assert isinstance(open_store(url=None, path=path, clock=StoppedClock()), SqliteStore)


@pytest.mark.parametrize("url", ["postgresql://nobody@127.0.0.1:1/none", "not an address", "postgresql://"])
def test_a_server_that_does_not_answer_is_named(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", str(tmp_path))  # no server listens there

    with pytest.raises(StoreUnusable) as refused:
        open_store(url=url, path=None, clock=StoppedClock())

    assert refused.value.do
