"""What model calls cost, and why a turn said what it said."""

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, func, insert, select, update

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.records import no_such
from echovessel.adapters.store.transaction import Transaction
from echovessel.adapters.store.turns import turn
from echovessel.core.ids import TurnId, UserId
from echovessel.ports.changes import Outcome, PutTrace, RecordCall
from echovessel.ports.records import Spent


def record_call(tx: Transaction, change: RecordCall) -> Outcome:
    """Add a line to the ledger, once."""
    if tx.conn.scalar(select(t.llm_call.c.id).where(t.llm_call.c.id == change.id)) is not None:
        return Outcome(turn_id=change.turn_id, fresh=False)
    tx.conn.execute(insert(t.llm_call).values(asdict(change)))
    return Outcome(turn_id=change.turn_id)


def put_trace(tx: Transaction, change: PutTrace) -> Outcome:
    """Keep or replace the trace of a turn."""
    if turn(tx.conn, change.user_id, change.turn_id) is None:
        raise no_such("turn")
    kept = t.recall_trace
    mine = update(kept).where(kept.c.user_id == change.user_id, kept.c.turn_id == change.turn_id)
    if tx.conn.execute(mine.values(trace=change.trace)).rowcount == 0:
        tx.conn.execute(insert(kept).values(user_id=change.user_id, turn_id=change.turn_id, trace=change.trace))
    return Outcome(turn_id=change.turn_id)


def trace(conn: Connection, user_id: UserId, turn_id: TurnId) -> str | None:
    """The trace as JSON."""
    kept = t.recall_trace
    return conn.scalar(select(kept.c.trace).where(kept.c.user_id == user_id, kept.c.turn_id == turn_id))


def spent(conn: Connection, since: datetime) -> Spent:
    """The sum of the ledger from `since` on."""
    call = t.llm_call
    row = conn.execute(
        select(
            func.count(),
            func.coalesce(func.sum(call.c.tokens_in), 0),
            func.coalesce(func.sum(call.c.tokens_out), 0),
            func.coalesce(func.sum(call.c.cost), 0.0),
            func.coalesce(func.sum(call.c.cached_in), 0),
            func.coalesce(func.sum(call.c.cache_written_in), 0),
        ).where(call.c.at >= since)
    ).one()
    calls, tokens_in, tokens_out, cost, cached_in, cache_written_in = row
    return Spent(
        calls=calls,
        tokens_in=int(tokens_in),
        tokens_out=int(tokens_out),
        cost=float(cost),
        cached_in=int(cached_in),
        cache_written_in=int(cache_written_in),
    )
