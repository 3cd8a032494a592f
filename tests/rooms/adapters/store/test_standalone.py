"""A SQLite file by itself: copied in one snapshot, looked at, and changed before anyone opens it."""

import shutil
import sqlite3
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import text

from echovessel.adapters.store.schema import HEAD
from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.adapters.store.standalone import copy_whole, examine, reading, writing
from echovessel.core.errors import StoreUnusable
from echovessel.testing.contracts.store_house import StoreHouse
from tests.support.spoilt import spoil_index


@pytest.fixture
async def copy(house: StoreHouse, path: Path) -> Path:
    """A copy of a database in which something was said."""
    await house.do(house.hearing("hello"))
    copy_whole(path, path.with_name("copy.db"), Event())
    return path.with_name("copy.db")


def test_a_copy_is_one_private_file_that_stands_alone(copy: Path) -> None:
    assert examine(copy).revision == HEAD
    assert examine(copy).messages == 1
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in copy.parent.iterdir() if path.name.startswith("copy.db")] == ["copy.db"]


def test_an_existing_file_is_not_written_over(copy: Path, path: Path) -> None:
    with pytest.raises(FileExistsError):
        copy_whole(path, copy, Event())


async def test_a_copy_can_be_broken_off(house: StoreHouse, path: Path) -> None:
    await house.store.apply([house.hearing("x") for _ in range(300)])
    stop = Event()
    stop.set()

    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        copy_whole(path, path.with_name("copy.db"), stop)


def test_looking_writes_nothing(copy: Path) -> None:
    before = copy.read_bytes()

    with reading(copy, alone=True) as conn:
        assert conn.scalar(text("SELECT count(*) FROM message")) == 1

    assert copy.read_bytes() == before
    assert not copy.with_name("copy.db-wal").exists()


def test_what_is_written_is_there_and_what_is_removed_is_overwritten(copy: Path) -> None:
    with writing(copy) as conn:
        conn.execute(text("UPDATE message_text SET text = 'qoxvathu'"))
    assert b"qoxvathu" in copy.read_bytes()

    with writing(copy) as conn:
        conn.execute(text("UPDATE message_text SET text = ''"))
    assert b"qoxvathu" not in copy.read_bytes()


def _cut(copy: Path) -> None:
    with copy.open("r+b") as file:
        file.truncate(copy.stat().st_size // 2)


def _of_another_program(copy: Path) -> None:
    copy.unlink()
    connection = sqlite3.connect(copy)
    connection.execute("CREATE TABLE recipe (id)")
    connection.close()


def _with_a_trigger(copy: Path) -> None:
    connection = sqlite3.connect(copy)
    connection.execute("CREATE TRIGGER t AFTER INSERT ON message BEGIN DELETE FROM message_text; END")
    connection.close()


def _with_a_spoilt_index(copy: Path) -> None:
    spoil_index(copy, "ix_message_turn")


def _newer(copy: Path) -> None:
    connection = sqlite3.connect(copy)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (_cut, "damaged"),
        (lambda copy: copy.write_bytes(b"garbage" * 1000), "damaged"),
        (lambda copy: copy.write_bytes(b""), "holds nothing"),
        (_of_another_program, "not EchoVessel's"),
        (_newer, "schema 9999"),
        (_with_a_trigger, "triggers"),
        (_with_a_spoilt_index, "damaged"),
    ],
)
def test_what_cannot_be_used_says_why(copy: Path, damage, why: str) -> None:
    damage(copy)

    with pytest.raises(StoreUnusable, match=why):
        examine(copy)


async def test_a_file_that_was_copied_by_hand_with_its_log_is_read_with_it(
    store: SqliteStore, house: StoreHouse, path: Path
) -> None:
    await house.do(house.hearing("hello"))
    by_hand = path.with_name("by-hand.db")
    for end in ("", "-wal"):
        shutil.copyfile(f"{path}{end}", f"{by_hand}{end}")

    with writing(by_hand):
        pass

    assert examine(by_hand).messages == 1
    assert not by_hand.with_name("by-hand.db-wal").exists()
