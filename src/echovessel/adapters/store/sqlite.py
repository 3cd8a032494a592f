"""The store in one SQLite file: one writer thread, a few reading connections."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, Engine, QueuePool, create_engine
from sqlalchemy.pool import PoolProxiedConnection
from typing_extensions import override

from echovessel.adapters.store import cutting, dispatch, jobs, schema, search, timeline
from echovessel.adapters.store.base import SqlStore
from echovessel.adapters.store.dispatch import Done
from echovessel.adapters.store.troubles import plain_errors
from echovessel.adapters.store.writer import Writer
from echovessel.core.errors import PortDown, StoreGone
from echovessel.ports.changes import Applied, Change, Fence
from echovessel.ports.clock import Clock
from echovessel.ports.meter import Meter
from echovessel.ports.records import JobState, StoreHealth

P = ParamSpec("P")
T = TypeVar("T")

_READERS = 4
_BUSY_MS = 5000

SYNCHRONOUS = "FULL"
"""A commit waits until the disk has it: an acknowledged message survives a power cut."""

UNHURRIED = "NORMAL"
"""The disk may take its time: a power cut takes the newest of these commits back, and nothing that was written before them."""

_DURABLE = {"journal_mode": "wal", "synchronous": 2, "fullfsync": 1, "checkpoint_fullfsync": 1}
"""What the writer's settings must read back as; `fullfsync` makes macOS wait for the disk itself and is ignored elsewhere."""


