"""The store's promises about turns: one worker each, nothing said twice, nothing lost."""

import asyncio

import pytest

from echovessel.core.errors import Conflict, FenceLost, NotFound
from echovessel.core.ids import UserId
from echovessel.core.talk import MessageState, Speaker, Turn, TurnState
from echovessel.ports.changes import AskToStop, ChooseVariant, DeleteMessage, Fence, FenceKind, PutTrace, ReleaseLeases
from echovessel.testing.contracts.store_house import BROKEN, StoreHouse


async def _turn(house: StoreHouse, turn: Turn) -> Turn:
    found = await house.store.turn(house.user_id, turn.id)
    assert found is not None
    return found


class TurnsContract:
    """Mixed into `StoreContract`."""

    async def test_a_due_turn_waits_until_it_is_claimed(self, house: StoreHouse) -> None:
        heard = await house.do(house.hearing())

        assert [turn.id for turn in (await house.store.due_turns()).now] == [heard.turn_id]
        turn, _ = await house.claims(heard.turn_id)

        assert turn is not None
        assert (turn.state, turn.attempts) == (TurnState.RUNNING, 1)
        assert (await house.store.due_turns()).now == []

    async def test_a_turn_that_is_not_due_cannot_be_claimed(self, house: StoreHouse) -> None:
        heard = await house.do(house.hearing())
        house.clock.advance(-1)

        assert (await house.store.due_turns()).now == []
        assert (await house.claims(heard.turn_id))[0] is None

    async def test_a_turn_opened_before_the_clock_was_set_back_does_not_wait_for_it(self, house: StoreHouse) -> None:
        heard = await house.do(house.hearing())
        house.clock.advance(-86_400)

        assert [turn.id for turn in (await house.store.due_turns()).now] == [heard.turn_id]
        assert (await house.claims(heard.turn_id))[0] is not None

    async def test_of_many_workers_one_gets_the_turn(self, house: StoreHouse) -> None:
        heard = await house.hears()

        tries = await asyncio.gather(*(house.claims(heard.turn_id) for _ in range(8)))

        assert len([turn for turn, _ in tries if turn is not None]) == 1
        assert heard.turn_id is not None
        turn = await house.store.turn(house.user_id, heard.turn_id)
        assert turn is not None
        assert turn.attempts == 1

    async def test_a_pair_has_one_running_turn(self, house: StoreHouse) -> None:
        discord = await house.opens(house.user_id, house.home.pair.persona_id, "discord", "42")
        turns = [(await house.hears("one")).turn_id, (await house.hears("two", thread=discord)).turn_id]

        tries = await asyncio.gather(*(house.claims(turn_id) for turn_id in turns))

        assert len([turn for turn, _ in tries if turn is not None]) == 1
        assert (await house.store.due_turns()).now == []

    async def test_what_is_said_meanwhile_is_the_next_turn(self, house: StoreHouse) -> None:
        turn, fence = await house.running("one")
        second = await house.hears("two")

        assert second.turn_id != turn.id
        assert (await house.store.due_turns()).now == []
        await house.do(house.finishing(turn), fence)
        assert [waiting.id for waiting in (await house.store.due_turns()).now] == [second.turn_id]

    async def test_other_pairs_do_not_wait(self, house: StoreHouse) -> None:
        await house.running("one")
        other = await house.opens(house.user_id, await house.shelves("other"))
        second = await house.hears("two", thread=other)

        assert (await house.claims(second.turn_id))[0] is not None

    async def test_the_oldest_waits_first(self, house: StoreHouse) -> None:
        threads = [await house.opens(house.user_id, await house.shelves(str(n))) for n in range(3)]
        heard = [(await house.hears("x", thread=thread)).turn_id for thread in threads]

        waiting = (await house.store.due_turns(2)).now

        assert [turn.id for turn in waiting] == heard[:2]

    async def test_a_draft_is_kept(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        head = await house.store.head(house.user_id)

        assert not (await house.do(house.drafting(turn, "hel"), fence)).stop_asked

        assert (await _turn(house, turn)).draft == "hel"
        assert await house.store.head(house.user_id) == head

    async def test_the_worker_learns_that_it_should_stop(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        stop = AskToStop(user_id=house.user_id, turn_id=turn.id)

        assert (await house.do(stop)).fresh
        assert not (await house.do(stop)).fresh
        assert (await house.do(house.drafting(turn, "hel"), fence)).stop_asked

    async def test_an_open_turn_that_is_stopped_is_due_at_once(self, house: StoreHouse) -> None:
        heard = await house.do(house.hearing())
        house.clock.advance(-10)
        assert heard.turn_id is not None
        await house.do(AskToStop(user_id=house.user_id, turn_id=heard.turn_id))

        assert [turn.asked_to_stop for turn in (await house.store.due_turns()).now] == [True]

    async def test_what_is_said_after_a_stop_is_answered(self, house: StoreHouse) -> None:
        heard = await house.hears("one")
        assert heard.turn_id is not None
        await house.do(AskToStop(user_id=house.user_id, turn_id=heard.turn_id))
        await house.hears("two")

        assert [turn.asked_to_stop for turn in (await house.store.due_turns()).now] == [False]

    async def test_a_finished_turn_stays_as_it_is(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        await house.do(house.finishing(turn), fence)

        assert not (await house.do(AskToStop(user_id=house.user_id, turn_id=turn.id))).fresh
        assert not (await _turn(house, turn)).asked_to_stop

    async def test_only_ones_own_turns_can_be_stopped(self, house: StoreHouse) -> None:
        turn, _ = await house.running()
        for user_id in (await house.meets("Bo"), UserId("nobody")):
            with pytest.raises(NotFound):
                await house.do(AskToStop(user_id=user_id, turn_id=turn.id))

    async def test_a_reply_ends_its_turn(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        await house.do(house.drafting(turn, "h"), fence)
        head = await house.store.head(house.user_id)
        change = house.finishing(turn, "hi")
        done = await house.do(change, fence)

        message = await house.message(done.message_id)
        assert (message.text, message.state, message.speaker) == ("hi", MessageState.COMPLETE, Speaker.PERSONA)
        assert (message.turn_id, message.zone, message.made_by) == (turn.id, "Asia/Shanghai", "reply@1 test-model")
        ended = await _turn(house, turn)
        assert (ended.state, ended.draft) == (TurnState.DONE, "")
        assert await house.kinds(head) == ["message.created", "reply.done"]

    async def test_a_turn_ends_once(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        await house.do(house.finishing(turn, "hi"), fence)

        with pytest.raises(FenceLost):
            await house.do(house.finishing(turn, "hi again"), fence)

        assert await house.texts() == ["hi", "hello"]

    async def test_a_failed_turn_says_why(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        head = await house.store.head(house.user_id)
        done = await house.do(house.finishing(turn, "", state=TurnState.FAILED, trouble=BROKEN), fence)

        message = await house.message(done.message_id)
        assert (message.state, message.text, message.trouble) == (MessageState.FAILED, "", BROKEN)
        assert (await _turn(house, turn)).trouble == BROKEN
        assert await house.kinds(head) == ["message.created", "reply.failed"]

    async def test_a_turn_with_nothing_to_show_ends_without_a_message(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        done = await house.do(house.finishing(turn, None), fence)

        assert done.message_id is None
        assert await house.texts() == ["hello"]

    @pytest.mark.parametrize("held", ["another token", "no lease", "nothing"])
    async def test_without_the_lease_nothing_is_written(self, house: StoreHouse, held: str) -> None:
        turn, _ = await house.running(seconds=0 if held == "no lease" else 600)
        fences = {
            "another token": Fence(FenceKind.TURN, turn.id, "guessed"),
            "no lease": Fence(FenceKind.TURN, turn.id, "expired"),
            "nothing": None,
        }
        head = await house.store.head(house.user_id)

        for change in (house.drafting(turn, "x"), house.finishing(turn, "x")):
            with pytest.raises(FenceLost):
                await house.store.apply([house.hearing("beside"), change], fences[held])

        assert await house.texts() == ["hello"]
        assert await house.store.head(house.user_id) == head

    async def test_an_expired_lease_holds_nothing_even_with_the_right_token(self, house: StoreHouse) -> None:
        turn, fence = await house.running(seconds=0)

        with pytest.raises(FenceLost):
            await house.do(house.drafting(turn, "x"), fence)

    async def test_a_fence_guards_its_own_turn_only(self, house: StoreHouse) -> None:
        _, fence = await house.running()
        other = await house.opens(house.user_id, await house.shelves("other"))
        claimed, _ = await house.claims((await house.hears("x", thread=other)).turn_id)
        assert claimed is not None

        with pytest.raises(FenceLost):
            await house.do(house.finishing(claimed), fence)

    async def test_an_abandoned_turn_is_taken_over_with_its_draft(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        await house.do(house.drafting(turn, "half", seconds=0), fence)

        assert [waiting.id for waiting in (await house.store.due_turns()).now] == [turn.id]
        taken, _ = await house.claims(turn.id)

        assert taken is not None
        assert (taken.attempts, taken.draft) == (2, "half")
        with pytest.raises(FenceLost):
            await house.do(house.finishing(turn), fence)

    async def test_after_a_restart_every_lease_is_free(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        await house.do(ReleaseLeases())

        assert [waiting.id for waiting in (await house.store.due_turns()).now] == [turn.id]
        with pytest.raises(FenceLost):
            await house.do(house.drafting(turn, "x"), fence)

    async def test_when_the_next_turn_is_due(self, house: StoreHouse) -> None:
        assert (await house.store.due_turns()).next_at is None
        turn, fence = await house.running(seconds=50)
        claimed_at = house.clock.now()
        await house.hears("the next waits behind the first")

        lease_ends = (await house.store.due_turns()).next_at
        assert lease_ends is not None
        assert 40 < (lease_ends - claimed_at).total_seconds() < 52

        await house.do(house.finishing(turn), fence)
        found = await house.store.due_turns()
        assert ([waiting.due_at for waiting in found.now], found.next_at) == ([claimed_at], None)
        house.clock.advance(-30)
        found = await house.store.due_turns()
        assert (list(found.now), found.next_at) == ([], claimed_at)

    # ------------------------------------------------------------ wording again

    async def test_a_reroll_is_another_wording(self, house: StoreHouse) -> None:
        message = await house.answered(reply="hi")
        turn, fence = await house.rerolling(message)
        assert turn.regenerates == message.id
        head = await house.store.head(house.user_id)
        done = await house.do(house.finishing(turn, "hello there"), fence)

        assert done.message_id == message.id
        again = await house.message(message.id)
        assert (again.text, [v.text for v in again.variants]) == ("hello there", ["hi", "hello there"])
        assert await house.kinds(head) == ["message.edited", "reply.done"]
        assert len(await house.texts()) == 2

    async def test_a_reroll_repairs_a_failed_reply(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        failed = await house.do(house.finishing(turn, "", state=TurnState.FAILED, trouble=BROKEN), fence)
        turn, fence = await house.rerolling(await house.message(failed.message_id))
        await house.do(house.finishing(turn, "hi"), fence)

        message = await house.message(failed.message_id)
        assert (message.state, message.text, message.trouble) == (MessageState.COMPLETE, "hi", None)
        assert [variant.text for variant in message.variants] == ["hi"]

    async def test_a_failed_reroll_leaves_the_wording_and_says_why(self, house: StoreHouse) -> None:
        message = await house.answered(reply="hi")
        turn, fence = await house.rerolling(message)
        head = await house.store.head(house.user_id)
        await house.do(house.finishing(turn, "", state=TurnState.FAILED, trouble=BROKEN), fence)

        kept = await house.message(message.id)
        assert (kept.text, kept.state, kept.trouble) == ("hi", MessageState.COMPLETE, BROKEN)
        assert len(kept.variants) == 1
        assert await house.kinds(head) == ["message.edited", "reply.failed"]

    async def test_a_wording_brings_its_state_back(self, house: StoreHouse) -> None:
        message = await house.answered(reply="hi")
        turn, fence = await house.rerolling(message)
        await house.do(house.finishing(turn, "hello th", state=TurnState.FAILED, trouble=BROKEN), fence)
        assert (await house.message(message.id)).state is MessageState.PARTIAL

        await house.do(ChooseVariant(user_id=house.user_id, message_id=message.id, text_id=message.text_id))

        whole = await house.message(message.id)
        assert (whole.state, whole.text, whole.trouble) == (MessageState.COMPLETE, "hi", None)

    async def test_what_was_deleted_meanwhile_stays_deleted(self, house: StoreHouse) -> None:
        message = await house.answered(reply="hi")
        turn, fence = await house.rerolling(message)
        await house.do(house.drafting(turn, "hel"), fence)
        await house.do(DeleteMessage(user_id=house.user_id, message_id=message.id))
        assert (await _turn(house, turn)).draft == ""
        await house.do(house.finishing(turn, "hello"), fence)

        gone = await house.message(message.id)
        assert (gone.state, gone.text, gone.variants) == (MessageState.DELETED, "", ())

    async def test_a_reroll_waits_for_no_one(self, house: StoreHouse) -> None:
        message = await house.answered(reply="hi")
        change = house.reroll(message)
        await house.do(change)

        assert not (await house.do(change)).fresh
        with pytest.raises(Conflict):
            await house.do(house.reroll(message))

        await house.claims(change.turn_id)
        with pytest.raises(Conflict):
            await house.do(house.reroll(message))

    async def test_the_users_own_words_are_not_rerolled(self, house: StoreHouse) -> None:
        heard = await house.hears()
        message = await house.message(heard.message_id)

        with pytest.raises(Conflict):
            await house.do(house.reroll(message))

    async def test_what_is_said_while_a_reroll_waits_is_a_turn_of_its_own(self, house: StoreHouse) -> None:
        message = await house.answered(reply="hi")
        opened = await house.do(house.reroll(message))
        heard = await house.hears("and another thing")

        assert heard.turn_id != opened.turn_id
        assert len((await house.store.due_turns()).now) == 2

    async def test_a_turn_keeps_its_trace(self, house: StoreHouse) -> None:
        turn, fence = await house.running()
        for trace in ('{"kept": 1}', '{"kept": 2}'):
            await house.do(PutTrace(user_id=house.user_id, turn_id=turn.id, trace=trace), fence)

        assert await house.store.trace(house.user_id, turn.id) == '{"kept": 2}'
        assert await house.store.trace(await house.meets("Bo"), turn.id) is None
        with pytest.raises(NotFound):
            await house.do(PutTrace(user_id=UserId("nobody"), turn_id=turn.id, trace="{}"))
