"""The change feed as it is read; `transaction.Transaction.tell` writes it."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, bindparam, insert, select, update

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.prepared import Prepared
from echovessel.core.ids import UserId
from echovessel.ports.records import ChangeRow

RESET = "feed.reset"
"""The kind of the entry after which everything is to be looked up anew."""


# Built once: whoever waits asks, again and again.
_HEAD = Prepared(select(t.change_head.c.seq).where(t.change_head.c.user_id == bindparam("user")))
_AFTER = Prepared(
    select(t.change.c.seq, t.change.c.kind, t.change.c.ref)
    .where(t.change.c.user_id == bindparam("user"), t.change.c.seq > bindparam("after"))
    .order_by(t.change.c.seq)
    .limit(bindparam("most"))
)


def changes(conn: Connection, user_id: UserId, after: int, limit: int) -> Sequence[ChangeRow]:
    """Entries after `after`, oldest first."""
    rows = _AFTER.all(conn, {"user": user_id, "after": after, "most": limit})
    return [ChangeRow(seq=row.seq, kind=row.kind, ref=row.ref) for row in rows]


def head(conn: Connection, user_id: UserId) -> int:
    """The newest seq; 0 for an empty feed or an unknown user."""
    return _HEAD.scalar(conn, {"user": user_id}) or 0


def heads(conn: Connection) -> dict[str, int]:
    """The newest seq of every user."""
    return {row.user_id: row.seq for row in conn.execute(select(t.change_head.c.user_id, t.change_head.c.seq))}


def begin_anew(conn: Connection, known: Mapping[str, int]) -> None:
    """Append `feed.reset` to every feed, after what it holds and after `known`, the newest seq that anyone may have read in a
    database that this one replaces: whoever read up to there is told that nothing of it holds any more."""
    head, change = t.change_head.c, t.change.c
    for user_id, held in heads(conn).items():
        seq = max(held, known.get(user_id, 0)) + 1
        entry = {change.user_id: user_id, change.seq: seq, change.kind: RESET, change.ref: ""}
        conn.execute(insert(t.change).values(entry))
        conn.execute(update(t.change_head).where(head.user_id == user_id).values(seq=seq))
