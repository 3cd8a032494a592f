import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import IntegrityError, OperationalError

from echovessel.adapters.store import sqlite
from echovessel.adapters.store.writer import Writer
from echovessel.core.errors import Conflict


class Notes:
    """A writer on a table of its own, which can be held back and whose commits are counted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._engine = sqlite._engine(lambda: sqlite._connect_writer(path, "OFF"), "BEGIN IMMEDIATE", size=1)
        connection = self._engine.connect()
        connection.execute(text("CREATE TABLE note (id INTEGER PRIMARY KEY, words TEXT)"))
        connection.commit()
        self.commits = 0
        self.break_next_commit = False
        self.waits: list[bool] = []
        self.writer = Writer(connection, begin=self._begin, commit=self._commit)
        self._gate = threading.Event()

    def _begin(self, connection: Connection, durable: bool) -> None:
        self.waits.append(durable)
        connection.begin()

    def _commit(self, connection: Connection) -> None:
        if self.break_next_commit:
            self.break_next_commit = False
            raise OperationalError("COMMIT", None, Exception("disk full"))
        self.commits += 1
        connection.commit()

    def add(self, number: int, *, durable: bool = True) -> Future[int]:
        return self.writer.submit(lambda conn: _add(conn, number), durable=durable)

    def hold(self) -> None:
        """Keep the writer busy, so that what comes next is one group."""
        self._gate.clear()
        self.writer.alone(lambda _: self._gate.wait(10))

    def release(self) -> None:
        self._gate.set()

    def numbers(self) -> list[int]:
        engine = create_engine(f"sqlite:///{self._path}")
        with engine.connect() as conn:
            found = [row[0] for row in conn.execute(text("SELECT id FROM note ORDER BY id"))]
        engine.dispose()
        return found

    def close(self) -> None:
        self.release()
        self.writer.close()
        self._engine.dispose()


def _add(conn: Connection, number: int) -> int:
    conn.execute(text("INSERT INTO note VALUES (:number, '')"), {"number": number})
    return number


@pytest.fixture
def notes(path: Path) -> Iterator[Notes]:
    notes = Notes(path)
    yield notes
    notes.close()


def test_what_waits_together_is_committed_together(notes: Notes) -> None:
    notes.hold()
    waiting = [notes.add(number) for number in range(20)]
    notes.release()

    assert [future.result(10) for future in waiting] == list(range(20))
    assert notes.commits == 1
    assert notes.numbers() == list(range(20))


def test_a_group_waits_for_the_disk_when_one_of_its_requests_has_to(notes: Notes) -> None:
    notes.add(1, durable=False).result(10)
    notes.hold()
    group = [notes.add(2, durable=False), notes.add(3), notes.add(4, durable=False)]
    notes.release()
    for future in group:
        future.result(10)

    assert notes.waits == [False, True]


def test_nobody_is_told_before_the_commit(notes: Notes) -> None:
    seen: list[list[int]] = []
    notes.hold()
    future = notes.add(1)
    future.add_done_callback(lambda _: seen.append(notes.numbers()))
    notes.release()
    future.result(10)
    notes.close()

    assert seen == [[1]]


def test_a_failing_request_does_not_harm_its_neighbours(notes: Notes) -> None:
    def half(conn: Connection) -> int:
        _add(conn, 100)
        raise Conflict("no", do="nothing")

    notes.hold()
    before, failing, twice, after = notes.add(1), notes.writer.submit(half), notes.add(1), notes.add(2)
    notes.release()

    assert (before.result(10), after.result(10)) == (1, 2)
    with pytest.raises(Conflict):
        failing.result(10)
    with pytest.raises(IntegrityError):
        twice.result(10)
    assert notes.numbers() == [1, 2]


def test_text_that_is_no_text_fails_alone(notes: Notes) -> None:
    def lone_surrogate(conn: Connection) -> None:
        conn.execute(text("INSERT INTO note VALUES (9, :words)"), {"words": "\ud800"})

    notes.hold()
    failing, fine = notes.writer.submit(lone_surrogate), notes.add(1)
    notes.release()

    assert fine.result(10) == 1
    with pytest.raises(UnicodeEncodeError):
        failing.result(10)


def test_when_the_commit_fails_everyone_is_told_and_nothing_is_there(notes: Notes) -> None:
    notes.hold()
    notes.break_next_commit = True
    lost = [notes.add(1), notes.add(2)]
    notes.release()

    for future in lost:
        with pytest.raises(OperationalError):
            future.result(10)
    assert notes.numbers() == []
    assert notes.add(3).result(10) == 3
    assert notes.numbers() == [3]


def test_a_bug_reaches_its_callers_and_the_writer_goes_on(notes: Notes) -> None:
    def bug(_: Connection) -> None:
        raise ZeroDivisionError

    notes.hold()
    with_it = [notes.add(1), notes.writer.submit(bug)]
    notes.release()

    for future in with_it:
        with pytest.raises(ZeroDivisionError):
            future.result(10)
    assert notes.numbers() == []
    assert notes.add(2).result(10) == 2


def test_a_request_whose_caller_left_in_time_is_not_done(notes: Notes) -> None:
    notes.hold()
    left, stayed = notes.add(1), notes.add(2)
    assert left.cancel()
    notes.release()

    assert stayed.result(10) == 2
    with pytest.raises(CancelledError):
        left.result(10)
    assert notes.numbers() == [2]


def test_closing_writes_what_was_accepted(notes: Notes) -> None:
    notes.hold()
    waiting = [notes.add(number) for number in range(300)]
    notes.close()

    assert all(future.done() for future in waiting)
    assert len(notes.numbers()) == 300
    with pytest.raises(RuntimeError):
        notes.add(999)


def test_work_alone_begins_and_commits_for_itself(notes: Notes) -> None:
    def alone(conn: Connection) -> None:
        _add(conn, 1)
        conn.commit()

    notes.writer.alone(alone).result(10)

    assert notes.numbers() == [1]


def test_work_alone_that_fails_leaves_nothing_open(notes: Notes) -> None:
    def failing(conn: Connection) -> None:
        _add(conn, 1)
        raise Conflict("no", do="nothing")

    with pytest.raises(Conflict):
        notes.writer.alone(failing).result(10)

    assert notes.add(2).result(10) == 2
    assert notes.numbers() == [2]
