from sqlalchemy import Connection, String, cast, select

from echovessel.adapters.store import tables as t
from echovessel.core.ids import TextId
from echovessel.core.talk import Trouble, TurnState
from echovessel.ports.changes import DeleteMessage, EditMessage, PutVectors
from echovessel.testing.contracts.store_house import StoreHouse

SECRET = "zanzibar"


def _holding(conn: Connection, words: str) -> dict[str, int]:
    """In which columns of which tables these words stand, and how often."""
    found: dict[str, int] = {}
    for table in t.metadata.sorted_tables:
        for column in table.c:
            kept = conn.scalars(select(cast(column, String)).where(column.is_not(None)))
            if count := sum(words in (value or "") for value in kept):
                found[f"{table.name}.{column.name}"] = count
    return found


async def test_no_table_holds_a_word_of_what_was_deleted(house: StoreHouse, conn: Connection) -> None:
    """Two wordings, a vector, search tokens, trouble that quotes it, and the draft of a reroll."""
    trouble = Trouble(code="model-cut", message="cut", do="again", aside=f"You spoke of {SECRET}.")
    turn, fence = await house.running("hello")
    await house.do(house.drafting(turn, f"in {SECRET}"), fence)
    done = await house.do(house.finishing(turn, f"in {SECRET}", state=TurnState.FAILED, trouble=trouble), fence)
    message = await house.message(done.message_id)
    await house.do(
        EditMessage(
            user_id=house.user_id,
            message_id=message.id,
            text_id=TextId(house.ids.ulid()),
            text=f"was in {SECRET}",
            at=house.clock.now(),
        )
    )
    await house.do(
        PutVectors(
            user_id=house.user_id,
            persona_id=message.pair.persona_id,
            embedder="e5",
            vectors=((message.text_id, SECRET.encode()),),
        )
    )
    reroll, reroll_fence = await house.rerolling(await house.message(message.id))
    await house.do(house.drafting(reroll, f"{SECRET} again"), reroll_fence)
    before = _holding(conn, SECRET)
    conn.rollback()
    assert {"message_text.text", "message_search.tokens", "turn.draft", "turn.trouble"} <= set(before)

    await house.do(DeleteMessage(user_id=house.user_id, message_id=message.id))

    assert _holding(conn, SECRET) == {}
