"""Backups: made by themselves once a day, made when asked, and kept free of what was deleted."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from echovessel.core.errors import BackupFailed, StoreUnusable
from echovessel.core.ids import JobId
from echovessel.flows.curate import SCRUB
from echovessel.flows.deps import Deps
from echovessel.flows.rotation import superfluous
from echovessel.ports.backups import Backup, Backups, Kept, Reason
from echovessel.ports.changes import ScheduleJob
from echovessel.ports.front import Check, Verdict
from echovessel.ports.records import Job, JobState
from echovessel.ports.store import Store

BACKUP = "backup"
"""The job that makes the automatic backup and removes those that are no longer needed."""
TRIED_AGAIN = timedelta(hours=1)
"""How long after its last attempt work that was given up is tried again."""


class FlowBackups:
    """Implements `ports.backups.Safekeeping`."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps

    @property
    def folder(self) -> str:
        return self._deps.backups.folder

    async def look(self) -> Kept:
        return await _look(self._deps)

    async def make(self) -> Backup:
        return await _make(self._deps, Reason.ASKED)

    async def remove(self, name: str) -> None:
        await self._deps.backups.remove(name)


async def schedule_due(deps: Deps) -> None:
    """Queue what is due: the automatic backup, and taking what was deleted out of backups where that has not been done."""
    if not deps.backups.here:
        return
    kept = await _look(deps)
    if await _is_due(deps, kept.backups):
        await _queue(deps, BACKUP, "automatic")
    if kept.holding_deleted:
        await _queue(deps, SCRUB, "store")


async def _is_due(deps: Deps, made: Sequence[Backup]) -> bool:
    """Whether it is time for a backup and something has changed since the last."""
    if not deps.settings.current().backup.every_h or _is_young_enough(deps, made):
        return False
    return await _mark(deps.store) not in {backup.mark for backup in made if not backup.wrong}


def _is_young_enough(deps: Deps, made: Sequence[Backup]) -> bool:
    """Whether a sound backup is younger than one has to be. One from the future was made before the clock was set back."""
    now, longest = deps.clock.now(), timedelta(hours=deps.settings.current().backup.every_h)
    return any(timedelta(0) <= now - backup.made_at < longest for backup in made if not backup.wrong)


async def _queue(deps: Deps, kind: str, key: str) -> None:
    """Queue a job unless it waits or runs, or was given up only just now."""
    now, job = deps.clock.now(), await _job(deps.store, kind)
    if job and job.state is not JobState.DONE and not _has_rested(job, now):
        return
    job_id = JobId(deps.ids.ulid(now))
    await deps.store.apply([ScheduleJob(job_id=job_id, kind=kind, key=key, user_id=None, due_at=now)])
    deps.bells.jobs.ring()


async def make_automatic(deps: Deps) -> None:
    """Make the automatic backup, then remove those that the rotation no longer needs. BackupFailed says what to do."""
    await _make(deps, Reason.AUTOMATIC)
    kept = deps.settings.current().backup
    made, now = await deps.backups.listed(), deps.clock.now()
    for backup in superfluous(made, now=now, keep_daily=kept.keep_daily, keep_weekly=kept.keep_weekly):
        await deps.backups.remove(backup.name)


async def leave_no_trace(deps: Deps) -> None:
    """Take what was deleted out of the database's files, then out of every backup. BackupFailed names those that stayed."""
    await deps.store.scrub()
    await deps.backups.forget_deleted()


async def check_backups(deps: Deps) -> Check | None:
    """What the doctor says of the backups; None where a server keeps the data."""
    backups, every_h = deps.backups, deps.settings.current().backup.every_h
    if not backups.here:
        return None
    try:
        kept = await _look(deps)
    except BackupFailed as failed:
        return _broken(failed.message, failed.do)
    if kept.failing:
        return _broken(f"The automatic backup fails. {kept.failing}", "Then try it: `echovessel backup`.")
    return _unsound(kept, backups) or _newest(kept.backups, every_h, backups, deps.clock.now())


async def _look(deps: Deps) -> Kept:
    """What there is, and what speaks against it. BackupFailed when the folder cannot be read."""
    made = await deps.backups.listed()
    _note_newest(deps, made)
    try:
        holding = await deps.backups.holding_deleted()
    except (StoreUnusable, BackupFailed):  # it is the database that cannot be read: the doctor says so
        holding = frozenset[str]()
    return Kept(backups=made, holding_deleted=holding, failing=await _failure(deps, made))


async def _make(deps: Deps, reason: Reason) -> Backup:
    made = await deps.backups.make(reason, await _mark(deps.store))
    _note_newest(deps, [made])
    return made


def _note_newest(deps: Deps, made: Sequence[Backup]) -> None:
    deps.meter.last_backup = max((backup.made_at for backup in made if not backup.wrong), default=None)


async def _failure(deps: Deps, made: Sequence[Backup]) -> str:
    """Why the automatic backup failed; empty when it did not, or when one was made since that is young enough."""
    if not deps.settings.current().backup.every_h or _is_young_enough(deps, made):
        return ""
    job = await _job(deps.store, BACKUP)
    return job.last_error if job else ""


def _unsound(kept: Kept, backups: Backups) -> Check | None:
    if kept.holding_deleted:
        return _broken(
            f"These still hold messages that were deleted: {', '.join(sorted(kept.holding_deleted))}.",
            f"It is done within minutes; if not, make {backups.folder} writable or `echovessel backup remove NAME`.",
        )
    wrong = [backup for backup in kept.backups if backup.wrong]
    told = "; ".join(f"{backup.name}: {backup.wrong}" for backup in wrong)
    if any(backup.reason is not Reason.BEFORE_RESTORE for backup in wrong):
        return _broken(f"Not to be relied on: {told}", "Make a new one: `echovessel backup`; then remove those.")
    if wrong:
        do = "Remove them when you no longer need them: `echovessel backup remove NAME`."
        return Check(name="backup", verdict=Verdict.NOTE, found=f"Kept when another one was restored: {told}", do=do)
    return None


def _newest(made: Sequence[Backup], every_h: float, backups: Backups, now: datetime) -> Check:
    found = f"{len(made)} in {backups.folder}" if made else f"None yet in {backups.folder}"
    if made:
        hours = max(0, int((now - made[0].made_at) / timedelta(hours=1)))
        found += f", the newest {hours} hours old"
    if not every_h:
        do = "Make them by hand (`echovessel backup`), or set every_h in [backup] of config.toml."
        return Check(name="backup", verdict=Verdict.NOTE, found=f"{found}; none is made by itself.", do=do)
    return Check(name="backup", verdict=Verdict.OK, found=f"{found}.")


def _broken(found: str, do: str) -> Check:
    return Check(name="backup", verdict=Verdict.BROKEN, found=found, do=do)


def _has_rested(job: Job, now: datetime) -> bool:
    """Whether work that was given up is tried again. What seems to be due later was given up before the clock was set back."""
    return job.state is JobState.PARKED and not timedelta(0) <= now - job.due_at < TRIED_AGAIN


async def _job(store: Store, kind: str) -> Job | None:
    return next((job for job in await store.jobs(limit=1000) if job.kind == kind), None)


async def _mark(store: Store) -> str:
    """The state of the data by the newest entry of every feed: whatever changes it appends to one."""
    digest = hashlib.sha256()
    for user in sorted(await store.users(), key=lambda user: user.id):
        head = await store.head(user.id)
        for entry in await store.changes(user.id, head - 1, 1):
            digest.update(f"{user.id} {entry.seq} {entry.kind} {entry.ref}\n".encode())
    return digest.hexdigest()
