"""The store in a PostgreSQL database that any number of processes share."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, create_engine, func, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InternalError, OperationalError
from typing_extensions import override

from echovessel.adapters.store import cutting, dispatch, jobs, schema, timeline
from echovessel.adapters.store.base import SqlStore
from echovessel.adapters.store.dispatch import Done
from echovessel.core.errors import DiskFull, DiskReadOnly, StoreDown, StoreUnusable
from echovessel.ports.changes import Applied, Change, Fence
from echovessel.ports.clock import Clock
from echovessel.ports.meter import Meter
from echovessel.ports.records import JobState, StoreHealth

P = ParamSpec("P")
T = TypeVar("T")

_CONNECTIONS = 8
_CONNECT_S = 10
"""How long a server may take to let us in, unless the URL says `connect_timeout`; else the system waits for minutes."""
_POLL_S = 0.5
_ATTEMPTS = 4
_UPGRADE_LOCK = 0x6563686F
"""Of `pg_advisory_xact_lock`: one process at a time upgrades the schema."""

_LOST_A_RACE = {"40001", "40P01", "23505"}
"""SQLSTATEs after which the same request can succeed: serialization failure, deadlock, and a row that another process has
just inserted. See appendix A of the PostgreSQL manual."""
_DISK_FULL = "53100"
_READ_ONLY = "25006"

_ERASED_FROM = ("message", "message_text", "message_search", "text_vector", "turn")


class PostgresStore(SqlStore):
    """Implements `ports.store.Store`. `url` is a SQLAlchemy or libpq URL; StoreUnusable when it cannot be used."""

    def __init__(self, url: str, clock: Clock, meter: Meter | None = None) -> None:
        super().__init__(clock, meter, poll_s=_POLL_S)
        self._engine = _engine(url)
        try:
            with self._engine.begin() as conn:
                conn.execute(select(func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
                schema.upgrade(conn)
        except OperationalError as cause:
            self._engine.dispose()
            raise StoreUnusable(
                f"The database does not answer: {_first_line(cause)}",
                do="Check database.url in config.toml, and that the server runs and lets this user in.",
            ) from cause
        except StoreUnusable:
            self._engine.dispose()
            raise
        self._threads = ThreadPoolExecutor(max_workers=_CONNECTIONS, thread_name_prefix="store")

    @override
    async def _apply(self, changes: Sequence[Change], fence: Fence | None) -> Applied:
        return await self._run(self._write, changes, fence)

    @override
    async def _touch(self) -> None:
        await self._run(self._ask_for_a_transaction)

    @override
    async def health(self) -> StoreHealth:
        return await self._read(self._examine)

    @override
    async def scrub(self) -> None:
        """Give the erased rows' space back. A server keeps old pages, logs and replicas in its own way: see `docs/why`."""
        await self._run(self._vacuum)

    @override
    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()
        self._bell.ring_all()

    @override
    async def _read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        def work() -> T:
            with self._engine.connect().execution_options(isolation_level="REPEATABLE READ") as conn:
                return query(conn, *args, **kwargs)

        return await self._run(work)

    @override
    def _lease_now(self, conn: Connection, now: datetime) -> datetime:
        return _database_clock(conn)

    async def _run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        def run() -> T:
            return work(*args, **kwargs)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, run)
        except OperationalError as cause:
            raise _meaning(cause) from cause
        except InternalError as cause:
            if getattr(cause.orig, "sqlstate", None) != _READ_ONLY:
                raise
            raise DiskReadOnly(
                f"The database may only be read: {_first_line(cause)}.",
                do="Name the server that takes writes in database.url, or end its read-only mode.",
            ) from cause

    def _write(self, changes: Sequence[Change], fence: Fence | None) -> Applied:
        """Do the request, again from the start when another process got in between; then wake who waits in this one."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                done = self._write_once(changes, fence)
            except DBAPIError as cause:
                if attempt == _ATTEMPTS or getattr(cause.orig, "sqlstate", None) not in _LOST_A_RACE:
                    raise
            else:
                self._bell.ring(done.told)
                return done.applied
        raise AssertionError("the last attempt returns or raises")

    def _write_once(self, changes: Sequence[Change], fence: Fence | None) -> Done:
        cut = cutting.cut(cutting.long_texts(changes))
        with self._engine.begin() as conn:
            done = dispatch.run(conn, changes, fence, now=self._clock.now(), lease_clock=_database_clock, cut=cut)
        self._meter.committed()
        return done

    def _ask_for_a_transaction(self) -> None:
        """A transaction of its own number is written to the server's log, though it changes nothing."""
        with self._engine.begin() as conn:
            conn.execute(text("SET TRANSACTION READ WRITE"))
            conn.execute(select(func.pg_current_xact_id()))

    def _vacuum(self) -> None:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as conn:
            conn.execute(text(f"VACUUM {', '.join(_ERASED_FROM)}"))

    def _examine(self, conn: Connection) -> StoreHealth:
        settings = {name: conn.execute(text(f"SHOW {name}")).scalar_one() for name in ("fsync", "synchronous_commit")}
        return StoreHealth(
            kind="postgresql",
            where=self._engine.url.render_as_string(hide_password=True),
            revision=schema.revision(conn) or "",
            integrity="ok",
            durable=settings["fsync"] == "on" and settings["synchronous_commit"] != "off",
            messages=timeline.count_live(conn),
            parked_jobs=jobs.count(conn, JobState.PARKED),
        )


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url).set(drivername="postgresql+psycopg")
    except ArgumentError as cause:
        raise StoreUnusable(
            "The database's address cannot be read.", do="Write it as postgresql://user:password@host/name."
        ) from cause
    # Each connection waits for the disk at commit, whatever the server's default is.
    waits: dict[str, object] = {"options": "-c synchronous_commit=on -c timezone=UTC"}
    if "connect_timeout" not in parsed.query:
        waits["connect_timeout"] = _CONNECT_S
    return create_engine(parsed, pool_size=_CONNECTIONS, max_overflow=0, pool_pre_ping=True, connect_args=waits)


def _database_clock(conn: Connection) -> datetime:
    """The server's present moment, not the transaction's beginning."""
    return conn.execute(select(func.clock_timestamp())).scalar_one()


def _meaning(cause: OperationalError) -> StoreDown:
    if getattr(cause.orig, "sqlstate", None) == _DISK_FULL:
        return DiskFull(
            f"The database's disk is full: {_first_line(cause)}.",
            do="Free some space on the disk of the database server, then try again. What was kept before is safe.",
        )
    return StoreDown(
        f"The database could not do it: {_first_line(cause)}",
        do="Check that the database server runs and can be reached; then try again.",
    )


def _first_line(cause: DBAPIError) -> str:
    return str(cause.orig).partition("\n")[0]
