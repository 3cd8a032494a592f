"""Bringing a backup back. Nobody may have the database open: the caller holds the lock of the home.

Everything is made ready beside the database and takes its place in one step, so that after a kill at any moment either the old
database stands or the new one. What is replaced is kept as a backup, and what was deleted stays deleted.
"""

import shutil
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Event

from sqlalchemy.exc import DBAPIError

from echovessel import __version__
from echovessel.adapters.backup import folder as folders
from echovessel.adapters.backup.making import make
from echovessel.adapters.backup.manifest import DATABASE, Manifest, read_manifest, sha256_of
from echovessel.adapters.home import Home, sync_file, sync_folder
from echovessel.adapters.store import feed
from echovessel.adapters.store.forgetting import Gone, deleted_in, erase_from, holds
from echovessel.adapters.store.standalone import copy_whole, examine, reading, writing
from echovessel.core.errors import BadInput, StoreUnusable
from echovessel.ports.backups import Backup, Reason

_LOGS = ("-wal", "-shm")


class BackupUnusable(BadInput):
    """Tell the caller: this is no backup that can be brought back; nothing was touched."""

    code = "backup-unusable"

    def __init__(self, message: str, *, do: str) -> None:
        super().__init__(message, field="backup", do=do)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A backup that was checked and lies beside the database, to take its place. `made_at`: None when it does not say."""

    database: Path
    messages: int
    made_at: datetime | None


def find(named: str, folder: Path) -> Path:
    """The database file of a backup: by its name, by its folder, or the file itself. BackupUnusable when there is none."""
    for path in (folder / named, Path(named).expanduser()):
        database = path / DATABASE if path.is_dir() else path
        if database.is_file():
            return database
    raise BackupUnusable(
        f"There is no backup called {named!r} in {folder}, and no such folder or file.",
        do="`echovessel backup list` shows which there are.",
    )


@contextmanager
def made_ready(source: Path, home: Home, folder: Path, now: datetime) -> Generator[Ready]:
    """Check a backup and make its database ready, without what is known to be deleted. BackupUnusable when it cannot be used.

    Whatever was made is gone at the end of the block, unless it took the database's place.
    """
    sweep(home)
    work = _work(home)
    work.mkdir(mode=0o700)
    try:
        with folders.plain_errors(work):
            manifest = _checked_manifest(source)
            draft = work / "draft.db"
            _copy(source, draft)
            _see(draft)
            _without_deleted(draft, _all_deleted(home, folder), now)
            _begin_feeds_anew(draft, home)
            copy_whole(draft, work / DATABASE, Event())
            messages = _see(work / DATABASE)
        made_at = manifest.made_at if manifest else None
        yield Ready(database=work / DATABASE, messages=messages, made_at=made_at)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def keep_present(home: Home, folder: Path, now: datetime) -> Backup | None:
    """Keep what is about to be replaced: as a backup, or, when it is damaged, its files as they are. None without any."""
    if not home.database.exists():
        return None
    try:
        with folders.plain_errors(folder):
            return make(folder, Event(), home.database, now, Reason.BEFORE_RESTORE)
    except StoreUnusable:
        with folders.plain_errors(folder):
            return _keep_files(home.database, folder, now)


def take_its_place(ready: Ready, home: Home) -> None:
    """Put the database that was made ready where the home's is. BackupFailed when that cannot be written."""
    with folders.plain_errors(home.path):
        _close(home.database)
        ready.database.replace(home.database)
        sync_folder(home.path)


def sweep(home: Home) -> None:
    """Clear away what a restore that was killed had made ready."""
    shutil.rmtree(_work(home), ignore_errors=True)


def _work(home: Home) -> Path:
    return home.path / ".restoring"


def _checked_manifest(source: Path) -> Manifest | None:
    """The manifest beside a backup's database, which must be as it was; None when it lies there by itself."""
    manifest = read_manifest(source.parent) if source.name == DATABASE else None
    if manifest and manifest.revision and sha256_of(source) != manifest.sha256:
        raise BackupUnusable(
            f"{source} is not as it was when it was made: something cut or changed it.",
            do="Name another backup: `echovessel backup list` shows them.",
        )
    return manifest


def _copy(source: Path, draft: Path) -> None:
    """A copy to work on, with the write-ahead log of a file that was copied by hand."""
    shutil.copyfile(source, draft)
    log = source.with_name(f"{source.name}-wal")
    if log.exists():
        shutil.copyfile(log, draft.with_name(f"{draft.name}-wal"))
        with _or_unusable(), writing(draft):
            pass


def _see(database: Path) -> int:
    """How many messages it holds, once all of it was read."""
    with _or_unusable():
        return examine(database).messages


@contextmanager
def _or_unusable() -> Generator[None]:
    try:
        yield
    except StoreUnusable as cause:
        raise BackupUnusable(f"This backup cannot be used. {cause.message}", do=cause.do) from cause
    except DBAPIError as cause:
        raise BackupUnusable(
            f"This backup cannot be used. It is damaged ({cause.orig}).",
            do="Name another one: `echovessel backup list` shows them.",
        ) from cause


def _all_deleted(home: Home, folder: Path) -> frozenset[Gone]:
    """What the present database, or any backup, knows to be deleted. One that cannot be read knows nothing."""
    known: set[Gone] = set()
    for database in (home.database, *(Path(b.path) / DATABASE for b in folders.backups_in(folder) if not b.wrong)):
        if database.exists():
            with _if_readable():
                known |= deleted_in(database, alone=database != home.database)
    return frozenset(known)


def _without_deleted(draft: Path, gone: frozenset[Gone], now: datetime) -> None:
    if holds(draft, gone):
        erase_from(draft, gone, now)


def _begin_feeds_anew(draft: Path, home: Home) -> None:
    """Tell whoever read the feeds in the present database that it was replaced."""
    known: Mapping[str, int] = {}
    if home.database.exists():
        with _if_readable(), reading(home.database) as present:
            known = feed.heads(present)
    with writing(draft) as conn:
        feed.begin_anew(conn, known)


@contextmanager
def _if_readable() -> Generator[None]:
    """A database that is damaged has nothing to tell: that is why another one takes its place."""
    try:
        yield
    except DBAPIError as cause:
        if isinstance(cause.orig, sqlite3.OperationalError) and "no such" not in str(cause.orig):
            raise


def _keep_files(database: Path, folder: Path, now: datetime) -> Backup:
    with folders.new_backup(folder, now, Reason.BEFORE_RESTORE) as part:
        for path in (database, *_logs(database)):
            copied = part / path.name.replace(database.name, DATABASE)
            shutil.copyfile(path, copied)
            sync_file(copied)
        kept = part / DATABASE
        manifest = Manifest(
            made_at=now,
            reason=Reason.BEFORE_RESTORE,
            program=__version__,
            revision="",
            messages=0,
            bytes=kept.stat().st_size,
            sha256=sha256_of(kept),
        )
        folders.finish(part, manifest)
    return manifest.of(folders.kept_as(part))


def _close(database: Path) -> None:
    """Take the old database's log into it, since SQLite would read it into the new one; a damaged one just loses it."""
    if not database.exists():
        return
    try:
        with writing(database):
            pass
    except DBAPIError as cause:
        if isinstance(cause.orig, sqlite3.OperationalError):
            raise
    for log in _logs(database):
        log.unlink()


def _logs(database: Path) -> list[Path]:
    return [log for log in (database.with_name(database.name + end) for end in _LOGS) if log.exists()]
