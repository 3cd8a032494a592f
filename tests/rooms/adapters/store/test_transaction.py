from sqlalchemy import Connection, insert

from echovessel.adapters.store import feed
from echovessel.adapters.store import tables as t
from echovessel.adapters.store.transaction import Transaction, every_user, lock_feeds
from echovessel.core.ids import UserId
from echovessel.testing.clock import START

ADA, BO = UserId("ada"), UserId("bo")


def _transaction(empty: Connection) -> Transaction:
    for user_id in (BO, ADA):
        empty.execute(insert(t.user).values(id=user_id, name="", zone="UTC", locale="en", created_at=START))
        empty.execute(insert(t.change_head).values(user_id=user_id, seq=0))
    return Transaction(conn=empty, now=START, lease_now=START)


def test_each_user_counts_alone(empty: Connection) -> None:
    tx = _transaction(empty)
    for user_id in (ADA, BO, ADA):
        tx.tell(user_id, "user.changed", "x")

    assert [row.seq for row in feed.changes(empty, ADA, 0, 10)] == [1, 2]
    assert feed.head(empty, BO) == 1
    assert tx.told == {ADA, BO}


def test_everyone_is_told_in_the_order_of_the_locks(empty: Connection) -> None:
    tx = _transaction(empty)
    tx.tell_all("persona.changed", "p")

    assert list(every_user(empty)) == [ADA, BO]
    assert [feed.head(empty, user_id) for user_id in (ADA, BO)] == [1, 1]


def test_sqlite_needs_no_locks(empty: Connection) -> None:
    _transaction(empty)

    lock_feeds(empty, None)
    lock_feeds(empty, {ADA, UserId("unknown")})
