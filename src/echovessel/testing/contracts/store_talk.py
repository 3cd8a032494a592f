"""The store's promises about what is said, and what people do with it afterwards."""

from dataclasses import replace

import pytest

from echovessel.core.errors import Conflict, NotFound
from echovessel.core.ids import ConversationId, MessageId, PersonaId, TextId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, MessageState, Speaker, Trouble, TurnState
from echovessel.ports.changes import ChooseVariant, DeleteMessage, EditMessage, OpenConversation
from echovessel.testing.contracts.store_house import BROKEN, StoreHouse


def _edit(house: StoreHouse, message_id: MessageId, text: str) -> EditMessage:
    return EditMessage(
        user_id=house.user_id,
        message_id=message_id,
        text_id=TextId(house.ids.ulid()),
        text=text,
        at=house.clock.now(),
    )


def _delete(message: Message) -> DeleteMessage:
    return DeleteMessage(user_id=message.pair.user_id, message_id=message.id)


class TalkContract:
    """Mixed into `StoreContract`."""

    async def test_a_heard_message_is_there_with_all_that_came_with_it(self, house: StoreHouse) -> None:
        change = house.hearing("龟背竹活了 🌿", client_id="c1", external_id="d1")
        outcome = await house.do(change)

        assert (outcome.message_id, outcome.turn_id, outcome.fresh) == (change.message_id, change.turn_id, True)
        message = await house.message(change.message_id)
        assert message.text == "龟背竹活了 🌿"
        assert (message.speaker, message.state, message.made_by) == (Speaker.USER, MessageState.COMPLETE, "user")
        assert (message.sent_at, message.zone, message.turn_id) == (change.sent_at, "Europe/Berlin", change.turn_id)
        assert (message.client_id, message.external_id) == ("c1", "d1")
        assert [variant.id for variant in message.variants] == [message.text_id]

    @pytest.mark.parametrize("known_by", ["client_id", "external_id", "message_id"])
    async def test_the_same_message_twice_is_one_message(self, house: StoreHouse, known_by: str) -> None:
        first = house.hearing("once", client_id="c1", external_id="d1")
        await house.do(first)
        head = await house.store.head(house.user_id)
        again = house.hearing("twice")
        again = replace(again, **{known_by: getattr(first, known_by)})

        outcome = await house.do(again)

        assert (outcome.fresh, outcome.message_id, outcome.turn_id) == (False, first.message_id, first.turn_id)
        assert await house.texts() == ["once"]
        assert await house.store.head(house.user_id) == head

    async def test_a_deleted_message_stays_known(self, house: StoreHouse) -> None:
        first = house.hearing("once", client_id="c1")
        await house.do(first)
        await house.do(_delete(await house.message(first.message_id)))

        outcome = await house.do(house.hearing("once", client_id="c1"))

        assert (outcome.fresh, outcome.message_id) == (False, first.message_id)

    async def test_a_client_id_belongs_to_its_pair(self, house: StoreHouse) -> None:
        other = await house.opens(house.user_id, await house.shelves("other"))
        await house.do(house.hearing("one", client_id="c1"))

        assert (await house.do(house.hearing("two", client_id="c1", thread=other))).fresh

    async def test_an_external_id_belongs_to_its_channel(self, house: StoreHouse) -> None:
        discord = await house.opens(house.user_id, house.home.pair.persona_id, "discord", "42")
        await house.do(house.hearing("one", external_id="7"))

        assert (await house.do(house.hearing("two", external_id="7", thread=discord))).fresh

    async def test_what_no_database_holds_is_taken_out_and_the_rest_is_kept(self, house: StoreHouse) -> None:
        odd, kept = "a\x00b \ud83d", "ab \ufffd"
        await house.do(house.importing(odd, external_id=odd))
        turn, fence = await house.running(odd)
        await house.do(house.drafting(turn, odd), fence)
        trouble = Trouble(code=odd, message=odd, do=odd, aside=odd)
        done = await house.do(
            house.finishing(turn, odd, state=TurnState.FAILED, trouble=trouble, made_by=f"reply@1 {odd}"), fence
        )

        message = await house.message(done.message_id)
        assert (message.text, message.made_by) == (kept, f"reply@1 {kept}")
        assert message.trouble == Trouble(code=kept, message=kept, do=kept, aside=kept)
        assert await house.texts() == [kept, kept, kept]
        assert not (await house.do(house.importing("again", external_id=odd))).fresh

    async def test_a_burst_is_one_turn_and_each_message_moves_it(self, house: StoreHouse) -> None:
        first = await house.hears("one")
        later = house.hearing("two")
        second = await house.do(later)

        assert second.turn_id == first.turn_id
        assert second.turn_id is not None
        so_far = await house.store.turn_so_far(house.user_id, second.turn_id)
        assert so_far is not None
        assert (so_far.turn.due_at, so_far.turn.state) == (later.due_at, TurnState.OPEN)
        assert [message.text for message in so_far.messages] == ["one", "two"]

    async def test_each_channel_has_its_own_burst(self, house: StoreHouse) -> None:
        discord = await house.opens(house.user_id, house.home.pair.persona_id, "discord", "42")

        assert (await house.hears("one")).turn_id != (await house.hears("two", thread=discord)).turn_id

    async def test_nothing_is_heard_in_a_conversation_that_is_not_there_or_not_ones_own(
        self, house: StoreHouse
    ) -> None:
        theirs = await house.opens(await house.meets("Bo"), house.home.pair.persona_id)
        for thread in (theirs.id, ConversationId(house.ids.ulid())):
            with pytest.raises(NotFound):
                await house.do(replace(house.hearing("x"), conversation_id=thread))
        with pytest.raises(Conflict):
            await house.do(replace(house.hearing("x"), channel="discord"))

    async def test_a_conversation_is_opened_once_and_bound_for_good(self, house: StoreHouse) -> None:
        again = OpenConversation(
            conversation_id=ConversationId(house.ids.ulid()),
            pair=house.home.pair,
            channel="page",
            key=house.home.pair.persona_id,
            at=house.clock.now(),
        )
        outcome = await house.do(again)
        assert (outcome.fresh, outcome.conversation_id) == (False, house.home.id)

        other = Pair(house.user_id, await house.shelves("other"))
        with pytest.raises(Conflict):
            await house.do(replace(again, pair=other))
        found = await house.store.conversation(house.user_id, "page", house.home.pair.persona_id)
        assert found is not None
        assert (found.id, found.pair) == (house.home.id, house.home.pair)

    async def test_a_conversation_needs_its_user_and_persona(self, house: StoreHouse) -> None:
        for pair in (
            Pair(UserId(house.ids.ulid()), house.home.pair.persona_id),
            Pair(house.user_id, PersonaId(house.ids.ulid())),
        ):
            with pytest.raises(NotFound):
                await house.do(
                    OpenConversation(
                        conversation_id=ConversationId(house.ids.ulid()),
                        pair=pair,
                        channel="page",
                        key="new",
                        at=house.clock.now(),
                    )
                )

    async def test_what_the_persona_says_by_itself_is_said_once(self, house: StoreHouse) -> None:
        first = house.saying("你好呀", external_id="greeting")
        await house.do(first)

        assert not (await house.do(first)).fresh
        assert not (await house.do(house.saying("你好呀", external_id="greeting"))).fresh
        said = await house.message(first.message_id)
        assert (said.speaker, said.made_by, said.zone) == (Speaker.PERSONA, "card", "Asia/Shanghai")
        assert await house.kinds(2) == ["conversation.opened", "message.created"]

    async def test_an_import_of_what_was_exported_here_adds_nothing(self, house: StoreHouse) -> None:
        heard = await house.hears("那年夏天")
        assert heard.message_id is not None
        back = replace(house.importing("那年夏天", "x:1"), origin=heard.message_id)

        assert not (await house.do(back)).fresh
        await house.do(DeleteMessage(user_id=house.user_id, message_id=heard.message_id))
        assert not (await house.do(back)).fresh
        assert await house.texts() == []
        elsewhere = replace(house.importing("那年夏天", "x:2"), origin=MessageId(house.ids.ulid()))
        assert (await house.do(elsewhere)).fresh

    async def test_an_import_twice_is_one_import(self, house: StoreHouse) -> None:
        lines = [house.importing("那年夏天", "s1:1"), house.importing("我们去了海边", "s1:2")]
        await house.store.apply(lines)
        again = await house.store.apply([house.importing("那年夏天", "s1:1"), house.importing("回来了", "s1:3")])

        assert [outcome.fresh for outcome in again.outcomes] == [False, True]
        assert sorted(await house.texts()) == sorted(["那年夏天", "我们去了海边", "回来了"])
        assert (await house.message(lines[0].message_id)).made_by == "import"

    async def test_an_edit_is_a_new_wording_beside_the_old(self, house: StoreHouse) -> None:
        message = await house.answered(reply="hallo")
        change = _edit(house, message.id, "hello")
        await house.do(change)

        assert not (await house.do(change)).fresh
        edited = await house.message(message.id)
        assert (edited.text, edited.text_id, edited.made_by) == ("hello", change.text_id, "edit")
        assert [variant.text for variant in edited.variants] == ["hallo", "hello"]
        assert await house.texts(q="hallo") == []
        assert await house.texts(q="hello") == ["hello", "hello"]

    async def test_an_earlier_wording_is_chosen_again(self, house: StoreHouse) -> None:
        message = await house.answered(reply="hallo")
        await house.do(_edit(house, message.id, "servus"))
        choice = ChooseVariant(user_id=house.user_id, message_id=message.id, text_id=message.text_id)
        head = await house.store.head(house.user_id)

        assert (await house.do(choice)).fresh
        assert not (await house.do(choice)).fresh
        assert (await house.message(message.id)).text == "hallo"
        assert await house.texts(q="servus") == []
        assert await house.kinds(head) == ["message.edited"]

    async def test_only_a_wording_of_the_message_can_be_chosen(self, house: StoreHouse) -> None:
        one, two = await house.answered(), await house.answered()

        with pytest.raises(NotFound):
            await house.do(ChooseVariant(user_id=house.user_id, message_id=one.id, text_id=two.text_id))

    async def test_a_deleted_message_keeps_its_row_and_no_word(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        failed = house.finishing(turn, "half a sen", state=TurnState.FAILED, trouble=BROKEN)
        done = await house.do(failed, fence)
        message = await house.message(done.message_id)
        await house.do(_edit(house, message.id, "half a sentence"))
        head = await house.store.head(house.user_id)

        assert (await house.do(_delete(message))).fresh
        assert not (await house.do(_delete(message))).fresh

        gone = await house.message(message.id)
        assert (gone.state, gone.text, gone.variants, gone.trouble) == (MessageState.DELETED, "", (), None)
        assert await house.texts() == ["hello"]
        assert await house.texts(q="half") == []
        assert await house.store.messages_by_id(house.user_id, [message.id]) == []
        assert await house.kinds(head) == ["message.deleted"]

    async def test_what_is_gone_cannot_be_worded(self, house: StoreHouse) -> None:
        message = await house.answered()
        await house.do(_delete(message))
        changes = (
            _edit(house, message.id, "back"),
            ChooseVariant(user_id=house.user_id, message_id=message.id, text_id=message.text_id),
            house.reroll(message),
        )
        for change in changes:
            with pytest.raises(NotFound):
                await house.do(change)

    async def test_another_users_messages_can_be_neither_read_nor_changed(self, house: StoreHouse) -> None:
        message = await house.answered()
        other = await house.meets("Bo")
        changes = (
            replace(_edit(house, message.id, "mine now"), user_id=other),
            ChooseVariant(user_id=other, message_id=message.id, text_id=message.text_id),
            DeleteMessage(user_id=other, message_id=message.id),
            replace(house.reroll(message), user_id=other),
        )
        for change in changes:
            with pytest.raises(NotFound):
                await house.do(change)

        assert await house.store.message(other, message.id) is None
        assert await house.store.messages_by_id(other, [message.id]) == []
        assert await house.store.messages(Pair(other, house.home.pair.persona_id)) in ([], ())
        assert message.turn_id is not None
        assert await house.store.turn(other, message.turn_id) is None
        assert await house.store.turn_so_far(other, message.turn_id) is None
        assert await house.message(message.id) == message

    async def test_a_talk_keeps_its_order_when_the_clock_is_set_back(self, house: StoreHouse) -> None:
        await house.hears("before")
        house.clock.set(-3600)
        turn, fence = await house.running("after")
        reply = house.finishing(turn, "answered")
        house.clock.advance(1)
        await house.hears("heard meanwhile")
        await house.do(reply, fence)

        assert await house.texts() == ["heard meanwhile", "answered", "after", "before"]
