"""Making backups of a SQLite file while it is written to, and keeping them free of what was deleted since."""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Concatenate, ParamSpec, TypeVar

from echovessel import __version__
from echovessel.adapters.backup import folder as folders
from echovessel.adapters.backup.manifest import DATABASE, Manifest, read_manifest, sha256_of
from echovessel.adapters.store.forgetting import Gone, deleted_in, erase_from
from echovessel.adapters.store.standalone import copy_whole, examine
from echovessel.core.errors import BackupFailed, ConfigError, StoreUnusable
from echovessel.ports.backups import Backup, Reason
from echovessel.ports.clock import Clock

P = ParamSpec("P")
T = TypeVar("T")


class FolderBackups:
    """Implements `ports.backups.Backups` for the SQLite file `database`. `folder` is asked each time: settings may change.

    The work is done in a thread of its own, one piece at a time, and looking in another: whoever waits for either takes nothing
    that a turn needs. A caller that is cancelled breaks its work off.
    """

    here = True

    def __init__(self, database: Path, folder: Callable[[], Path], clock: Clock) -> None:
        self._database = database
        self._folder = folder
        self._clock = clock
        self._working = ThreadPoolExecutor(1, "backup")
        self._looking = ThreadPoolExecutor(1, "backup-look")

    @property
    def folder(self) -> str:
        return str(self._folder())

    async def make(self, reason: Reason, mark: str = "") -> Backup:
        return await self._run(self._working, make, self._database, self._clock.now(), reason, mark)

    async def listed(self) -> Sequence[Backup]:
        return await self._run(self._looking, lambda folder, _: folders.backups_in(folder))

    async def holding_deleted(self) -> frozenset[str]:
        return await self._run(self._looking, self._holding_deleted)

    async def remove(self, name: str) -> None:
        await self._run(self._working, lambda folder, _: folders.remove(folder, name))

    async def forget_deleted(self) -> None:
        await self._run(self._working, self._forget_deleted)

    async def sweep(self) -> None:
        await self._run(self._working, lambda folder, _: folders.sweep(folder))

    async def close(self) -> None:
        await asyncio.to_thread(self._working.shutdown)
        self._looking.shutdown(wait=False)

    def _holding_deleted(self, folder: Path, _: Event) -> frozenset[str]:
        return frozenset(backup.name for backup in folders.holding(folder, deleted_in(self._database)))

    def _forget_deleted(self, folder: Path, stop: Event) -> None:
        gone, now = deleted_in(self._database), self._clock.now()
        stayed: list[str] = []
        for backup in folders.holding(folder, gone):
            if not stop.is_set():
                try:
                    with folders.plain_errors(folder):
                        _write_without(Path(backup.path), gone, now, stop)
                except (BackupFailed, StoreUnusable):
                    stayed.append(backup.name)
        if stayed:
            raise BackupFailed(
                f"What was deleted could not be taken out of these backups in {folder}: {', '.join(stayed)}.",
                do="Make the folder writable and its disk roomy, or remove them: `echovessel backup remove NAME`.",
            )

    async def _run(
        self,
        thread: ThreadPoolExecutor,
        work: Callable[Concatenate[Path, Event, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        folder, stop = self._folder(), Event()

        def run() -> T:
            with folders.plain_errors(folder):
                return work(folder, stop, *args, **kwargs)

        try:
            return await asyncio.get_running_loop().run_in_executor(thread, run)
        finally:
            stop.set()


def back_up_before_upgrade(database: Path, folder: Path, now: datetime) -> Backup:
    """Keep a database as it is before its schema changes: once, however often the upgrade is tried. ConfigError when it could
    not be kept: then it must not change."""
    try:
        with folders.plain_errors(folder):
            made = make(folder, Event(), database, now, Reason.BEFORE_UPGRADE)
            if same := _same_as(made, folder):
                folders.remove(folder, made.name)
            return same or made
    except BackupFailed as failed:
        raise ConfigError(
            f"The database is of an older version and is backed up before it is upgraded. {failed.message}",
            do=failed.do,
        ) from failed


def _same_as(made: Backup, folder: Path) -> Backup | None:
    """Another sound backup with the same data, kept for the same reason."""
    for other in folders.backups_in(folder):
        if other.name != made.name and (other.reason, other.sha256, other.wrong) == (made.reason, made.sha256, ""):
            return other
    return None


def make(folder: Path, stop: Event, database: Path, now: datetime, reason: Reason, mark: str = "") -> Backup:
    """Copy `database` into a new backup, open it, and keep it."""
    with folders.new_backup(folder, now, reason) as part:
        copy_whole(database, part / DATABASE, stop)
        seen = described(part / DATABASE, made_at=now, reason=reason, mark=mark)
        folders.finish(part, seen)
    return seen.of(folders.kept_as(part))


def described(database: Path, *, made_at: datetime, reason: Reason, mark: str) -> Manifest:
    """The manifest of a copy, from opening it and reading all of it. StoreUnusable when that shows it to be damaged."""
    facts = examine(database)
    return Manifest(
        made_at=made_at,
        reason=reason,
        program=__version__,
        revision=facts.revision,
        messages=facts.messages,
        bytes=database.stat().st_size,
        sha256=sha256_of(database),
        mark=mark,
    )


def _write_without(backup: Path, gone: frozenset[Gone], now: datetime, stop: Event) -> None:
    """The backup again, without these messages: in no byte of it."""
    before = read_manifest(backup)
    assert before is not None
    with folders.instead_of(backup) as part:
        draft = part / f"{DATABASE}.draft"
        shutil.copyfile(backup / DATABASE, draft)
        erase_from(draft, gone, now)
        copy_whole(draft, part / DATABASE, stop)
        draft.unlink()
        seen = described(part / DATABASE, made_at=before.made_at, reason=before.reason, mark=before.mark)
        folders.finish(part, seen.model_copy(update={"program": before.program}))
