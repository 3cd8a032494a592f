"""What a change works in: one connection inside one transaction, the two clocks, and the feed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select, update

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.prepared import Prepared
from echovessel.core.ids import UserId

_NEXT_SEQ = Prepared(
    update(t.change_head)
    .where(t.change_head.c.user_id == bindparam("user"))
    .values(seq=t.change_head.c.seq + 1)
    .returning(t.change_head.c.seq)
)
_APPEND = Prepared(insert(t.change))


@dataclass(slots=True, kw_only=True)
class Transaction:
    """Handed to every change. No change commits.

    `now` is this process's clock, by which due times were set. `lease_now` is the clock that judges leases: the database's on
    PostgreSQL, the same as `now` on SQLite. `cut` holds the tokens of the request's long texts, which were cut before anything
    was locked. `told` collects whose feed grew.
    """

    conn: Connection
    now: datetime
    lease_now: datetime
    cut: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    told: set[UserId] = field(default_factory=set[UserId])

    def tell(self, user_id: UserId, kind: str, ref: str) -> None:
        """Append to one user's change feed. The counter's row stays locked until the end of the transaction, so that a
        lower seq never appears after a higher one."""
        counted = _NEXT_SEQ.first(self.conn, {"user": user_id})
        assert counted is not None
        _APPEND.first(self.conn, {"user_id": user_id, "seq": counted[0], "kind": kind, "ref": ref})
        self.told.add(user_id)

    def tell_all(self, kind: str, ref: str) -> None:
        """Append to every user's feed: a change that belongs to none of them."""
        for user_id in every_user(self.conn):
            self.tell(user_id, kind, ref)


def every_user(conn: Connection) -> Sequence[UserId]:
    """All user ids, in the order in which their counters are locked."""
    return [UserId(u) for u in conn.scalars(select(t.change_head.c.user_id).order_by(t.change_head.c.user_id))]


def lock_feeds(conn: Connection, users: set[UserId] | None) -> None:
    """Lock the counters of these users (None: of all), in one order everywhere, so that writers wait and never deadlock.

    SQLite has one writer and needs no locks.
    """
    if conn.dialect.name == "sqlite":
        return
    head = t.change_head
    wanted = select(head.c.user_id).order_by(head.c.user_id).with_for_update()
    conn.execute(wanted if users is None else wanted.where(head.c.user_id.in_(sorted(users)))).all()
