"""The change feed as it is read; `transaction.Transaction.tell` writes it."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select, update

from echovessel.adapters.store import tables as t
from echovessel.core.ids import UserId
from echovessel.ports.records import ChangeRow


def changes(conn: Connection, user_id: UserId, after: int, limit: int) -> Sequence[ChangeRow]:
    """Entries after `after`, oldest first."""
    rows = conn.execute(
        select(t.change.c.seq, t.change.c.kind, t.change.c.ref)
        .where(t.change.c.user_id == user_id, t.change.c.seq > after)
        .order_by(t.change.c.seq)
        .limit(limit)
    )
    return [ChangeRow(seq=row.seq, kind=row.kind, ref=row.ref) for row in rows]


def head(conn: Connection, user_id: UserId) -> int:
    """The newest seq; 0 for an empty feed or an unknown user."""
    return conn.scalar(select(t.change_head.c.seq).where(t.change_head.c.user_id == user_id)) or 0


def heads(conn: Connection) -> dict[str, int]:
    """The newest seq of every user."""
    return {row.user_id: row.seq for row in conn.execute(select(t.change_head.c.user_id, t.change_head.c.seq))}


def go_on_after(conn: Connection, heads: Mapping[str, int]) -> None:
    """Let feeds go on after these numbers, where they were less far: who has read up to there misses nothing that comes."""
    head = t.change_head
    for user_id, seq in heads.items():
        conn.execute(update(head).where(head.c.user_id == user_id, head.c.seq < seq).values(seq=seq))
