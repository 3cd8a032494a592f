import sqlite3
from dataclasses import replace

from sqlalchemy import Connection

from echovessel.adapters.store import stage
from echovessel.core.ids import MessageId
from echovessel.testing.contracts.store_house import StoreHouse


async def test_what_is_worded_again_may_be_gone_from_a_restored_database(house: StoreHouse, conn: Connection) -> None:
    turn, _ = await house.running()
    orphan = replace(turn, regenerates=MessageId("gone"))

    found = stage.stage(conn, orphan, history=9, aside="care@1", since=turn.opened_at)

    assert list(found.said) == []
    assert [m.text for m in found.history] == ["hello"]


async def test_a_greeting_was_said_in_no_turn(house: StoreHouse, conn: Connection) -> None:
    greeting = await house.message((await house.do(house.saying())).message_id)
    turn, _ = await house.running()

    found = stage.stage(conn, replace(turn, regenerates=greeting.id), history=9, aside="care@1", since=turn.opened_at)

    assert list(found.said) == []


async def test_a_stage_takes_six_statements_however_much_was_said(house: StoreHouse, conn: Connection) -> None:
    for number in range(5):
        await house.answered(str(number))
    turn, _ = await house.running()
    driver = conn.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    asked: list[str] = []
    driver.set_trace_callback(asked.append)

    stage.stage(conn, turn, history=9, aside="care@1", since=turn.opened_at)

    assert len([statement for statement in asked if statement.startswith("SELECT")]) == 6
