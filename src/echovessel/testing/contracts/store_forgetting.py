"""The store's promises about what is deleted: no other message, turn or draft keeps its words."""

from dataclasses import replace

import pytest

from echovessel.core.talk import Message, MessageState, Speaker, Trouble, Turn, TurnState
from echovessel.ports.changes import DeleteMessage, Fence, FinishTurn, Quotes
from echovessel.testing.contracts.store_house import BROKEN, StoreHouse

QUOTING = "You said: a turtle called Shelly"
UNQUOTED = "Kept."
ASIDE = replace(BROKEN, aside=QUOTING)


async def told(house: StoreHouse) -> Message:
    """A user's message, of a turn that is over."""
    turn, fence = await house.running("I had a turtle called Shelly")
    await house.do(house.finishing(turn, "Kept."), fence)
    house.clock.advance(1)
    so_far = await house.store.turn_so_far(house.user_id, turn.id)
    assert so_far is not None
    (said,) = [m for m in so_far.messages if m.speaker is Speaker.USER]
    return said


def delete(house: StoreHouse, message: Message) -> DeleteMessage:
    """The change that deletes a message."""
    return DeleteMessage(user_id=house.user_id, message_id=message.id)


def quoting(house: StoreHouse, turn: Turn, quoted: Message, trouble: Trouble | None) -> FinishTurn:
    """The end of a turn whose reply, or aside, repeats the words of another message."""
    finish = house.finishing(
        turn,
        "" if trouble else QUOTING,
        state=TurnState.FAILED if trouble else TurnState.DONE,
        trouble=trouble,
        made_by="keeper@1",
    )
    return replace(finish, quotes=Quotes(of=(quoted.id,), instead=UNQUOTED))


async def worded(house: StoreHouse, finish: FinishTurn, fence: Fence) -> tuple[Message, str]:
    """The persona's message that a turn ended with, and where the quote stands in it."""
    message = await house.message((await house.do(finish, fence)).message_id)
    return message, _shown(message)


def _shown(message: Message) -> str:
    return message.trouble.aside if message.trouble else message.text


class ForgettingContract:
    """Mixed into `StoreContract`."""

    @pytest.mark.parametrize("trouble", [None, ASIDE], ids=["reply", "aside"])
    async def test_what_repeats_a_message_loses_its_words_with_it(
        self, house: StoreHouse, trouble: Trouble | None
    ) -> None:
        secret = await told(house)
        turn, fence = await house.running("what was it called?")
        message, shown = await worded(house, quoting(house, turn, secret, trouble), fence)
        assert shown == QUOTING
        head = await house.store.head(house.user_id)

        await house.do(delete(house, secret))

        assert _shown(await house.message(message.id)) == UNQUOTED
        ended = await house.store.turn(house.user_id, turn.id)
        assert ended is not None
        assert (ended.trouble and ended.trouble.aside) == (UNQUOTED if trouble else None)
        assert await house.texts(q="Shelly") == []
        assert sorted(await house.kinds(head)) == ["message.deleted", "message.edited"]

    @pytest.mark.parametrize("trouble", [None, ASIDE], ids=["reply", "aside"])
    async def test_a_message_deleted_while_it_is_being_quoted_is_not(
        self, house: StoreHouse, trouble: Trouble | None
    ) -> None:
        secret = await told(house)
        turn, fence = await house.running("what was it called?")
        await house.do(delete(house, secret))

        _, shown = await worded(house, quoting(house, turn, secret, trouble), fence)

        assert shown == UNQUOTED

    async def test_a_wording_that_quotes_loses_its_words_among_others(self, house: StoreHouse) -> None:
        secret = await told(house)
        turn, fence = await house.running("what was it called?")
        message, _ = await worded(house, quoting(house, turn, secret, None), fence)
        again, fence = await house.rerolling(message)
        await house.do(house.finishing(again, "no idea"), fence)

        await house.do(delete(house, secret))

        message = await house.message(message.id)
        assert (message.text, [v.text for v in message.variants]) == ("no idea", [UNQUOTED, "no idea"])
        assert await house.texts(q="idea") == ["no idea"]

    async def test_a_message_that_quotes_can_itself_be_deleted(self, house: StoreHouse) -> None:
        secret = await told(house)
        turn, fence = await house.running("what was it called?")
        message, _ = await worded(house, quoting(house, turn, secret, None), fence)

        await house.do(delete(house, message))
        await house.do(delete(house, secret))

        gone = await house.message(message.id)
        assert (gone.state, gone.text, gone.variants) == (MessageState.DELETED, "", ())

    async def test_of_a_message_deleted_while_it_is_worded_again_no_draft_is_kept(self, house: StoreHouse) -> None:
        message = await house.answered(reply="hi")
        turn, fence = await house.rerolling(message)
        assert not (await house.do(house.drafting(turn, "hel"), fence)).stop_asked
        await house.do(delete(house, message))

        outcome = await house.do(house.drafting(turn, "hello"), fence)

        assert outcome.stop_asked
        kept = await house.store.turn(house.user_id, turn.id)
        assert kept is not None
        assert kept.draft == ""
