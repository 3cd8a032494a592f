import pytest
from sqlalchemy import Connection, select, text

from echovessel.adapters.store import indexing
from echovessel.adapters.store import tables as t
from echovessel.ports.changes import PutVectors
from echovessel.testing.contracts.store_house import StoreHouse


def _marks(conn: Connection) -> list[str | None]:
    return list(conn.scalars(select(t.message_text.c.embedded_by).order_by(t.message_text.c.id)))


async def test_each_wording_says_what_it_waits_for(house: StoreHouse, conn: Connection) -> None:
    heard = house.saying("龟背竹")
    for change in (heard, house.saying("no model is connected", made_by="keeper@1"), house.saying("hello")):
        await house.do(change)
    assert _marks(conn) == ["", None, ""]
    conn.rollback()

    for embedder in ("e5", "other"):
        await house.do(
            PutVectors(
                user_id=house.user_id,
                persona_id=house.home.pair.persona_id,
                embedder=embedder,
                vectors=((heard.text_id, b"1234"),),
            )
        )

    assert _marks(conn) == ["other", None, ""]
    assert [indexing.count_unembedded(conn, by) for by in ("e5", "other", "new")] == [1, 1, 2]


async def test_what_was_never_embedded_goes_first_and_the_newest_of_it(house: StoreHouse, conn: Connection) -> None:
    old = house.saying("old")
    await house.do(old)
    await house.do(
        PutVectors(
            user_id=house.user_id,
            persona_id=house.home.pair.persona_id,
            embedder="before",
            vectors=((old.text_id, b"1234"),),
        )
    )
    for words in ("new", "newer"):
        await house.do(house.saying(words))

    assert [found.text for found in indexing.unembedded(conn, "now", 10)] == ["newer", "new", "old"]
    assert [found.text for found in indexing.unembedded(conn, "now", 1)] == ["newer"]
    assert [found.text for found in indexing.unembedded(conn, "before", 10)] == ["newer", "new"]


@pytest.mark.parametrize("condition", ["embedded_by = ''", "embedded_by > 'e5'"])
async def test_the_backlog_is_found_by_an_index(house: StoreHouse, conn: Connection, condition: str) -> None:
    plan = conn.execute(text(f"EXPLAIN QUERY PLAN SELECT id FROM message_text WHERE {condition} ORDER BY embedded_by"))

    assert ["ix_message_text_embedded_by" in row.detail for row in plan] == [True]


def test_a_few_messages_are_looked_up_by_their_ids_however_long_the_timeline_is(empty: Connection) -> None:
    asked = indexing._recallable_by_id("sqlite").params(user="u", persona="p", embedder="e5", ids=["a", "b"])
    compiled = asked.compile(dialect=empty.dialect, compile_kwargs={"literal_binds": True})

    plan = [row.detail for row in empty.execute(text(f"EXPLAIN QUERY PLAN {compiled}"))]

    assert plan[0].endswith("(user_id=? AND id=?)")
