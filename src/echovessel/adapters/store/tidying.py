"""What nobody looks at any more leaves the tables that would grow for ever."""

from sqlalchemy import delete, select, tuple_

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.transaction import Transaction
from echovessel.core.ids import ulid
from echovessel.core.time import milliseconds
from echovessel.ports.changes import Outcome, Tidy
from echovessel.ports.records import JobState


def tidy(tx: Transaction, change: Tidy) -> Outcome:
    """Remove some of it. A turn's id begins with the instant at which it was opened."""
    trace, job, feed, head = t.recall_trace, t.job, t.change, t.change_head
    first_kept = ulid(max(0, milliseconds(change.traces_before)), bytes(10))
    old_traces = select(*trace.primary_key).where(trace.c.turn_id < first_kept)
    old_jobs = select(job.c.id).where(job.c.state == JobState.DONE, job.c.due_at < change.jobs_before)
    newest = select(head.c.seq).where(head.c.user_id == feed.c.user_id).scalar_subquery()
    old_changes = select(*feed.primary_key).where(feed.c.seq <= newest - change.changes_kept)
    removed = [
        tx.conn.execute(delete(table).where(tuple_(*table.primary_key).in_(old.limit(change.limit)))).rowcount
        for table, old in ((trace, old_traces), (job, old_jobs), (feed, old_changes))
    ]
    return Outcome(fresh=any(removed))
