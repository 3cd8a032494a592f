"""Work for later: scheduled once a kind and key, claimed under a lease, ended or tried again."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, assert_never

from sqlalchemy import Connection, Row, and_, bindparam, func, insert, or_, select, update

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.records import no_such
from echovessel.adapters.store.transaction import Transaction
from echovessel.adapters.store.turns import on_our_clock, require_fence
from echovessel.core.ids import UserId
from echovessel.ports.changes import (
    ClaimJob,
    EndJob,
    Fence,
    FenceKind,
    JobChange,
    KeepJob,
    Outcome,
    PullJobs,
    ReleaseLeases,
    ScheduleJob,
)
from echovessel.ports.records import Job, JobState


def do(tx: Transaction, change: JobChange, fence: Fence | None) -> Outcome:
    """Do one change of this subject."""
    match change:
        case ScheduleJob():
            return schedule_job(tx, change)
        case ClaimJob():
            return claim_job(tx, change)
        case EndJob():
            return end_job(tx, change, fence)
        case KeepJob():
            return keep_job(tx, change, fence)
        case PullJobs():
            return pull_jobs(tx, change)
        case ReleaseLeases():
            return release_leases(tx)
        case _:
            assert_never(change)


def schedule_job(tx: Transaction, change: ScheduleJob) -> Outcome:
    """Queue work. What is being done right now is done once more afterwards: it may have missed what is new."""
    job = t.job
    row = tx.conn.execute(
        select(job).where(job.c.kind == change.kind, job.c.key == change.key).with_for_update()
    ).first()
    if row is None:
        tx.conn.execute(
            insert(job).values(
                id=change.job_id,
                kind=change.kind,
                key=change.key,
                user_id=change.user_id,
                state=JobState.DUE,
                due_at=change.due_at,
                payload=change.payload,
            )
        )
        _tell(tx, change.user_id, change.job_id)
        return Outcome()
    new = _scheduled_again(row, change)
    if not new:
        return Outcome(fresh=False)
    tx.conn.execute(update(job).where(job.c.id == row.id).values(new))
    _tell(tx, row.user_id, row.id)
    return Outcome(fresh=row.state in (JobState.DONE, JobState.PARKED))


def claim_job(tx: Transaction, change: ClaimJob) -> Outcome:
    """Take the oldest job that waits or was abandoned; one that another worker is just taking is passed over."""
    job = t.job
    row = tx.conn.execute(
        select(job)
        .where(
            job.c.kind.in_(change.kinds),
            or_(
                and_(job.c.state == JobState.DUE, job.c.due_at <= tx.now),
                and_(job.c.state == JobState.LEASED, job.c.lease_until <= tx.lease_now),
            ),
        )
        .order_by(job.c.due_at, job.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    ).first()
    if row is None:
        return Outcome(fresh=False)
    claimed = tx.conn.execute(
        update(job)
        .where(job.c.id == row.id)
        .values(
            state=JobState.LEASED,
            attempts=row.attempts + 1,
            lease_token=change.lease.token,
            lease_until=tx.lease_now + timedelta(seconds=change.lease.seconds),
        )
        .returning(*job.c)
    ).one()
    return Outcome(job=_job(claimed))


def end_job(tx: Transaction, change: EndJob, fence: Fence | None) -> Outcome:
    """Done, due again, or parked."""
    require_fence(fence, FenceKind.JOB, change.job_id)
    row = tx.conn.execute(select(t.job).where(t.job.c.id == change.job_id)).first()
    if row is None:
        raise no_such("job")
    free = {"lease_token": None, "lease_until": None, "again_at": None, "last_error": change.error}
    tx.conn.execute(update(t.job).where(t.job.c.id == change.job_id).values(**free, **_ended(row, change)))
    _tell(tx, row.user_id, change.job_id)
    return Outcome()


def keep_job(tx: Transaction, change: KeepJob, fence: Fence | None) -> Outcome:
    """Let the lease last from now on."""
    require_fence(fence, FenceKind.JOB, change.job_id)
    until = tx.lease_now + timedelta(seconds=change.lease_seconds)
    tx.conn.execute(update(t.job).where(t.job.c.id == change.job_id).values(lease_until=until))
    return Outcome()


def pull_jobs(tx: Transaction, change: PullJobs) -> Outcome:
    """Make what waits due earlier, also what is to be done once more after the present time."""
    job, earlier = t.job, timedelta(seconds=change.seconds)
    for row in tx.conn.execute(select(job).where(job.c.state.in_((JobState.DUE, JobState.LEASED)))).all():
        again_at = row.again_at and row.again_at - earlier
        values = {"due_at": row.due_at - earlier, "again_at": again_at}
        tx.conn.execute(update(job).where(job.c.id == row.id).values(values))
    return Outcome()


def release_leases(tx: Transaction) -> Outcome:
    """Let every lease run out now: whoever held one is gone."""
    for table, held in ((t.turn, t.is_running), (t.job, t.job.c.state == JobState.LEASED)):
        tx.conn.execute(update(table).where(held, table.c.lease_until > tx.lease_now).values(lease_until=tx.lease_now))
    return Outcome()


def owner_of(conn: Connection, job_id: str) -> UserId | None:
    """Whose job this is; None for a job of nobody, and for one that is not there."""
    return conn.scalar(select(t.job.c.user_id).where(t.job.c.id == job_id))


def jobs(conn: Connection, state: JobState | None, limit: int) -> Sequence[Job]:
    """Jobs in a state, or all; the next due first."""
    wanted = select(t.job).order_by(t.job.c.due_at, t.job.c.id).limit(limit)
    return [_job(row) for row in conn.execute(wanted if state is None else wanted.where(t.job.c.state == state))]


def next_due(conn: Connection, now: datetime, lease_now: datetime, *, kinds: Sequence[str]) -> datetime | None:
    """The earliest moment, on this process's clock, at which a job of these kinds can be claimed."""
    due = conn.scalar(_NEXT_DUE, {"kinds": kinds})
    until = conn.scalar(_NEXT_LEASE_END, {"kinds": kinds})
    return min((at for at in (due, on_our_clock(until, now, lease_now)) if at), default=None)


