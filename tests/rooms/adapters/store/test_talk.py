from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, text
from sqlalchemy.dialects import sqlite

from echovessel.adapters.store import talk
from echovessel.adapters.store.prepared import Prepared
from echovessel.testing.contracts.store_house import StoreHouse


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        (talk._BY_ID, "sqlite_autoindex_message_1"),
        (talk._BY_CLIENT_ID, "uq_message_client_id"),
        (talk._BY_EXTERNAL_ID, "uq_message_external_id"),
        (talk._CONVERSATION, "sqlite_autoindex_conversation_1"),
        (talk._JOIN_TURN, "uq_turn_collecting"),
    ],
)
def test_hearing_a_message_never_reads_a_whole_table(empty: Connection, statement: Prepared, index: str) -> None:
    compiled = statement._statement.compile(dialect=sqlite.dialect(paramstyle="named"))
    plan = empty.execute(text(f"EXPLAIN QUERY PLAN {compiled}"), dict.fromkeys(compiled.params, "x"))

    assert [index in row.detail for row in plan] == [True]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from("abc"), max_size=12))
async def test_however_often_a_message_arrives_it_is_there_once(house: StoreHouse, arrivals: list[str]) -> None:
    before = len(await house.texts())
    tag = house.ids.ulid()

    outcomes = [await house.do(house.hearing(f"{tag} {key}", client_id=tag + key)) for key in arrivals]

    assert len(await house.texts()) - before == len(set(arrivals))
    assert len({outcome.message_id for outcome in outcomes}) == len(set(arrivals))
    assert [outcome.fresh for outcome in outcomes] == [key not in arrivals[:i] for i, key in enumerate(arrivals)]


async def test_a_batch_that_repeats_itself_is_stored_once(house: StoreHouse) -> None:
    line = house.importing("那年夏天", "s1:1")
    again = replace(house.importing("那年夏天", "s1:1"), sent_at=line.sent_at)

    applied = await house.store.apply([line, again])

    assert [outcome.fresh for outcome in applied.outcomes] == [True, False]
