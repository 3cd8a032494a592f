"""The store's promises about reading a timeline: order, pages, search."""

from dataclasses import replace

import pytest

from echovessel.core.errors import NotFound
from echovessel.core.ids import MessageId
from echovessel.ports.changes import DeleteMessage
from echovessel.testing.contracts.store_house import StoreHouse

HOSTILE = [
    '"',
    "''",
    'a" OR "b',
    "NOT",
    "AND OR NEAR(",
    "* ^ : - + ( )",
    "tokens:x",
    "') OR 1=1 --",
    "\\' & | ! <->",
    "%_",
    "{}[];",
    "龟*",
    "؛",
]

UNUSUAL = [
    "x" * 1_000_000,
    "龟背竹" * 100_000,
    "\u202eright to left\u202c שלום مرحبا",
    "👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈",
    "e\u0301 é ﬁ Ａ",
    "line\nline\r\n\ttab",
    "it's 100% \"quoted\" \\ back'slash; DROP TABLE message;--",
    "𠮷野家 🀄",
]


class TimelineContract:
    """Mixed into `StoreContract`."""

    @pytest.mark.parametrize("text", UNUSUAL, ids=lambda text: ascii(text[:12]))
    async def test_every_text_comes_back_as_it_was_said(self, house: StoreHouse, text: str) -> None:
        heard = await house.hears(text)

        assert (await house.message(heard.message_id)).text == text

    async def test_a_very_long_text_is_found_by_its_words(self, house: StoreHouse) -> None:
        await house.hears("lantern " + "very " * 100_000 + "灯笼")

        assert len(await house.texts(q="lantern 灯笼")) == 1

    async def test_pages_go_back_without_gap_or_repetition(self, house: StoreHouse) -> None:
        for number in range(7):
            await house.hears(str(number))

        seen: list[str] = []
        before: MessageId | None = None
        while page := await house.store.messages(house.home.pair, before=before, limit=3):
            seen += [message.text for message in page]
            before = page[-1].id

        assert seen == ["6", "5", "4", "3", "2", "1", "0"]

    async def test_pages_go_forward_from_a_message(self, house: StoreHouse) -> None:
        ids = [(await house.hears(str(number))).message_id for number in range(7)]

        page = await house.store.messages(house.home.pair, after=ids[1], limit=3)

        assert [message.text for message in page] == ["4", "3", "2"]
        assert list(await house.store.messages(house.home.pair, after=ids[6])) == []

    async def test_the_timeline_begins_with_its_oldest_live_message(self, house: StoreHouse) -> None:
        assert await house.store.first_message(house.home.pair) is None
        first, second = await house.hears("one"), await house.hears("two")
        assert first.message_id is not None
        assert await house.store.first_message(house.home.pair) == await house.message(first.message_id)

        await house.do(DeleteMessage(user_id=house.user_id, message_id=first.message_id))

        assert await house.store.first_message(house.home.pair) == await house.message(second.message_id)

    async def test_messages_of_one_moment_keep_the_order_of_their_ids(self, house: StoreHouse) -> None:
        ids = [(await house.do(house.hearing(str(number)))).message_id for number in range(5)]

        assert await house.texts() == ["4", "3", "2", "1", "0"]
        page = await house.store.messages(house.home.pair, before=ids[2], limit=1)
        assert [message.text for message in page] == ["1"]

    async def test_the_page_after_a_deleted_message_is_still_found(self, house: StoreHouse) -> None:
        ids = [(await house.hears(str(number))).message_id for number in range(3)]
        assert ids[1] is not None
        await house.do(DeleteMessage(user_id=house.user_id, message_id=ids[1]))

        page = await house.store.messages(house.home.pair, before=ids[1])

        assert [message.text for message in page] == ["0"]

    async def test_a_page_from_nowhere_is_not_found(self, house: StoreHouse) -> None:
        theirs = await house.opens(house.user_id, await house.shelves("other"))
        elsewhere = (await house.hears("x", thread=theirs)).message_id
        for place in (MessageId("01ARZ3NDEKTSV4RRFFQ69G5FAV"), MessageId("'; --"), elsewhere):
            with pytest.raises(NotFound):
                await house.store.messages(house.home.pair, before=place)

    async def test_some_messages_come_in_timeline_order_whatever_was_asked(self, house: StoreHouse) -> None:
        ids = [(await house.hears(str(number))).message_id for number in range(3)]
        asked = [message_id for message_id in reversed(ids) if message_id is not None]

        found = await house.store.messages_by_id(house.user_id, [*asked, MessageId("unknown"), asked[0]])

        assert [message.text for message in found] == ["0", "1", "2"]
        assert await house.store.messages_by_id(house.user_id, []) == []

    async def test_some_messages_may_come_without_their_variants(self, house: StoreHouse) -> None:
        reply = await house.answered()
        turn, fence = await house.rerolling(reply)
        await house.do(house.finishing(turn, "again"), fence)
        erased = await house.answered()
        await house.do(DeleteMessage(user_id=house.user_id, message_id=erased.id))

        found = await house.store.messages_by_id(house.user_id, [erased.id, reply.id], variants=False)

        assert list(found) == [replace(await house.message(reply.id), variants=())]
        assert found[0].text == "again"

    async def test_search_finds_words_in_both_languages_and_every_one_must_be_there(self, house: StoreHouse) -> None:
        await house.hears("我把那盆龟背竹救活了")
        await house.hears("Scott likes planting monsteras")
        await house.hears("Scott 说龟背竹很难养")

        assert await house.texts(q="龟背竹") == ["Scott 说龟背竹很难养", "我把那盆龟背竹救活了"]
        assert await house.texts(q="活") == ["我把那盆龟背竹救活了"]
        assert await house.texts(q="SCOTT plant") == ["Scott likes planting monsteras"]
        assert await house.texts(q="scott 龟背竹") == ["Scott 说龟背竹很难养"]
        assert await house.texts(q="龟背竹 planting") == []

    async def test_search_pages_too(self, house: StoreHouse) -> None:
        ids = [(await house.hears(f"tea {number}")).message_id for number in range(5)]
        await house.hears("coffee")

        newest = await house.store.messages(house.home.pair, q="tea", limit=2)
        older = await house.store.messages(house.home.pair, q="tea", before=newest[-1].id, limit=2)
        newer = await house.store.messages(house.home.pair, q="tea", after=ids[0], limit=2)

        assert [message.text for message in [*newest, *older]] == ["tea 4", "tea 3", "tea 2", "tea 1"]
        assert [message.text for message in newer] == ["tea 2", "tea 1"]

    @pytest.mark.parametrize("q", HOSTILE)
    async def test_what_is_searched_for_is_never_syntax(self, house: StoreHouse, q: str) -> None:
        await house.hears("an ordinary message")

        assert list(await house.texts(q=q)) == []

    async def test_a_quoted_word_is_found_by_its_word(self, house: StoreHouse) -> None:
        await house.hears('she said "monstera"')

        assert len(await house.texts(q='"Monstera"')) == 1

    async def test_search_stays_with_its_pair(self, house: StoreHouse) -> None:
        other_persona = await house.opens(house.user_id, await house.shelves("other"))
        other_user = await house.opens(await house.meets("Bo"), house.home.pair.persona_id)
        await house.hears("secret", thread=other_persona)
        await house.hears("secret", thread=other_user)

        assert list(await house.texts(q="secret")) == []
