"""The folder of backups: what lies in it, how a new one appears all at once, and how what was half done is cleared away.

A backup is a folder of its own. It is put together under `.part-NAME`, takes the place of an older one through `.old-NAME`, and
leaves through `.gone-NAME`; a process killed in between leaves nothing but these names.
"""

import os
import re
import shutil
import sqlite3
from collections.abc import Collection, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from echovessel.adapters.backup.manifest import DATABASE, FIRST, LAST, Manifest, name_at, read_manifest, write_manifest
from echovessel.adapters.home import sync_folder
from echovessel.adapters.store.forgetting import Gone, holds
from echovessel.core.errors import BackupFailed, NotFound, StoreUnusable
from echovessel.ports.backups import Backup, Reason

_NAME = re.compile(rf"(\d{{8}}T\d{{6}})Z(-\d+)?-({'|'.join(Reason)})")
_PART, _OLD, _GONE = ".part-", ".old-", ".gone-"
_LEFT = re.compile(rf"(?P<how>{'|'.join(map(re.escape, (_PART, _OLD, _GONE)))})(?P<name>{_NAME.pattern})")
_MODE = 0o700
_AS_IT_WAS = "This version could not read it (damaged, or newer); its files lie here as they were, whatever you delete."


def folder_of(home: Path, configured: str) -> Path:
    """Where backups lie: `backups` in the home unless `folder` of [backup] names another place (from the home, if relative)."""
    named = Path(configured.strip() or "backups")
    try:
        return home / named.expanduser()
    except RuntimeError:  # there is nobody of that name: then it is the name of a folder
        return home / named


def backups_in(folder: Path) -> list[Backup]:
    """Every backup in `folder`, the newest first, as a look at it shows: without reading all of it."""
    names = sorted((path.name for path in _entries(folder) if _NAME.fullmatch(path.name)), reverse=True)
    found = [_described(folder / name) for name in names]
    # One that is written anew or removed at this moment looks wrong for an instant.
    return [_described(path) if one.wrong else one for one in found if (path := Path(one.path)).exists()]


def holding(folder: Path, gone: Collection[Gone]) -> list[Backup]:
    """The backups in `folder` that hold any of `gone`, or cannot be looked into."""
    return [
        backup for backup in backups_in(folder) if backup.revision and _may_hold(Path(backup.path) / DATABASE, gone)
    ]


@contextmanager
def new_backup(folder: Path, made_at: datetime, reason: Reason) -> Generator[Path]:
    """A folder to put a backup together in: kept under its name at the end of the block, gone when the block fails."""
    folder.mkdir(mode=_MODE, exist_ok=True)  # not what lies above it: a disk that is missing is not made up
    name = next(name for name in _names(made_at, reason) if not (folder / name).exists())
    with _part(folder, name) as part:
        yield part
        part.rename(kept_as(part))
        sync_folder(folder)


@contextmanager
def instead_of(backup: Path) -> Generator[Path]:
    """A folder that takes the backup's place at the end of the block; until then the backup stays as it is."""
    folder, old = backup.parent, backup.with_name(f"{_OLD}{backup.name}")
    with _part(folder, backup.name) as part:
        yield part
        backup.rename(old)
        part.rename(backup)
        sync_folder(folder)
        shutil.rmtree(old)


def must_be_name(name: str) -> None:
    """NotFound for what no backup is called."""
    if not _NAME.fullmatch(name):
        raise _no_such_backup()


def remove(folder: Path, name: str) -> None:
    """Take a backup, or what only has the name of one, out of the folder; NotFound when it is not there."""
    path = folder / name
    must_be_name(name)
    if not os.path.lexists(path):
        raise _no_such_backup()
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    leaving = folder / f"{_GONE}{name}"
    path.rename(leaving)
    sync_folder(folder)
    shutil.rmtree(leaving)


