"""The store's promises about its change feed and about what the recall index is built from."""

import asyncio
from array import array
from contextlib import aclosing

import pytest

from echovessel.core.ids import MessageId, TextId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import TurnState
from echovessel.ports.changes import DeleteMessage, EditMessage, ForgetVectors, PutVectors
from echovessel.testing.contracts.store_house import BROKEN, StoreHouse

RAW = array("f", [0.25, -1.0, 3.5]).tobytes()


def _vectors(house: StoreHouse, *texts: TextId, embedder: str = "e5", raw: bytes = RAW) -> PutVectors:
    return PutVectors(
        user_id=house.user_id,
        persona_id=house.home.pair.persona_id,
        embedder=embedder,
        vectors=tuple((text_id, raw) for text_id in texts),
    )


class FeedContract:
    """Mixed into `StoreContract`."""

    async def test_the_feed_counts_without_gaps_whatever_happens_at_once(self, house: StoreHouse) -> None:
        other = await house.opens(await house.meets("Bo"), house.home.pair.persona_id)
        before = await house.store.head(house.user_id)
        hearings = [house.hearing(str(n), thread=house.home if n % 3 else other) for n in range(60)]

        await asyncio.gather(*(house.do(change) for change in hearings))

        rows = await house.store.changes(house.user_id, before)
        assert [row.seq for row in rows] == list(range(before + 1, before + 41))
        assert {row.ref for row in rows} == {change.message_id for n, change in enumerate(hearings) if n % 3}
        assert await house.store.head(house.user_id) == before + 40

    async def test_a_reader_that_follows_sees_every_entry_once_and_in_order(self, house: StoreHouse) -> None:
        start = await house.store.head(house.user_id)

        async def follow() -> list[int]:
            seen: list[int] = []
            async with aclosing(house.store.follow(house.user_id, start, 4)) as pages:
                async for rows in pages:
                    assert 0 < len(rows) <= 4
                    seen += [row.seq for row in rows]
                    if len(seen) >= 30:
                        break
            return seen

        async def talk() -> None:
            await asyncio.gather(*(house.do(house.hearing(str(n))) for n in range(30)))

        async with asyncio.timeout(20):
            seen, _ = await asyncio.gather(follow(), talk())

        assert seen == list(range(start + 1, start + 31))

    async def test_waiting_ends_with_a_change_of_this_user_only(self, house: StoreHouse) -> None:
        other = await house.opens(await house.meets("Bo"), house.home.pair.persona_id)
        waiting = asyncio.create_task(house.told_next())
        await house.hears("x", thread=other)
        await asyncio.sleep(0.05)
        assert not waiting.done()

        await house.hears("y")

        assert await asyncio.wait_for(waiting, 5) == ["message.created"]

    async def test_what_is_there_already_is_not_waited_for(self, house: StoreHouse) -> None:
        told = await asyncio.wait_for(house.told_next(after=0), 5)

        assert told == await house.kinds()

    async def test_an_unknown_user_has_an_empty_feed(self, house: StoreHouse) -> None:
        assert await house.store.head(UserId("nobody")) == 0
        assert list(await house.store.changes(UserId("nobody"), 0)) == []

    # ------------------------------------------------------------ for the recall index

    async def test_what_may_be_recalled_comes_in_timeline_order_with_its_vector(self, house: StoreHouse) -> None:
        reply = await house.answered("where is the monstera?", "by the window")
        first = (await house.store.messages(house.home.pair))[-1]
        assert (await house.do(_vectors(house, first.text_id))).fresh

        rows = await house.store.index_rows(house.home.pair, "e5")

        assert [(row.message_id, row.text, row.speaker, row.vector) for row in rows] == [
            (first.id, "where is the monstera?", "user", RAW),
            (reply.id, "by the window", "persona", None),
        ]
        assert (await house.kinds())[-1] == "vectors.added"
        assert [row.vector for row in await house.store.index_rows(house.home.pair, "other")] == [None, None]

    async def test_what_is_no_memory_is_left_out(self, house: StoreHouse) -> None:
        deleted = await house.hears("deleted")
        assert deleted.message_id is not None
        await house.do(DeleteMessage(user_id=house.user_id, message_id=deleted.message_id))
        turn, fence = await house.claims(deleted.turn_id)
        assert turn is not None
        await house.do(house.finishing(turn, "", state=TurnState.FAILED, trouble=BROKEN), fence)
        for made_by in ("keeper@1", "care@1"):
            await house.do(house.saying("help", made_by=made_by))
        kept = house.saying("keeper of bees", made_by="card")
        await house.do(kept)

        rows = await house.store.index_rows(house.home.pair, "e5")
        every_id = [MessageId(row.ref) for row in await house.store.changes(house.user_id, 0)]

        assert [row.message_id for row in rows] == [kept.message_id]
        assert await house.store.index_rows_by_id(house.home.pair, every_id, "e5") == rows
        assert [text.text_id for text in await house.store.unembedded("e5", 10)] == [kept.text_id]

    async def test_index_rows_stay_with_their_pair(self, house: StoreHouse) -> None:
        other = await house.opens(house.user_id, await house.shelves("other"))
        elsewhere = await house.hears("secret", thread=other)
        assert elsewhere.message_id is not None

        assert await house.store.index_rows(house.home.pair, "e5") == []
        assert await house.store.index_rows_by_id(house.home.pair, [elsewhere.message_id], "e5") == []

    async def test_the_same_vector_twice_is_told_once(self, house: StoreHouse) -> None:
        message = await house.answered()
        await house.do(_vectors(house, message.text_id))

        assert not (await house.do(_vectors(house, message.text_id))).fresh
        assert (await house.kinds()).count("vectors.added") == 1

        assert (await house.do(_vectors(house, message.text_id, raw=RAW[::-1]))).fresh
        rows = await house.store.index_rows_by_id(house.home.pair, [message.id], "e5")
        assert [row.vector for row in rows] == [RAW[::-1]]

    async def test_vectors_of_erased_or_foreign_texts_are_passed_over(self, house: StoreHouse) -> None:
        message = await house.answered()
        kept = await house.answered()
        await house.do(DeleteMessage(user_id=house.user_id, message_id=message.id))
        strangers = PutVectors(
            user_id=await house.meets("Bo"),
            persona_id=house.home.pair.persona_id,
            embedder="e5",
            vectors=((kept.text_id, RAW),),
        )

        assert not (await house.do(strangers)).fresh
        assert (await house.do(_vectors(house, message.text_id, TextId("unknown"), kept.text_id))).fresh
        assert await house.store.embedders() == {"e5": 1}

    async def test_a_new_wording_needs_a_vector_of_its_own(self, house: StoreHouse) -> None:
        message = await house.answered()
        await house.do(_vectors(house, message.text_id))
        heard = (await house.store.messages(house.home.pair))[-1]
        await house.do(_vectors(house, heard.text_id))
        assert list(await house.store.unembedded("e5", 10)) == []
        edit = EditMessage(
            user_id=house.user_id,
            message_id=message.id,
            text_id=TextId(house.ids.ulid()),
            text="reworded",
            at=house.clock.now(),
        )
        await house.do(edit)

        (lacking,) = await house.store.unembedded("e5", 10)

        assert (lacking.user_id, lacking.persona_id) == (house.user_id, house.home.pair.persona_id)
        assert (lacking.text_id, lacking.text) == (edit.text_id, "reworded")

    async def test_each_embedder_has_its_own_backlog(self, house: StoreHouse) -> None:
        one = house.saying("one")
        await house.store.apply([one, house.saying("two")])
        await house.do(_vectors(house, one.text_id))
        await house.do(_vectors(house, one.text_id, embedder="other"))

        assert [text.text for text in await house.store.unembedded("e5", 10)] == ["two"]
        assert len(await house.store.unembedded("third", 10)) == 2
        assert len(await house.store.unembedded("third", 1)) == 1
        assert [await house.store.count_unembedded(name) for name in ("e5", "other", "third")] == [1, 1, 2]
        assert await house.store.embedders() == {"e5": 1, "other": 1}

    async def test_the_texts_of_a_turn_wait_for_its_end(self, house: StoreHouse) -> None:
        receipt = await house.hears("one")
        await house.hears("two")
        assert await house.store.count_unembedded("e5") == 0
        turn, fence = await house.claims(receipt.turn_id)
        assert turn is not None
        assert list(await house.store.unembedded("e5", 10)) == []

        await house.do(house.finishing(turn, "three"), fence)

        assert {text.text for text in await house.store.unembedded("e5", 10)} == {"one", "two", "three"}

    async def test_vectors_of_other_embedders_are_forgotten_bit_by_bit(self, house: StoreHouse) -> None:
        heard = [await house.message((await house.hears(words)).message_id) for words in ("one", "two", "three")]
        for embedder in ("a", "e5", "z"):
            await house.do(_vectors(house, *(m.text_id for m in heard), embedder=embedder))
        before = await house.kinds()

        fresh = [(await house.do(ForgetVectors(keep="e5", limit=4))).fresh for _ in range(3)]

        assert fresh == [True, True, False]
        assert await house.store.embedders() == {"e5": 3}
        assert await house.store.count_unembedded("e5") == 0
        assert await house.kinds() == before

    @pytest.mark.parametrize("count", [0, 1200])
    async def test_index_rows_by_many_ids(self, house: StoreHouse, count: int) -> None:
        heard = await house.hears("one")
        assert heard.message_id is not None
        ids = [*(MessageId(f"unknown{n}") for n in range(count)), heard.message_id]

        rows = await house.store.index_rows_by_id(Pair(house.user_id, house.home.pair.persona_id), ids, "e5")

        assert [row.message_id for row in rows] == [heard.message_id]
