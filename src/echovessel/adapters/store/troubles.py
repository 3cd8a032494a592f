"""What SQLite's refusals mean: make room, let it write, look at the disk, wait for another program, or stop."""

import asyncio
import errno
import sqlite3
import tempfile
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy.exc import DatabaseError, OperationalError

from echovessel.core.errors import DiskFailing, DiskFull, DiskReadOnly, StoreDown, StoreUnusable

_NO_WRITING = {errno.EROFS, errno.EACCES, errno.EPERM}


@asynccontextmanager
async def plain_errors(folder: Path) -> AsyncGenerator[None]:
    """Raise a `StoreDown` in place of what the driver says of a database in `folder`, or StoreUnusable when the file is
    damaged."""
    try:
        yield
    except OperationalError as cause:
        meant = _meaning(cause)
        if isinstance(meant, DiskFailing) and (why := await asyncio.to_thread(_why_read_only, folder)):
            meant = _read_only(why)
        raise meant from cause
    except DatabaseError as cause:
        if type(cause) is not DatabaseError:
            raise  # its subclasses tell of a bug, not of the file
        raise StoreUnusable(
            f"The database is damaged ({cause.orig}).", do="Stop EchoVessel, keep a copy of the file, restore a backup."
        ) from cause


def _meaning(cause: OperationalError) -> StoreDown:
    codes = set(_codes(cause))
    if sqlite3.SQLITE_FULL in codes:
        return DiskFull(
            "The disk is full, so this could not be kept.",
            do="Free some space on the disk of the home, then try again. What was kept before is safe.",
        )
    if sqlite3.SQLITE_READONLY in codes:
        return _read_only(str(cause.orig))
    if codes & {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}:
        return DiskFailing(
            f"The disk could not do it ({cause.orig}).",
            do="Look at the disk of the home: is it full, connected and sound? Then try again.",
        )
    return StoreDown(
        f"The database could not do it ({cause.orig}).",
        do="Look whether another program has the database open, and at the free space of the disk; then try again.",
    )


def _read_only(why: str) -> DiskReadOnly:
    return DiskReadOnly(
        f"The database may only be read ({why}), so this could not be kept.",
        do="Make the disk of the home writable again, then try again. What was kept before is safe.",
    )


def _why_read_only(folder: Path) -> str:
    """Why nothing may be written into `folder`; empty when it may. A disk that turns read-only under an open write-ahead log is
    a failing one to SQLite, so the system is asked: by a file without a name, as some disks show it only to who writes."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as cause:
        return (cause.strerror or str(cause)) if cause.errno in _NO_WRITING else ""


def _codes(error: BaseException) -> Iterator[int]:
    """SQLite's primary result codes of an error and of those that led to it: a full disk may end the transaction, and then
    giving it back fails too, with an error of its own."""
    origin: BaseException | None = error
    while origin is not None:
        if isinstance(origin, sqlite3.Error) and hasattr(origin, "sqlite_errorcode"):
            yield origin.sqlite_errorcode & 0xFF
        origin = origin.__cause__ or origin.__context__