def sweep(folder: Path) -> None:
    """Clear away what a killed process left: what was half made goes, what was being replaced comes back or goes. Whatever else
    lies in the folder is not ours."""
    for path in _entries(folder):
        left = _LEFT.fullmatch(path.name)
        if left is None or not path.is_dir() or path.is_symlink():
            continue
        if left["how"] == _OLD and not (folder / left["name"]).exists():
            path.rename(folder / left["name"])
        else:
            shutil.rmtree(path)


def kept_as(part: Path) -> Path:
    """Where a backup that is put together in `part` will be."""
    return part.with_name(part.name.removeprefix(_PART))


def finish(part: Path, manifest: Manifest) -> None:
    """Write the manifest of the backup in `part`: the last thing in it."""
    (part / DATABASE).chmod(0o600)
    write_manifest(part, manifest)
    sync_folder(part)


@contextmanager
def plain_errors(folder: Path) -> Generator[None]:
    """Say what the system's and the database's errors mean for a backup."""
    try:
        yield
    except (OSError, sqlite3.Error, DBAPIError) as cause:
        if _is_damage(cause):
            raise StoreUnusable(
                f"The database is damaged ({_reason(cause)}), and cannot be copied.",
                do="Stop EchoVessel and bring back an older backup: `echovessel backup list`, `echovessel restore NAME`.",
            ) from cause
        raise BackupFailed(
            f"A backup in {folder} failed: {_reason(cause)}.",
            do="See that the folder is there, may be written to, and that its disk has room for a copy of the database; "
            "or name another one: `folder` in [backup] of config.toml.",
        ) from cause


def _no_such_backup() -> NotFound:
    return NotFound("There is no such backup.", do="`echovessel backup list` shows which there are.")


def _is_damage(cause: OSError | sqlite3.Error | DBAPIError) -> bool:
    """Only this very class says that a file is no database or damaged; its subclasses tell of disks, locks and mistakes."""
    return type(cause.orig if isinstance(cause, DBAPIError) else cause) is sqlite3.DatabaseError


def _reason(cause: OSError | sqlite3.Error | DBAPIError) -> str:
    if isinstance(cause, OSError):
        return cause.strerror or str(cause)
    return str(cause.orig if isinstance(cause, DBAPIError) else cause)


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except FileNotFoundError:
        return []


def _names(made_at: datetime, reason: Reason) -> Iterator[str]:
    number = 1
    while True:
        yield name_at(made_at, reason, number)
        number += 1


@contextmanager
def _part(folder: Path, name: str) -> Generator[Path]:
    part = folder / f"{_PART}{name}"
    part.mkdir(mode=_MODE)
    try:
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _may_hold(database: Path, gone: Collection[Gone]) -> bool:
    try:
        return database.exists() and holds(database, gone)
    except (OSError, DBAPIError):
        return True


def _described(path: Path) -> Backup:
    try:
        manifest = read_manifest(path)
    except OSError as cause:
        return _without_manifest(path, f"Its manifest cannot be read ({_reason(cause)}).")
    if manifest is None:
        return _without_manifest(path, "Its manifest is gone or cannot be read.")
    if not manifest.revision:
        return manifest.of(path, wrong=_AS_IT_WAS)
    try:
        if (path / DATABASE).stat().st_size != manifest.bytes:
            return manifest.of(path, wrong="Its database is not as long as it was.")
    except FileNotFoundError:
        return manifest.of(path, wrong="Its database is gone.")
    except OSError:
        return manifest.of(path, wrong="Its database cannot be read.")
    return manifest.of(path)


def _without_manifest(path: Path, wrong: str) -> Backup:
    match = _NAME.fullmatch(path.name)
    assert match is not None
    nothing = Manifest(
        made_at=_named_instant(match[1]),
        reason=Reason(match[3]),
        program="",
        revision="",
        messages=0,
        bytes=0,
        sha256="",
    )
    return nothing.of(path, wrong=wrong)


def _named_instant(stamp: str) -> datetime:
    """When the name says that it was made; the beginning of Unix time when it names no instant that a manifest could."""
    try:
        named = datetime.strptime(stamp, "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return FIRST
    return min(max(named, FIRST), LAST)
