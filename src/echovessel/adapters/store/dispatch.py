"""One request of `Store.apply`: lock what it writes, check its fence, do its changes in order.

Both databases run this inside one transaction; any error undoes it whole.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from sqlalchemy import ColumnElement, Connection, Table, bindparam, select

from echovessel.adapters.store import indexing, jobs, ledger, people, talk, tidying, turns
from echovessel.adapters.store import tables as t
from echovessel.adapters.store.prepared import Prepared
from echovessel.adapters.store.transaction import Transaction, lock_feeds
from echovessel.core.errors import FenceLost
from echovessel.core.ids import UserId
from echovessel.ports.changes import (
    Applied,
    AskToStop,
    Change,
    ChooseVariant,
    ClaimJob,
    ClaimTurn,
    DeleteMessage,
    EditMessage,
    EndJob,
    Fence,
    FenceKind,
    FinishTurn,
    ForgetVectors,
    HearMessage,
    ImportMessage,
    KeepJob,
    OpenConversation,
    OpenReroll,
    Outcome,
    PullJobs,
    PutCoreBlock,
    PutIdentity,
    PutPersona,
    PutTrace,
    PutUser,
    PutVectors,
    RecordCall,
    ReleaseLeases,
    SaveDraft,
    SayMessage,
    ScheduleJob,
    Tidy,
)
from echovessel.ports.records import JobState


@dataclass(frozen=True, slots=True)
class Done:
    """What a request did, and whom to wake once it is committed."""

    applied: Applied
    told: frozenset[UserId]


def run(
    conn: Connection,
    changes: Sequence[Change],
    fence: Fence | None,
    *,
    now: datetime,
    lease_clock: Callable[[Connection], datetime],
    cut: Mapping[str, Sequence[str]],
) -> Done:
    """Do one request. `lease_clock` is asked after all locks are held: waiting for one may have outlasted a lease. `cut`: see
    `Transaction`."""
    lock_feeds(conn, _feeds_of(conn, changes))
    held = None if fence is None else _lock_fenced(conn, fence)
    tx = Transaction(conn=conn, now=now, lease_now=lease_clock(conn), cut=cut)
    if fence is not None and (held is None or held <= tx.lease_now):
        raise FenceLost(f"{fence.kind} {fence.id}")
    outcomes = tuple(_do(tx, change, fence) for change in changes)
    return Done(Applied(outcomes), frozenset(tx.told))


def is_done_again(changes: Sequence[Change]) -> bool:
    """Whether all of this would be done again, were a power cut to take it back: a turn that nobody has claimed is claimed, and
    texts without vectors get them."""
    return all(isinstance(change, ClaimTurn | PutVectors) for change in changes)


def _do(tx: Transaction, change: Change, fence: Fence | None) -> Outcome:
    """Hand a change to its subject."""
    match change:
        case PutUser() | PutIdentity() | PutPersona() | PutCoreBlock():
            return people.do(tx, change)
        case OpenConversation() | HearMessage() | SayMessage() | ImportMessage():
            return talk.do(tx, change)
        case EditMessage() | ChooseVariant() | DeleteMessage():
            return talk.do(tx, change)
        case ClaimTurn() | SaveDraft() | FinishTurn() | AskToStop() | OpenReroll():
            return turns.do(tx, change, fence)
        case ScheduleJob() | ClaimJob() | EndJob() | KeepJob() | PullJobs() | ReleaseLeases():
            return jobs.do(tx, change, fence)
        case PutVectors() | ForgetVectors():
            return indexing.do(tx, change)
        case Tidy():
            return tidying.tidy(tx, change)
        case RecordCall():
            return ledger.record_call(tx, change)
        case PutTrace():
            return ledger.put_trace(tx, change)
        case _:
            assert_never(change)


def _feeds_of(conn: Connection, changes: Sequence[Change]) -> set[UserId] | None:
    """Whose feeds these changes may append to; None for everyone's."""
    users: set[UserId] = set()
    for change in changes:
        owner = _owner(conn, change)
        if owner is None:
            return None
        users |= owner
    return users


_NOBODY: frozenset[UserId] = frozenset()


def _owner(conn: Connection, change: Change) -> frozenset[UserId] | None:
    """The user whose feed a change may append to, nobody, or None for everyone."""
    match change:
        case SaveDraft() | ClaimJob() | KeepJob() | PullJobs() | ReleaseLeases():
            return _NOBODY
        case RecordCall() | PutTrace() | ForgetVectors() | Tidy():
            return _NOBODY
        case PutPersona():
            return None
        case PutUser():
            return frozenset({change.user.id})
        case PutIdentity():
            return frozenset({change.identity.user_id})
        case PutCoreBlock():
            return _one(change.block.user_id)
        case ScheduleJob():
            return _one(change.user_id)
        case EndJob():
            return _one(jobs.owner_of(conn, change.job_id))
        case OpenConversation() | HearMessage() | SayMessage() | ImportMessage():
            return _one(change.pair.user_id)
        case _:
            return _one(change.user_id)


def _one(user_id: UserId | None) -> frozenset[UserId] | None:
    return None if user_id is None else frozenset({user_id})


def _lock_fenced(conn: Connection, fence: Fence) -> datetime | None:
    """Until when the fence's token holds its turn or job, which nobody else can take now; None when it holds nothing."""
    return _HELD[fence.kind].scalar(conn, {"held": fence.id, "token": fence.token})


def _held(table: Table, wanted: ColumnElement[bool]) -> Prepared:
    mine = (table.c.id == bindparam("held"), table.c.lease_token == bindparam("token"))
    return Prepared(select(table.c.lease_until).where(*mine, wanted).with_for_update())


_HELD = {
    FenceKind.TURN: _held(t.turn, t.is_running),
    FenceKind.JOB: _held(t.job, t.job.c.state == JobState.LEASED),
}
