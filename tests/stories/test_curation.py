"""People change what was said, and what follows from it."""

import pytest

from echovessel.core.errors import BadInput, Conflict, ModelUnreachable, NotFound
from echovessel.core.ids import MessageId
from echovessel.core.talk import MessageState, TurnState
from echovessel.testing.world import World

REFUSED = ModelUnreachable("Nobody answers.", do="Start it.")


def test_a_stopped_reply_keeps_what_was_said(vessel: World) -> None:
    hold = vessel.model_says("从前有座山 山里有座庙", hold_after=2)
    receipt = vessel.sends("讲个故事")
    vessel.waits_for(hold)
    vessel.run(vessel.vessel.front.stop(vessel.pair.user_id, receipt.turn_id))
    vessel.answers(receipt.turn_id)

    assert vessel.turn(receipt.turn_id).state is TurnState.STOPPED
    assert vessel.last.state is MessageState.PARTIAL
    assert vessel.reply
    assert "从前有座山 山里有座庙".startswith(vessel.reply)
    assert vessel.model.closed_early == 1


def test_stopping_twice_or_after_the_end_changes_nothing(vessel: World) -> None:
    vessel.model_says("好。")
    receipt = vessel.hears("在吗")
    before = vessel.timeline
    vessel.run(vessel.vessel.front.stop(vessel.pair.user_id, receipt.turn_id))
    assert vessel.timeline == before


def test_a_turn_stopped_before_a_word_can_be_answered_after_all(vessel: World) -> None:
    receipt = vessel.sends("在吗")
    vessel.run(vessel.vessel.front.stop(vessel.pair.user_id, receipt.turn_id))
    vessel.answers(receipt.turn_id)
    assert (vessel.last.state, vessel.last.trouble and vessel.last.trouble.code) == (MessageState.FAILED, "stopped")

    vessel.model_says("在的。")
    vessel.regenerates(vessel.last.id)
    assert (vessel.reply, vessel.last.state, vessel.last.trouble) == ("在的。", MessageState.COMPLETE, None)


def test_a_reply_worded_again_is_a_variant_and_the_old_one_can_be_chosen_back(vessel: World) -> None:
    vessel.model_says("第一种说法")
    vessel.hears("晚安")
    vessel.model_says("第二种说法")
    vessel.regenerates(vessel.last.id)
    assert vessel.said == ["晚安", "第二种说法"]
    assert [v.text for v in vessel.last.variants] == ["第一种说法", "第二种说法"]

    first = vessel.last.variants[0].id
    vessel.run(vessel.vessel.curation.choose_variant(vessel.pair.user_id, vessel.last.id, first))
    assert vessel.said == ["晚安", "第一种说法"]


def test_a_failed_reroll_leaves_the_reply_as_it_was(vessel: World) -> None:
    vessel.model_says("原来的话")
    vessel.hears("你好")
    vessel.model_fails(REFUSED)
    vessel.regenerates(vessel.last.id)
    assert (vessel.reply, vessel.last.state) == ("原来的话", MessageState.COMPLETE)
    assert vessel.last.trouble is not None
    assert vessel.last.trouble.code == "model-unreachable"


def test_a_message_worded_again_is_answered_from_what_was_said_before_it(vessel: World) -> None:
    vessel.model_says("蓝色。")
    vessel.hears("你喜欢什么颜色？")
    early = vessel.last.id
    vessel.model_says("嗯。")
    vessel.hears("我后来又说了别的")
    vessel.model_says("绿色。")
    vessel.regenerates(early)
    assert vessel.prompts[-1].rstrip().endswith("你喜欢什么颜色？")
    assert vessel.said == ["你喜欢什么颜色？", "绿色。", "我后来又说了别的", "嗯。"]


def test_an_old_answer_worded_again_knows_nothing_that_was_said_later(vessel: World) -> None:
    vessel.model_says("你还没告诉过我。")
    vessel.hears("你记得我叫什么名字吗？")
    early = vessel.last.id
    vessel.passes(60)
    vessel.model_says("阿凝，记住了。")
    vessel.hears("我的名字叫阿凝，两点水那个凝")
    vessel.rests()
    vessel.model_says("还不知道。")
    vessel.regenerates(early)
    assert "阿凝" not in vessel.prompts[-1]
    assert "你还没告诉过我。" not in vessel.prompts[-1]


