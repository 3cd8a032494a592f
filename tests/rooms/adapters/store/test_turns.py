from datetime import timedelta

import pytest
from sqlalchemy import Connection, select, text
from sqlalchemy.dialects import sqlite

from echovessel.adapters.store import tables as t
from echovessel.adapters.store import turns
from echovessel.core.errors import FenceLost
from echovessel.ports.changes import Fence, FenceKind
from echovessel.testing.contracts.store_house import StoreHouse


async def test_the_end_of_a_lease_is_told_on_our_clock(house: StoreHouse, conn: Connection) -> None:
    """The database's clock is an hour behind ours, and the lease has ten seconds left on it."""
    await house.running(seconds=10)
    now = house.clock.now() - timedelta(seconds=1)

    assert turns.due(conn, now + timedelta(hours=1), now, limit=1).next_at == now + timedelta(hours=1, seconds=11)


@pytest.mark.parametrize(
    ("fence", "owned"),
    [
        (None, "t1"),
        (Fence(FenceKind.TURN, "t2", "x"), "t1"),
        (Fence(FenceKind.JOB, "t1", "x"), "t1"),
    ],
)
def test_a_change_needs_exactly_its_own_fence(fence: Fence | None, owned: str) -> None:
    with pytest.raises(FenceLost):
        turns.require_fence(fence, FenceKind.TURN, owned)


async def test_a_fence_is_looked_up_among_running_turns_only(house: StoreHouse, conn: Connection) -> None:
    wanted = select(t.turn.c.lease_until).where(t.turn.c.id == "x", t.is_running)
    compiled = wanted.compile(dialect=sqlite.dialect(paramstyle="named"))
    plan = conn.execute(text(f"EXPLAIN QUERY PLAN {compiled}"), compiled.params)

    assert ["ix_turn_running_id" in row.detail for row in plan] == [True]


async def test_a_limit_cuts_the_oldest_of_both_kinds(house: StoreHouse, conn: Connection) -> None:
    await house.running(seconds=0)
    for number in range(3):
        thread = await house.opens(house.user_id, await house.shelves(str(number)))
        await house.hears("x", thread=thread)
    now = house.clock.now()

    due = [turn.due_at for turn in turns.due(conn, now, now, limit=3).now]

    assert len(due) == 3
    assert due == sorted(due)
