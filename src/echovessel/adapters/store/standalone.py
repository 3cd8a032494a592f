"""A SQLite file by itself, without a store around it: copied while others write, looked at, changed before anyone opens it."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from urllib.parse import quote

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from echovessel.adapters.home import sync_file
from echovessel.adapters.store import schema, search, timeline
from echovessel.core.errors import StoreUnusable

_PATIENCE_S = 5.0
"""How long another program may keep the file locked."""
_STEPS = 1_000
"""Steps of SQLite's machine between two looks whether to stop: about a millisecond."""


_NEVER_OURS = "SELECT count(*) FROM sqlite_master WHERE type IN ('trigger', 'view')"
"""They would act whenever we write, with our hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a database says of itself: its schema's revision and how many messages are not deleted."""

    revision: str
    messages: int


def copy_whole(source: Path, target: Path, stop: Event) -> None:
    """Write the database as it is at this moment into the new file `target`, without what was removed from it.

    Nobody who writes to `source` waits: it is one read in its write-ahead log's snapshot. Setting `stop` breaks it off.
    Raises `sqlite3.Error` or OSError; then `target` may be there in part.
    """
    target.touch(mode=0o600, exist_ok=False)
    with closing(sqlite3.connect(f"{_uri(source)}?mode=ro", uri=True, timeout=_PATIENCE_S)) as connection:
        connection.set_progress_handler(lambda: int(stop.is_set()), _STEPS)
        connection.execute("VACUUM INTO ?", (str(target),))
    with writing(target) as conn:
        search.forget_removed(conn)
    sync_file(target)


def examine(path: Path) -> Facts:
    """Read every page of a database that nobody writes to. StoreUnusable when it is damaged, newer than we are, or not ours."""
    try:
        with reading(path, alone=True) as conn:
            revision = schema.revision(conn)
            if revision is None:
                raise StoreUnusable("It holds nothing.", do="Name a backup that was made by EchoVessel.")
            schema.refuse_newer(revision)
            if conn.exec_driver_sql(_NEVER_OURS).scalar_one():
                raise StoreUnusable(
                    "It holds programs of its own (triggers or views), which EchoVessel never makes.",
                    do="Name a backup that was made by EchoVessel.",
                )
            if (found := conn.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()) != "ok":
                raise _damaged(str(found))
            return Facts(revision=revision, messages=timeline.count_live(conn))
    except DBAPIError as cause:
        raise _damaged(str(cause.orig)) from cause


@contextmanager
def reading(path: Path, *, alone: bool = False) -> Generator[Connection]:
    """A connection that only reads. `alone`: nobody else has the file open, so that nothing needs to be made beside it."""
    how = "immutable=1" if alone else "mode=ro"
    with _connected(f"{_uri(path)}?{how}") as conn:
        yield conn


@contextmanager
def writing(path: Path) -> Generator[Connection]:
    """A connection to change a file that nobody else knows of yet; committed, and on disk, at the end. What is removed is
    overwritten, and no second file is made beside it."""
    with _connected(f"{_uri(path)}?mode=rw") as conn:
        for setting in ("journal_mode = MEMORY", "synchronous = FULL", "secure_delete = 1", "foreign_keys = 1"):
            conn.exec_driver_sql(f"PRAGMA {setting}")
        conn.commit()
        yield conn
        conn.commit()


def _uri(path: Path) -> str:
    return f"file:{quote(str(path.absolute()))}"


@contextmanager
def _connected(uri: str) -> Generator[Connection]:
    engine = create_engine(
        "sqlite://", creator=lambda: sqlite3.connect(uri, uri=True, timeout=_PATIENCE_S), poolclass=NullPool
    )
    with engine.connect() as conn:
        yield conn


def _damaged(found: str) -> StoreUnusable:
    return StoreUnusable(f"It is damaged ({found}).", do="Name another backup: `echovessel backup list` shows them.")
