from sqlalchemy import Connection

from echovessel.adapters.store import feed
from echovessel.testing.contracts.store_house import StoreHouse


async def test_the_feed_is_read_in_pieces(house: StoreHouse, conn: Connection) -> None:
    for number in range(5):
        await house.hears(str(number))
    head = feed.head(conn, house.user_id)

    seen: list[int] = []
    while piece := feed.changes(conn, house.user_id, seen[-1] if seen else 0, 3):
        assert len(piece) <= 3
        seen += [row.seq for row in piece]

    assert seen == list(range(1, head + 1))


async def test_a_feed_begins_anew_after_all_that_anyone_read(house: StoreHouse, conn: Connection) -> None:
    await house.hears("so far")
    head = feed.head(conn, house.user_id)

    feed.begin_anew(conn, {house.user_id: head + 40, "somebody else": 7})
    feed.begin_anew(conn, {house.user_id: head})

    told = [(row.seq, row.kind) for row in feed.changes(conn, house.user_id, head, 10)]
    assert told == [(head + 41, feed.RESET), (head + 42, feed.RESET)]
    assert feed.heads(conn) == {house.user_id: head + 42}
