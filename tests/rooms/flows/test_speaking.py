import asyncio

from echovessel.core.talk import MessageState, TurnState
from echovessel.ports.changes import AskToStop
from echovessel.testing.world import World


def test_the_text_so_far_is_saved_each_second(vessel: World) -> None:
    hold = vessel.model_says("一 二 三", hold_after=2)
    receipt = vessel.sends("数数")
    vessel.waits_for(hold)
    assert vessel.turn(receipt.turn_id).draft == ""
    vessel.passes(1)
    vessel.run(asyncio.sleep(0.05))
    assert vessel.turn(receipt.turn_id).draft == "一 二"
    hold.release()


def test_a_wish_to_stop_that_reached_only_the_store_is_honoured(vessel: World) -> None:
    """As when another process took the request."""
    hold = vessel.model_says("一 二 三", hold_after=2)
    receipt = vessel.sends("数数")
    vessel.waits_for(hold)
    stop = AskToStop(user_id=vessel.pair.user_id, turn_id=receipt.turn_id)
    vessel.run(vessel.vessel.deps.store.apply([stop]))
    vessel.answers(receipt.turn_id)
    assert vessel.turn(receipt.turn_id).state is TurnState.STOPPED
    assert (vessel.reply, vessel.last.state) == ("一 二", MessageState.PARTIAL)


def test_a_worker_whose_turn_was_taken_over_writes_nothing_more(vessel: World) -> None:
    hold = vessel.model_says("旧的 回答", hold_after=1)
    receipt = vessel.sends("你好")
    vessel.waits_for(hold)
    vessel.model_says("新的回答")
    lease = vessel.vessel.deps.settings.current().turn.lease_s
    vessel.clock.advance(lease + 10)
    vessel.answers(receipt.turn_id)
    hold.release()
    vessel.run(asyncio.sleep(0.05))
    assert vessel.said == ["你好", "新的回答"]