class SqliteStore(SqlStore):
    """Implements `ports.store.Store`. `_synchronous` is there for the test that a careless setting is noticed."""

    def __init__(
        self, path: Path, clock: Clock, meter: Meter | None = None, *, _synchronous: str = SYNCHRONOUS
    ) -> None:
        super().__init__(clock, meter, poll_s=None)
        self._path = path
        self._synchronous = _synchronous
        self._opened = clock.now(), clock.monotonic()
        self._write_engine = _engine(lambda: _connect_writer(path, _synchronous), "BEGIN IMMEDIATE", size=1)
        self._read_engine = _engine(lambda: _connect_reader(path), "BEGIN", size=_READERS)
        with ExitStack() as undo:
            undo.callback(self._write_engine.dispose)
            connection = undo.enter_context(self._write_engine.connect())
            schema.upgrade(connection)
            connection.commit()
            undo.pop_all()
        self._file = _identity(path)
        self._writer = Writer(connection, begin=self._begin, commit=self._commit)
        self._readers = ThreadPoolExecutor(max_workers=_READERS, thread_name_prefix="store-reader")

    @override
    async def _apply(self, changes: Sequence[Change], fence: Fence | None) -> Applied:
        texts = cutting.long_texts(changes)
        cut = await self._on_a_reader(lambda: cutting.cut(texts)) if texts else cutting.cut(texts)

        def work(conn: Connection) -> Done:
            now = self._clock.now()
            return dispatch.run(conn, changes, fence, now=now, lease_clock=lambda _: self._steady_now(), cut=cut)

        writing = self._writer.submit(work, durable=not dispatch.is_done_again(changes))
        writing.add_done_callback(self._announce)
        async with plain_errors(self._path.parent):
            return (await asyncio.wrap_future(writing)).applied

    @override
    async def _touch(self) -> None:
        async with plain_errors(self._path.parent):
            await asyncio.wrap_future(self._writer.submit(_rewrite_first_page))

    @override
    async def health(self) -> StoreHealth:
        async with plain_errors(self._path.parent):
            settings = await asyncio.wrap_future(self._writer.submit(_settings))
        return await self._read(self._examine, settings == _DURABLE)

    @override
    async def scrub(self) -> None:
        async with plain_errors(self._path.parent):
            await asyncio.wrap_future(self._writer.alone(_scrub))

    @override
    async def close(self) -> None:
        await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._readers.shutdown)
        self._read_engine.dispose()
        self._write_engine.dispose()
        self._bell.ring_all()

    @override
    async def _read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        def work() -> T:
            with self._read_engine.begin() as conn:
                return query(conn, *args, **kwargs)

        async with plain_errors(self._path.parent):
            return await self._on_a_reader(work)

    async def _on_a_reader(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    @override
    def _lease_now(self, conn: Connection, now: datetime) -> datetime:
        return self._steady_now()

    def _steady_now(self) -> datetime:
        """A clock for leases that nobody sets: one process owns the file, so they are judged by how long it has had it open."""
        at, seconds = self._opened
        return at + timedelta(seconds=self._clock.monotonic() - seconds)

    def _begin(self, conn: Connection, durable: bool) -> None:
        """Begin a transaction. Whether its commit waits for the disk cannot be said any later."""
        driver = conn.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        _set(driver, synchronous=self._synchronous if durable else UNHURRIED)
        conn.begin()

    def _commit(self, conn: Connection) -> None:
        """Commit, unless the file was moved, replaced or removed: SQLite would go on writing into what nobody finds again."""
        if _identity(self._path) != self._file:
            raise StoreGone(
                f"{self._path.name} is not where it was: it was moved, replaced or removed while EchoVessel ran.",
                do="Put it back, or stop EchoVessel and start it again when the home is in its place.",
            )
        conn.commit()
        self._meter.committed()

    def _announce(self, writing: Future[Done]) -> None:
        if not writing.cancelled() and writing.exception() is None:
            self._bell.ring(writing.result().told)

    def _examine(self, conn: Connection, durable: bool) -> StoreHealth:
        return StoreHealth(
            kind="sqlite",
            where=str(self._path),
            revision=schema.revision(conn) or "",
            integrity=str(conn.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()),
            durable=durable,
            messages=timeline.count_live(conn),
            parked_jobs=jobs.count(conn, JobState.PARKED),
        )


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file a path leads to; None when to none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _connect_writer(path: Path, synchronous: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    _set(connection, journal_mode="WAL", synchronous=synchronous, fullfsync=1, checkpoint_fullfsync=1)
    _set(connection, foreign_keys=1, secure_delete=1, temp_store="MEMORY", busy_timeout=_BUSY_MS)
    return connection


def _connect_reader(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
    )
    _set(connection, query_only=1, temp_store="MEMORY", busy_timeout=_BUSY_MS)
    return connection


def _set(connection: sqlite3.Connection, **settings: str | int) -> None:
    for name, value in settings.items():
        connection.execute(f"PRAGMA {name} = {value}")


def _engine(connect: Callable[[], sqlite3.Connection], begin: str, *, size: int) -> Engine:
    """An engine whose transactions start with `begin`: the driver's own way would start them too late.

    Not by a "begin" event, as SQLAlchemy's manual has it: a connection whose event failed once never begins again.
    """
    engine = create_engine(
        "sqlite://", creator=connect, poolclass=QueuePool, pool_size=size, max_overflow=0, pool_reset_on_return=None
    )

    def do_begin(dbapi_connection: PoolProxiedConnection) -> None:
        dbapi_connection.cursor().execute(begin)

    engine.dialect.do_begin = do_begin
    return engine


def _settings(conn: Connection) -> dict[str, Any]:
    return {name: conn.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in _DURABLE}


def _rewrite_first_page(conn: Connection) -> None:
    """A number that we do not use keeps its value; SQLite writes the page that holds it all the same."""
    unused = conn.exec_driver_sql("PRAGMA user_version").scalar_one()
    conn.exec_driver_sql(f"PRAGMA user_version = {unused}")


def _scrub(conn: Connection) -> None:
    """Erased rows are overwritten as they go (`secure_delete`); this also takes them out of the full-text index and the log."""
    search.forget_removed(conn)
    conn.commit()
    connection = conn.connection.driver_connection
    assert isinstance(connection, sqlite3.Connection)
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise PortDown("The write-ahead log is still being read.", do="Nothing to do: it is tried again.")