# Built once: asked after every ring of the bell.
_OF_KINDS = t.job.c.kind.in_(bindparam("kinds", expanding=True))
_NEXT_DUE = select(func.min(t.job.c.due_at)).where(_OF_KINDS, t.job.c.state == JobState.DUE)
_NEXT_LEASE_END = select(func.min(t.job.c.lease_until)).where(_OF_KINDS, t.job.c.state == JobState.LEASED)


def counts(conn: Connection) -> Mapping[JobState, int]:
    """How many jobs are in each state, those that are done left out."""
    state = t.job.c.state
    rows = conn.execute(select(state, func.count()).where(state != JobState.DONE).group_by(state))
    return {JobState(row[0]): row[1] for row in rows}


def count(conn: Connection, state: JobState) -> int:
    """How many jobs are in this state."""
    return conn.scalar(select(func.count()).select_from(t.job).where(t.job.c.state == state)) or 0


def _scheduled_again(row: Row[Any], change: ScheduleJob) -> dict[str, Any]:
    """What scheduling a known job changes; nothing when it is due earlier anyway."""
    if row.state == JobState.DUE:
        return {"due_at": change.due_at} if change.due_at < row.due_at else {}
    if row.state == JobState.LEASED:
        return {} if row.again_at and row.again_at <= change.due_at else {"again_at": change.due_at}
    return {
        "state": JobState.DUE,
        "due_at": change.due_at,
        "payload": change.payload,
        "attempts": 0,
        "last_error": "",
    }


def _ended(row: Row[Any], change: EndJob) -> dict[str, Any]:
    if change.error and change.retry_at is not None:
        return {"state": JobState.DUE, "due_at": change.retry_at}
    if row.again_at is not None:
        return {"state": JobState.DUE, "due_at": row.again_at, "attempts": 0}
    return {"state": JobState.PARKED if change.error else JobState.DONE}


def _tell(tx: Transaction, user_id: UserId | None, job_id: str) -> None:
    """Tell whose job it is; nobody's job is told to nobody."""
    if user_id is not None:
        tx.tell(user_id, "job.changed", job_id)


def _job(row: Row[Any]) -> Job:
    return Job(
        id=row.id,
        kind=row.kind,
        key=row.key,
        user_id=row.user_id,
        due_at=row.due_at,
        state=JobState(row.state),
        attempts=row.attempts,
        last_error=row.last_error,
        payload=row.payload,
    )
