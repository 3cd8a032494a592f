from threading import Thread, current_thread, main_thread
from types import ModuleType

import pytest

from echovessel.core.errors import ModelBusy, ModelCut
from echovessel.core.talk import MessageState, TurnState
from echovessel.flows import care, turn
from echovessel.prompts import render
from echovessel.testing.world import World


def test_a_turn_that_broke_off_without_a_word_is_tried_once_more(vessel: World) -> None:
    hold = vessel.model_says("来了", hold_after=0)
    receipt = vessel.sends("在吗")
    vessel.waits_for(hold)
    vessel.restart()
    vessel.model_says("我在。")
    vessel.answers(receipt.turn_id)
    assert vessel.said == ["在吗", "我在。"]


def test_it_is_not_tried_for_ever(vessel: World) -> None:
    receipt = vessel.sends("在吗")
    for _ in range(2):
        hold = vessel.model_says("来了", hold_after=0)
        vessel.waits_for(hold)
        vessel.restart()
    vessel.answers(receipt.turn_id)
    assert vessel.turn(receipt.turn_id).state is TurnState.FAILED
    assert (vessel.last.state, vessel.last.text) == (MessageState.FAILED, "")
    assert vessel.last.trouble is not None
    assert vessel.last.trouble.code == "interrupted"
    assert len(vessel.prompts) == 2


def test_a_turn_that_broke_off_with_words_keeps_them(vessel: World) -> None:
    hold = vessel.model_says("从前 有座山", hold_after=1)
    receipt = vessel.sends("讲个故事")
    vessel.waits_for(hold)
    vessel.passes(1)
    vessel.run(vessel._until(lambda: has_draft(vessel)))
    vessel.restart()
    vessel.answers(receipt.turn_id)
    assert (vessel.last.state, vessel.last.text) == (MessageState.PARTIAL, "从前")
    assert vessel.last.trouble is not None
    assert vessel.last.trouble.code == "interrupted"
    assert len(vessel.prompts) == 1


async def has_draft(vessel: World) -> bool:
    message = (await vessel.vessel.deps.store.messages(vessel.pair))[0]
    assert message.turn_id is not None
    turn = await vessel.vessel.deps.store.turn(vessel.pair.user_id, message.turn_id)
    return turn is not None and bool(turn.draft)


@pytest.mark.parametrize(
    ("said", "state"),
    [("", MessageState.FAILED), ("说到一半", MessageState.PARTIAL)],
    ids=["before a word", "after some"],
)
def test_a_failure_keeps_what_was_said_and_says_what_to_do(vessel: World, said: str, state: MessageState) -> None:
    vessel.model_says(said, then=ModelCut("It broke off.", do="Press retry."))
    receipt = vessel.hears("你好")
    assert vessel.turn(receipt.turn_id).state is TurnState.FAILED
    assert (vessel.last.text, vessel.last.state) == (said, state)
    assert vessel.last.trouble is not None
    assert (vessel.last.trouble.code, vessel.last.trouble.do) == ("model-cut", "Press retry.")
    assert vessel.last.trouble.aside


def test_the_next_message_works_after_a_failure(vessel: World) -> None:
    vessel.model_fails(ModelBusy("Too many.", do="Wait."))
    vessel.hears("在吗")
    vessel.model_says("在。")
    vessel.hears("现在呢")
    assert vessel.reply == "在。"


def test_the_reply_its_cost_and_its_reasons_are_stored_together(vessel: World) -> None:
    vessel.model_says("好。")
    receipt = vessel.hears("你好")
    store = vessel.vessel.deps.store
    assert vessel.run(store.trace(vessel.pair.user_id, receipt.turn_id))
    spent = vessel.run(store.spent(vessel.last.sent_at.replace(hour=0)))
    assert (spent.calls, spent.tokens_out > 0) == (1, True)


def test_every_word_says_who_worded_it(vessel: World) -> None:
    vessel.model_says("好。")
    vessel.hears("你好")
    assert vessel.last.made_by == "reply@1 scripted"


def test_a_defect_keeps_the_words_that_were_saved_and_the_call_that_was_paid_for(
    vessel: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = vessel.model_says("一 二 三", hold_after=2)
    receipt = vessel.sends("说真的，你是真人吗？")
    vessel.waits_for(hold)
    vessel.passes(1)
    vessel.run(vessel._until(lambda: has_draft(vessel)))
    monkeypatch.setattr(turn.care, "owns_up", lambda *_: 1 / 0)
    hold.release()
    vessel.answers(receipt.turn_id)
    assert (vessel.last.state, vessel.last.text) == (MessageState.PARTIAL, "一 二")
    assert vessel.last.trouble is not None
    assert vessel.last.trouble.code == "defect"
    spent = vessel.run(vessel.vessel.deps.store.spent(vessel.last.sent_at.replace(hour=0)))
    assert spent.calls == 1


def test_a_reply_is_said_in_the_zone_the_persona_lives_in(vessel: World) -> None:
    vessel.model_says("早。")
    vessel.hears("早")
    assert vessel.last.zone == "Asia/Shanghai"


@pytest.mark.parametrize(("where", "work"), [(care, "check"), (render, "frame"), (render, "reply")])
def test_what_takes_long_for_a_long_message_holds_nobody_else_up(
    vessel: World, monkeypatch: pytest.MonkeyPatch, where: ModuleType, work: str
) -> None:
    seen: list[Thread] = []
    whole = getattr(where, work)

    def watched(*args: object) -> object:
        seen.append(current_thread())
        return whole(*args)

    monkeypatch.setattr(where, work, watched)
    vessel.model_says("嗯。")
    vessel.hears("今天下雨。" * 4000)

    assert len(seen) == 1
    assert seen[0] is not main_thread()


def test_a_failure_is_logged_by_its_code_and_never_by_its_words(
    vessel: World, caplog: pytest.LogCaptureFixture
) -> None:
    vessel.model_says("我的秘密", then=ModelCut("It broke off.", do="Try again."))
    with caplog.at_level("INFO"):
        vessel.hears("说说你的秘密")
    (record,) = [r for r in caplog.records if r.message == "reply failed"]
    assert record.__dict__["code"] == "model-cut"
    assert "秘密" not in caplog.text
