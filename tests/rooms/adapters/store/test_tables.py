from typing import Any

import pytest
from sqlalchemy import Connection, Table, insert
from sqlalchemy.exc import IntegrityError

from echovessel.adapters.store import tables as t
from echovessel.testing.clock import START

# A number of the database's own is what the full-text index and the ledger need; jobs may belong to nobody.
NOT_SHARDED = {"message_search", "llm_call", "job"}


def test_every_key_of_a_users_row_begins_with_the_user() -> None:
    keys = {
        table.name: [column.name for column in table.primary_key]
        for table in t.metadata.sorted_tables
        if "user_id" in table.c and table.name not in NOT_SHARDED
    }

    assert {name: key for name, key in keys.items() if key[0] != "user_id"} == {}


def _turn(number: int, state: str, *, channel: str = "page", regenerates: str | None = None) -> dict[str, Any]:
    return {
        "user_id": "u",
        "id": str(number),
        "persona_id": "p",
        "conversation_id": "c",
        "channel": channel,
        "state": state,
        "opened_at": START,
        "due_at": START,
        "regenerates": regenerates,
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (_turn(1, "running"), _turn(2, "running", channel="discord")),
        (_turn(1, "open"), _turn(2, "open")),
        (_turn(1, "open", regenerates="m"), _turn(2, "open", regenerates="n")),
    ],
    ids=["one running a pair", "one open a channel", "one reroll a channel"],
)
def test_the_database_itself_refuses_a_second(empty: Connection, one: dict[str, Any], other: dict[str, Any]) -> None:
    empty.execute(insert(t.turn), one)

    with pytest.raises(IntegrityError):
        empty.execute(insert(t.turn), other)


def test_what_may_stand_beside_each_other_does(empty: Connection) -> None:
    empty.execute(
        insert(t.turn),
        [
            _turn(1, "running"),
            _turn(2, "open"),
            _turn(3, "open", channel="discord"),
            _turn(4, "open", regenerates="m"),
            _turn(5, "done"),
            _turn(6, "done"),
        ],
    )


@pytest.mark.parametrize("table", t.metadata.sorted_tables, ids=lambda table: table.name)
def test_no_column_is_nullable_by_accident(table: Table) -> None:
    may_be_null = {
        "persona": {"card_hash"},
        "turn": {"regenerates", "lease_token", "lease_until", "trouble"},
        "message": {"turn_id", "client_id", "external_id", "trouble"},
        "message_text": {"embedded_by"},
        "job": {"user_id", "again_at", "lease_token", "lease_until"},
        "llm_call": {"turn_id"},
        "quote": {"text_id"},
    }

    assert {column.name for column in table.c if column.nullable} == may_be_null.get(table.name, set())
