"""What model calls cost, and why a turn said what it said."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.prepared import Prepared
from echovessel.adapters.store.records import no_such
from echovessel.adapters.store.transaction import Transaction
from echovessel.adapters.store.turns import turn
from echovessel.core.ids import TurnId, UserId
from echovessel.ports.changes import Outcome, PutTrace, RecordCall
from echovessel.ports.records import Spent, SpentOn

# Built once: every turn writes both.
_CALL = Prepared(select(t.llm_call.c.id).where(t.llm_call.c.id == bindparam("call")))
_ADD_CALL = Prepared(insert(t.llm_call))
_REPLACE_TRACE = Prepared(
    update(t.recall_trace)
    .where(t.recall_trace.c.user_id == bindparam("user"), t.recall_trace.c.turn_id == bindparam("turn"))
    .values(trace=bindparam("new"))
    .returning(t.recall_trace.c.turn_id)
)
_ADD_TRACE = Prepared(insert(t.recall_trace))


def record_call(tx: Transaction, change: RecordCall) -> Outcome:
    """Add a line to the ledger, once."""
    if _CALL.first(tx.conn, {"call": change.id}) is not None:
        return Outcome(turn_id=change.turn_id, fresh=False)
    _ADD_CALL.first(tx.conn, asdict(change))
    return Outcome(turn_id=change.turn_id)


def put_trace(tx: Transaction, change: PutTrace) -> Outcome:
    """Keep or replace the trace of a turn."""
    if turn(tx.conn, change.user_id, change.turn_id) is None:
        raise no_such("turn")
    mine = {"user": change.user_id, "turn": change.turn_id}
    if _REPLACE_TRACE.first(tx.conn, {**mine, "new": change.trace}) is None:
        _ADD_TRACE.first(tx.conn, asdict(change))
    return Outcome(turn_id=change.turn_id)


def trace(conn: Connection, user_id: UserId, turn_id: TurnId) -> str | None:
    """The trace as JSON."""
    kept = t.recall_trace
    return conn.scalar(select(kept.c.trace).where(kept.c.user_id == user_id, kept.c.turn_id == turn_id))


def spent(conn: Connection, since: datetime) -> Spent:
    """The sum of the ledger from `since` on."""
    return _sum(conn.execute(select(*_SUMS).where(t.llm_call.c.at >= since)).one())


def spent_on(conn: Connection, since: datetime) -> Sequence[SpentOn]:
    """The sums by connection and model, the dearest first."""
    by = (t.llm_call.c.profile, t.llm_call.c.model)
    rows = conn.execute(select(*_SUMS, *by).where(t.llm_call.c.at >= since).group_by(*by)).all()
    sums = [SpentOn(row.profile, row.model, _sum(row)) for row in rows]
    return sorted(sums, key=lambda on: (-on.spent.cost, -on.spent.tokens_in, on.profile, on.model))


_SUMS = (
    func.count().label("calls"),
    *(
        func.coalesce(func.sum(t.llm_call.c[name]), 0).label(name)
        for name in ("tokens_in", "tokens_out", "cost", "cached_in", "cache_written_in")
    ),
)


def _sum(row: Row[Any]) -> Spent:
    return Spent(
        calls=row.calls,
        tokens_in=int(row.tokens_in),
        tokens_out=int(row.tokens_out),
        cost=float(row.cost),
        cached_in=int(row.cached_in),
        cache_written_in=int(row.cache_written_in),
    )
