"""Backups: made by themselves once a day, made when asked, and kept free of what was deleted."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from echovessel.core.errors import BackupFailed
from echovessel.core.ids import JobId
from echovessel.flows.curate import SCRUB
from echovessel.flows.deps import Deps
from echovessel.flows.rotation import superfluous
from echovessel.ports.backups import Backup, Backups, Reason
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

    async def all(self) -> Sequence[Backup]:
        return await self._deps.backups.all()

    async def make(self) -> Backup:
        return await self._deps.backups.make(Reason.ASKED, await _mark(self._deps.store))

    async def remove(self, name: str) -> None:
        await self._deps.backups.remove(name)

    async def failing(self) -> str:
        return await _failure(self._deps, await self.all())


async def schedule_due(deps: Deps) -> None:
    """Queue what is due: the automatic backup, and taking what was deleted out of backups where that has not been done."""
    if not deps.backups.here:
        return
    made = await deps.backups.all()
    if await _is_due(deps, [backup for backup in made if not backup.wrong]):
        await _queue(deps, BACKUP, "automatic")
    if any(backup.holds_deleted for backup in made):
        await _queue(deps, SCRUB, "store")


async def _is_due(deps: Deps, made: Sequence[Backup]) -> bool:
    """Whether it is time for a backup and something has changed since the last."""
    now, every_h = deps.clock.now(), deps.settings.current().backup.every_h
    # A backup from the future was made before the clock was set back.
    ages = [now - backup.made_at for backup in made if backup.made_at <= now]
    if not every_h or min(ages, default=timedelta.max) < timedelta(hours=every_h):
        return False
    return await _mark(deps.store) not in {backup.mark for backup in made}


async def _queue(deps: Deps, kind: str, key: str) -> None:
    """Queue a job unless it waits or runs, or was given up only just now."""
    now, job = deps.clock.now(), await _job(deps.store, kind)
    if job and job.state is not JobState.DONE and not _has_rested(job, now):
        return
    job_id = JobId(deps.ids.ulid(now))
    await deps.store.apply([ScheduleJob(job_id=job_id, kind=kind, key=key, user_id=None, due_at=now)])
    deps.bell.ring()


async def make_automatic(deps: Deps) -> None:
    """Make the automatic backup, then remove those that the rotation no longer needs. BackupFailed says what to do."""
    await deps.backups.make(Reason.AUTOMATIC, await _mark(deps.store))
    kept = deps.settings.current().backup
    for backup in superfluous(await deps.backups.all(), keep_daily=kept.keep_daily, keep_weekly=kept.keep_weekly):
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
        made = await backups.all()
    except BackupFailed as failed:
        return _broken(failed.message, failed.do)
    if failure := await _failure(deps, made):
        return _broken(f"The automatic backup fails. {failure}", "Then try it: `echovessel backup`.")
    return _unsound(made, backups) or _newest(made, every_h, backups, deps.clock.now())


async def _failure(deps: Deps, made: Sequence[Backup]) -> str:
    """Why the automatic backup failed; empty when it did not, or when one was made since that is young enough."""
    longest = timedelta(hours=deps.settings.current().backup.every_h)
    now, job = deps.clock.now(), await _job(deps.store, BACKUP)
    young = any(now - backup.made_at < longest for backup in made if not backup.wrong)
    return job.last_error if job and longest and not young else ""


def _unsound(made: Sequence[Backup], backups: Backups) -> Check | None:
    if holding := [backup.name for backup in made if backup.holds_deleted]:
        return _broken(
            f"These still hold messages that were deleted: {', '.join(holding)}.",
            f"It is done within minutes; if not, make {backups.folder} writable or `echovessel backup remove NAME`.",
        )
    wrong = [backup for backup in made if backup.wrong]
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
    return job.state is JobState.PARKED and now - job.due_at >= TRIED_AGAIN


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
