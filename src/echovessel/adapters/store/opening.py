"""Opening the store: look before touching, then upgrade, then hand it out."""

import sqlite3
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import create_engine
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import NullPool

from echovessel.adapters.store import schema
from echovessel.adapters.store.base import SqlStore
from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.core.errors import StoreUnusable
from echovessel.ports.clock import Clock

_CHECKED_WHOLE = 256 * 2**20
"""Bytes up to which each opening checks every page (about a second); `doctor` checks larger files."""


def open_store(*, url: str | None, path: Path | None, clock: Clock) -> SqlStore:
    """The store in the SQLite file `path`, or in the PostgreSQL database `url` (`postgresql://…`); exactly one is given.

    A new file is made, private to its owner. Raises `StoreUnusable` and leaves the data as they are when they are damaged,
    newer than this program, or not ours.
    """
    if path is not None and url is None:
        return _open_sqlite(path, clock)
    if url is not None and path is None:
        from echovessel.adapters.store.postgres import PostgresStore  # its driver is an extra

        return PostgresStore(url, clock)
    raise ValueError("name either a path or a URL")


def _open_sqlite(path: Path, clock: Clock) -> SqliteStore:
    if path.exists() and path.stat().st_size:
        _look(path)
    else:
        path.touch(mode=0o600)
    path.chmod(0o600)  # the files SQLite makes beside it get the same mode
    return SqliteStore(path, clock)


def _look(path: Path) -> None:
    """Read what is there without writing a byte; StoreUnusable when it cannot be used."""
    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True),
        poolclass=NullPool,
    )
    try:
        with engine.connect() as conn:
            schema.refuse_newer(schema.revision(conn))
            if path.stat().st_size <= _CHECKED_WHOLE:
                found = conn.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
                if found != "ok":
                    raise _damaged(path, found)
    except DatabaseError as cause:
        raise _damaged(path, str(cause.orig)) from cause


def _damaged(path: Path, found: str) -> StoreUnusable:
    return StoreUnusable(
        f"{path.name} is damaged ({found}); it was left as it is.",
        do=f"Restore a backup in its place, or keep a copy and try `sqlite3 {path.name} .recover` on that.",
    )
