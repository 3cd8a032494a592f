from sqlalchemy import Connection, select

from echovessel.adapters.store import ledger
from echovessel.adapters.store import tables as t
from echovessel.core.ids import CallId
from echovessel.ports.changes import RecordCall
from echovessel.testing.contracts.store_house import StoreHouse


async def test_a_line_keeps_everything_it_was_told(house: StoreHouse, conn: Connection) -> None:
    turn, fence = await house.running()
    call = RecordCall(
        id=CallId(house.ids.ulid()),
        user_id=house.user_id,
        turn_id=turn.id,
        profile="wolke",
        cache_written_in=3,
        role="main",
        model="模型-7b",
        prompt="reply@1",
        outcome="model-cut",
        tokens_in=2**31 - 1,
        tokens_out=2,
        cached_in=1,
        estimated=True,
        cost=0.000001,
        seconds=0.25,
        at=house.clock.now(),
    )
    await house.do(call, fence)

    row = conn.execute(select(t.llm_call)).one()

    assert {name: getattr(row, name) for name in call.__slots__} == {n: getattr(call, n) for n in call.__slots__}


async def test_sums_may_be_larger_than_one_line(house: StoreHouse, conn: Connection) -> None:
    await test_a_line_keeps_everything_it_was_told(house, conn)
    conn.execute(
        t.llm_call.insert().from_select(
            [c.name for c in t.llm_call.c],
            select(*(c + "2" if c.name == "id" else c for c in t.llm_call.c)),
        )
    )

    assert ledger.spent(conn, house.clock.now().replace(year=2000)).tokens_in == 2 * (2**31 - 1)
