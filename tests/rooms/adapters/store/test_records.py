import json

from sqlalchemy import Connection, select

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.records import no_such, trouble_of, trouble_values, turn_of
from echovessel.core.talk import Trouble
from echovessel.testing.contracts.store_house import StoreHouse

TROUBLE = Trouble(code="model-busy", message="满了。", do="Wait.", aside="“I remember 龟背竹” 🌿")


def test_trouble_comes_back_through_json() -> None:
    assert trouble_of(json.loads(json.dumps(trouble_values(TROUBLE)))) == TROUBLE
    assert trouble_of(trouble_values(None)) is None


async def test_a_turn_row_is_the_turn(house: StoreHouse, conn: Connection) -> None:
    turn, _ = await house.running()

    assert turn_of(conn.execute(select(t.turn)).one()) == turn


def test_what_is_missing_is_named_and_says_what_to_do() -> None:
    assert "message" in no_such("message").message
    assert no_such("message").do
