from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Connection, select

from echovessel.adapters.store import dispatch
from echovessel.adapters.store import tables as t
from echovessel.core.errors import FenceLost
from echovessel.core.ids import PersonaId, TurnId, UserId
from echovessel.ports.changes import ClaimJob, ClaimTurn, EndJob, Lease, PutPersona, PutVectors, SaveDraft
from echovessel.testing.clock import START
from echovessel.testing.contracts.store_house import StoreHouse


async def test_a_lease_that_runs_out_while_we_wait_for_a_lock_holds_no_more(
    house: StoreHouse, conn: Connection
) -> None:
    """The lease clock is asked when the locks are held; here the waiting took a minute."""
    turn, fence = await house.running(seconds=30)
    asked: list[datetime] = []

    def after_a_minute(_: Connection) -> datetime:
        asked.append(house.clock.now() + timedelta(seconds=60))
        return asked[-1]

    with pytest.raises(FenceLost):
        dispatch.run(
            conn, [house.drafting(turn, "late")], fence, now=house.clock.now(), lease_clock=after_a_minute, cut={}
        )

    assert len(asked) == 1
    assert conn.scalar(select(t.turn.c.draft)) == ""


async def test_who_is_told(house: StoreHouse, conn: Connection) -> None:
    other = await house.meets("Bo")
    persona = await house.store.persona(house.home.pair.persona_id)
    assert persona is not None

    def told(*changes: dispatch.Change) -> frozenset[str]:
        return frozenset(dispatch.run(conn, changes, None, now=START, lease_clock=lambda _: START, cut={}).told)

    assert told(house.hearing()) == {house.user_id}
    assert told(PutPersona(persona=replace(persona, name="new"))) == {house.user_id, other}
    assert told(house.scheduling()) == {house.user_id}
    assert told(ClaimJob(kinds=("settle",), lease=Lease("x", 1))) == set()


async def test_whose_feed_is_locked(house: StoreHouse, conn: Connection) -> None:
    turn, _ = await house.running()
    mine = house.scheduling("mine")
    nobodys = replace(house.scheduling("nobody's"), user_id=None)
    await house.store.apply([mine, nobodys])

    assert dispatch._feeds_of(conn, [house.hearing(), mine]) == {house.user_id}
    assert dispatch._feeds_of(conn, [EndJob(job_id=mine.job_id)]) == {house.user_id}
    assert dispatch._feeds_of(conn, [house.hearing(), EndJob(job_id=nobodys.job_id)]) is None
    assert (
        dispatch._feeds_of(conn, [SaveDraft(user_id=house.user_id, turn_id=turn.id, text="", lease_seconds=1)]) == set()
    )


def test_a_request_is_done_again_when_all_of_it_is() -> None:
    claim = ClaimTurn(user_id=UserId("u"), turn_id=TurnId("t"), lease=Lease("x", 1))
    vectors = PutVectors(user_id=UserId("u"), persona_id=PersonaId("p"), embedder="e5", vectors=())
    kept = ClaimJob(kinds=("settle",), lease=Lease("x", 1))

    assert dispatch.is_done_again([claim, vectors])
    assert not dispatch.is_done_again([claim, kept])