def test_an_edited_message_counts_as_it_now_stands(vessel: World) -> None:
    vessel.model_says("好的，周五。")
    receipt = vessel.hears("周五见")
    vessel.run(vessel.vessel.curation.edit(vessel.pair.user_id, receipt.message_id, "周六见"))
    vessel.model_says("好的，周六。")
    vessel.regenerates(vessel.last.id)
    assert vessel.said == ["周六见", "好的，周六。"]
    assert "周五见" not in vessel.prompts[-1]


def test_a_deleted_message_is_gone_from_everything_the_vessel_says_or_finds(vessel: World) -> None:
    vessel.model_says("记住了。")
    receipt = vessel.hears("我的暗号是紫藤七号")
    vessel.rests()
    vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, receipt.message_id))
    vessel.rests()
    vessel.model_says("什么暗号？")
    vessel.hears("紫藤七号是什么？")

    assert "我的暗号是紫藤七号" not in vessel.prompts[-1]
    assert vessel.said == ["记住了。", "紫藤七号是什么？", "什么暗号？"]
    found = vessel.run(vessel.vessel.deps.store.messages(vessel.pair, q="暗号"))
    assert [m.text for m in found] == ["什么暗号？"]
    files = [f.read_bytes() for f in vessel.home.path.glob("memory.db*")]
    assert not any("我的暗号是紫藤七号".encode() in data for data in files)


@pytest.mark.parametrize("down", [True, False], ids=["model down", "no model"])
def test_what_the_keeper_quoted_is_gone_with_the_message_it_quoted(vessel: World, down: bool) -> None:
    vessel.model_says("记住了。")
    receipt = vessel.hears("我养过一只乌龟，名字叫紫藤七号")
    vessel.rests()
    if down:
        vessel.model_fails(REFUSED)
    else:
        vessel.without_model()
    vessel.hears("我那只乌龟叫什么名字？")
    shown = vessel.last.trouble.aside if vessel.last.trouble else vessel.reply
    assert "紫藤七号" in shown

    vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, receipt.message_id))
    vessel.rests()

    kept = vessel.last.trouble.aside if vessel.last.trouble else vessel.reply
    assert kept
    assert "紫藤七号" not in kept
    files = [f.read_bytes() for f in vessel.home.path.rglob("*") if f.is_file()]
    assert not any("紫藤七号".encode() in data for data in files)


def test_a_burst_deleted_before_it_was_answered_is_not_answered(vessel: World) -> None:
    receipt = vessel.sends("发错了")
    vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, receipt.message_id))
    vessel.answers(receipt.turn_id)
    assert vessel.turn(receipt.turn_id).state is TurnState.STOPPED
    assert vessel.timeline == []
    assert vessel.prompts == []


def test_only_an_answer_can_be_worded_again(vessel: World) -> None:
    vessel.model_says("嗨。")
    receipt = vessel.hears("嗨")
    with pytest.raises(BadInput, match="Only an answer"):
        vessel.run(vessel.vessel.curation.regenerate(vessel.pair.user_id, receipt.message_id))
    with pytest.raises(NotFound):
        vessel.run(vessel.vessel.curation.regenerate(vessel.pair.user_id, MessageId("0" * 26)))


def test_nothing_is_worded_again_while_a_reply_is_on_its_way(vessel: World) -> None:
    vessel.model_says("一。")
    vessel.hears("一")
    earlier = vessel.last.id
    hold = vessel.model_says("二。", hold_after=0)
    vessel.sends("二")
    vessel.waits_for(hold)
    with pytest.raises(Conflict):
        vessel.run(vessel.vessel.curation.regenerate(vessel.pair.user_id, earlier))
    hold.release()


@pytest.mark.parametrize("text", ["", "   ", "\x00", "\ud800", "x" * 100_001])
def test_a_wording_we_cannot_take_changes_nothing(vessel: World, text: str) -> None:
    vessel.model_says("嗯。")
    receipt = vessel.hears("原话")
    with pytest.raises(BadInput):
        vessel.run(vessel.vessel.curation.edit(vessel.pair.user_id, receipt.message_id, text))
    assert vessel.said == ["原话", "嗯。"]
