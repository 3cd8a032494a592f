"""Opening the store: look before touching, then upgrade, then hand it out."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import create_engine
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import NullPool

from echovessel.adapters.store import schema
from echovessel.adapters.store.base import SqlStore
from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.adapters.store.standalone import reading
from echovessel.core.errors import StoreUnusable
from echovessel.ports.clock import Clock
from echovessel.ports.meter import Meter

_CHECKED_WHOLE = 256 * 2**20
"""Bytes up to which each opening checks every page (about a second); `doctor` checks larger files."""

_PATIENCE_S = 2.0
"""How long another program may keep the file locked before we say so."""

_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def open_store(*, url: str | None, path: Path | None, clock: Clock, meter: Meter | None = None) -> SqlStore:
    """The store in the SQLite file `path`, or in the PostgreSQL database `url` (`postgresql://…`); exactly one is given.
    `meter` counts what it does.

    A new file is made, private to its owner. Raises `StoreUnusable` and leaves the data as they are when they are damaged,
    newer than this program, not ours, in use by another program, or not ours to read.
    """
    if path is not None and url is None:
        return _open_sqlite(path, clock, meter)
    if url is not None and path is None:
        from echovessel.adapters.store.postgres import PostgresStore  # its driver is an extra

        return PostgresStore(url, clock, meter)
    raise ValueError("name either a path or a URL")


def _open_sqlite(path: Path, clock: Clock, meter: Meter | None) -> SqliteStore:
    with _said_plainly(path):
        if path.exists() and path.stat().st_size:
            _look(path)
        else:
            path.touch(mode=0o600)
        path.chmod(0o600)  # the files SQLite makes beside it get the same mode
        return SqliteStore(path, clock, meter)


def is_older(path: Path) -> bool:
    """Whether there is a database at `path` whose schema opening it would upgrade. StoreUnusable as for opening."""
    if not path.exists() or not path.stat().st_size:
        return False
    with _said_plainly(path), reading(path) as conn:
        found = schema.revision(conn)
    return found is not None and found < schema.HEAD


def _look(path: Path) -> None:
    """Read what is there without writing a byte; StoreUnusable when it cannot be used."""
    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=_PATIENCE_S),
        poolclass=NullPool,
    )
    with engine.connect() as conn:
        schema.refuse_newer(schema.revision(conn))
        if path.stat().st_size <= _CHECKED_WHOLE:
            found = conn.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
            if found != "ok":
                raise _damaged(path, found)


@contextmanager
def _said_plainly(path: Path) -> Generator[None]:
    """Turn what SQLite and the system say into a `StoreUnusable`. Only what cannot be read as a database is called damaged:
    whoever restores a backup over a file that is merely locked loses what it held."""
    try:
        yield
    except (OperationalError, sqlite3.OperationalError) as cause:
        raise _locked(path) if _code(cause) in _LOCKED else _closed(path, _reason(cause)) from cause
    except (DatabaseError, sqlite3.DatabaseError) as cause:
        raise _damaged(path, _reason(cause)) from cause
    except OSError as cause:
        raise _closed(path, cause.strerror or "") from cause


def _code(error: OperationalError | sqlite3.OperationalError) -> int:
    """SQLite's primary result code; -1 when there is none."""
    origin = error.orig if isinstance(error, OperationalError) else error
    return origin.sqlite_errorcode & 0xFF if isinstance(origin, sqlite3.Error) else -1


def _reason(error: DatabaseError | sqlite3.DatabaseError) -> str:
    return str(error.orig if isinstance(error, DatabaseError) else error)


def _locked(path: Path) -> StoreUnusable:
    return StoreUnusable(
        f"Another program has {path.name} open and locked; it was left as it is, and nothing is wrong with it.",
        do="Close that program (another EchoVessel, a database browser, a backup that is running), then start again.",
    )


def _closed(path: Path, why: str) -> StoreUnusable:
    return StoreUnusable(
        f"{path.name} cannot be opened ({why}); it was left as it is.",
        do="Look whether it is a file that you may read and write, in a folder that you may write to, on a disk with room.",
    )


def _damaged(path: Path, found: str) -> StoreUnusable:
    return StoreUnusable(
        f"{path.name} is damaged ({found}); it was left as it is.",
        do=f"Restore a backup in its place, or keep a copy and try `sqlite3 {path.name} .recover` on that.",
    )
