from datetime import timedelta

from echovessel.core.errors import ModelUnreachable
from echovessel.core.ids import MessageId, TextId
from echovessel.core.talk import Message, Speaker, Turn
from echovessel.flows.scene import HISTORY_PAGE, Scene, set_scene
from echovessel.ports.changes import ImportMessage
from echovessel.testing.world import World


def scene(vessel: World, turn: Turn) -> Scene:
    found = vessel.run(set_scene(turn, vessel.vessel.deps))
    assert found is not None
    return found


def test_the_burst_is_what_the_turn_holds_and_the_history_all_before_it(vessel: World) -> None:
    vessel.model_says("早。")
    vessel.hears("早上好")
    vessel.passes(60)
    first = vessel.sends("今天")
    vessel.sends("下雨了")
    found = scene(vessel, vessel.turn(first.turn_id))
    assert [m.text for m in found.burst] == ["今天", "下雨了"]
    assert [m.text for m in found.history] == ["早上好", "早。"]
    assert found.last_spoke == found.history[-1].sent_at


def test_what_is_said_after_the_burst_belongs_to_the_next_turn(vessel: World) -> None:
    hold = vessel.model_says("嗯。", hold_after=0)
    first = vessel.sends("第一句")
    vessel.waits_for(hold)
    vessel.sends("第二句")
    found = scene(vessel, vessel.turn(first.turn_id))
    assert [m.text for m in (*found.history, *found.burst)] == ["第一句"]
    hold.release()


def test_a_reply_that_sorts_after_a_message_is_still_history_when_that_message_is_answered(vessel: World) -> None:
    """The user wrote in the instant between the end of the burst and its claim."""
    hold = vessel.model_says("慢慢来。", hold_after=0)
    vessel.sends("第一句")
    vessel.waits_for(hold)
    second = vessel.sends("第二句")
    hold.release()
    vessel.run(vessel._until(lambda: is_said(vessel, "慢慢来。")))
    found = scene(vessel, vessel.turn(second.turn_id))
    assert [m.text for m in found.history] == ["第一句", "慢慢来。"]


async def is_said(vessel: World, text: str) -> bool:
    return text in [m.text for m in await vessel.vessel.deps.store.messages(vessel.pair)]


def test_a_persona_without_a_zone_lives_where_the_user_does(vessel: World) -> None:
    receipt = vessel.sends("几点了")
    assert scene(vessel, vessel.turn(receipt.turn_id)).persona.zone == "Asia/Shanghai"


def test_what_was_said_before_without_an_answer_is_unanswered_too(vessel: World) -> None:
    vessel.model_says("嗯。")
    vessel.hears("早")
    vessel.model_fails(ModelUnreachable("Nobody answers.", do="Start it."))
    vessel.hears("我不想活了")
    vessel.passes(60)
    receipt = vessel.sends("在吗")
    found = scene(vessel, vessel.turn(receipt.turn_id))
    assert [m.text for m in found.unanswered] == ["我不想活了", "在吗"]
    assert [m.text for m in found.uncared] == ["在吗"]
    assert len(found.care_since(found.history[0].sent_at)) == 1
    assert found.care_since(found.burst[0].sent_at) == ()


def test_there_is_no_scene_without_anything_to_answer(vessel: World) -> None:
    receipt = vessel.sends("发错了")
    vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, receipt.message_id))
    assert vessel.run(set_scene(vessel.turn(receipt.turn_id), vessel.vessel.deps)) is None


def test_of_a_long_talk_no_more_is_read_than_the_longest_prompt_has_room_for(vessel: World) -> None:
    vessel.model_says("嗯。")
    vessel.hears("早")
    long_ago = [said_long_ago(vessel.last, number) for number in range(3 * HISTORY_PAGE)]
    vessel.run(vessel.vessel.deps.store.apply(long_ago))
    vessel.passes(60)
    receipt = vessel.sends("在吗")
    found = scene(vessel, vessel.turn(receipt.turn_id))
    assert [m.text for m in found.burst] == ["在吗"]
    assert HISTORY_PAGE < len(found.history) < 2 * HISTORY_PAGE
    assert [m.text for m in found.history[-2:]] == ["早", "嗯。"]


def said_long_ago(now: Message, number: int) -> ImportMessage:
    return ImportMessage(
        message_id=MessageId(f"{number:026}"),
        text_id=TextId(f"{number:026}"),
        conversation_id=now.conversation_id,
        pair=now.pair,
        channel=now.channel,
        speaker=Speaker.USER if number % 2 else Speaker.PERSONA,
        text="雨" * 15,
        sent_at=now.sent_at - timedelta(days=9, minutes=-number),
        zone="UTC",
        external_id=str(number),
    )
