"""The store's promises about what belongs to one turn: what it is answered from, and what came of it so far."""

from dataclasses import replace

from echovessel.core.ids import TurnId
from echovessel.core.talk import Message, Turn, TurnState
from echovessel.ports.changes import DeleteMessage, PutCoreBlock
from echovessel.ports.records import BlockLabel, CoreBlock, Stage
from echovessel.testing.contracts.store_house import BROKEN, StoreHouse


async def _stage(house: StoreHouse, turn: Turn, history: int = 50) -> Stage:
    return await house.store.stage(turn, history=history, aside="care@1", since=turn.opened_at)


def _bare(message: Message) -> Message:
    return replace(message, variants=())


class StageContract:
    """Mixed into `StoreContract`."""

    async def test_a_turn_is_answered_from_who_speaks_and_what_was_said(self, house: StoreHouse) -> None:
        earlier = await house.answered("one", "two")
        style = CoreBlock(
            persona_id=house.home.pair.persona_id,
            user_id=None,
            label=BlockLabel.STYLE,
            text="short",
            revision=1,
            by="owner",
            at=house.clock.now(),
        )
        await house.do(PutCoreBlock(block=style))
        turn, _ = await house.running("three")

        stage = await _stage(house, turn)

        assert stage.user == await house.store.user(house.user_id)
        assert stage.persona == await house.store.persona(house.home.pair.persona_id)
        assert list(stage.blocks) == [style]
        assert [m.text for m in stage.said] == ["three"]
        assert [m.text for m in stage.history] == ["three", "two", "one"]
        assert stage.history[1] == _bare(earlier)
        assert list(stage.aside) == []
        assert [m.text for m in (await _stage(house, turn, history=2)).history] == ["three", "two"]

    async def test_what_one_voice_said_lately_stands_aside(self, house: StoreHouse) -> None:
        said: list[Message] = []
        for number in range(3):
            said.append(await house.message((await house.do(house.saying(str(number), made_by="care@1"))).message_id))
            await house.do(house.saying("no model is connected", made_by="keeper@1"))
            house.clock.advance(1)
        await house.do(DeleteMessage(user_id=house.user_id, message_id=said[2].id))
        turn, _ = await house.running()

        since = [await house.store.stage(turn, history=1, aside="care@1", since=m.sent_at) for m in said[:2]]

        assert [list(stage.aside) for stage in since] == [list(map(_bare, said[:2])), [_bare(said[1])]]

    async def test_a_reply_is_worded_again_from_what_came_before_it(self, house: StoreHouse) -> None:
        await house.answered("one", "two")
        reply = await house.answered("three", "four")
        await house.answered("five", "six")
        turn, _ = await house.rerolling(reply)

        stage = await _stage(house, turn)

        assert [m.text for m in stage.said] == ["three", "four"]
        assert [m.text for m in stage.history] == ["two", "one"]

    async def test_of_another_pair_nothing_is_on_the_stage(self, house: StoreHouse) -> None:
        other = await house.opens(await house.meets("Bo"), house.home.pair.persona_id)
        await house.hears("secret", thread=other)
        turn, _ = await house.running("hello")

        stage = await _stage(house, turn)
        theirs = await _stage(house, replace(turn, pair=other.pair))

        assert [m.text for m in stage.history] == ["hello"]
        assert [m.text for m in theirs.history] == ["secret"]
        assert list(theirs.said) == []

    async def test_a_turn_so_far_is_told_with_its_messages(self, house: StoreHouse) -> None:
        turn, fence = await house.running("one")
        begun = await house.store.turn_so_far(house.user_id, turn.id)
        await house.do(house.finishing(turn, "two", state=TurnState.FAILED, trouble=BROKEN), fence)
        ended = await house.store.turn_so_far(house.user_id, turn.id)

        assert begun is not None
        assert ended is not None
        assert (begun.turn, begun.reply, [m.text for m in begun.messages]) == (turn, None, ["one"])
        assert (ended.turn.state, ended.turn.trouble) == (TurnState.FAILED, BROKEN)
        assert ended.messages[-1] == ended.reply == await house.message(ended.messages[-1].id)
        assert [m.text for m in ended.messages] == ["one", "two"]

    async def test_a_turn_that_words_again_is_told_with_what_it_words(self, house: StoreHouse) -> None:
        reply = await house.answered("one", "two")
        turn, _ = await house.rerolling(reply)
        so_far = await house.store.turn_so_far(house.user_id, turn.id)
        await house.do(DeleteMessage(user_id=house.user_id, message_id=reply.id))
        gone = await house.store.turn_so_far(house.user_id, turn.id)

        assert so_far is not None
        assert gone is not None
        assert (so_far.reply, list(so_far.messages)) == (reply, [])
        assert gone.reply == await house.message(reply.id)
        assert list((await _stage(house, turn)).said) == list(await house.store.messages(house.home.pair))

    async def test_a_turn_of_another_is_not_told(self, house: StoreHouse) -> None:
        turn, _ = await house.running()

        assert await house.store.turn_so_far(await house.meets("Bo"), turn.id) is None
        assert await house.store.turn_so_far(house.user_id, TurnId("unknown")) is None
