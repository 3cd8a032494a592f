import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.core.errors import ModelCut, ModelRejected, ModelUnreachable, StoreGone
from echovessel.core.ids import TurnId
from echovessel.core.talk import ChatMessage, ChatRole, MessageState
from echovessel.flows.answering import Asking, Question, room_for
from echovessel.flows.ledger import ModelCall
from echovessel.flows.live import LiveReply
from echovessel.ports.changes import Change
from echovessel.ports.llm import ChatRequest, Role
from echovessel.ports.store import Store
from echovessel.testing.scripted_model import ScriptedModel
from echovessel.testing.world import World
from tests.support.settings import llm_settings

REQUEST = ChatRequest(role=Role.MAIN, messages=(ChatMessage(ChatRole.USER, "在吗？"),))
DOWN = ModelUnreachable("Nobody answers at one.", do="Start one.")


def trace_of(vessel: World, turn_id: TurnId) -> dict[str, Any]:
    return json.loads(vessel.run(vessel.vessel.deps.store.trace(vessel.pair.user_id, turn_id)) or "{}")


@pytest.fixture
def second(vessel: World) -> ScriptedModel:
    spare = ScriptedModel(profile="spare", model="spare-1b")
    vessel.model.others.append(spare)
    return spare


def test_the_next_model_speaks_when_the_first_gives_no_word(vessel: World, second: ScriptedModel) -> None:
    vessel.model_fails(DOWN)
    second.will_say("我在。")
    receipt = vessel.hears("在吗？")

    assert (vessel.reply, vessel.last.made_by, vessel.last.trouble) == ("我在。", "reply@1 spare-1b", None)
    tried = trace_of(vessel, receipt.turn_id)["tried"]
    assert [(t["profile"], t["model"], t["outcome"]) for t in tried] == [
        ("", "scripted", "model-unreachable"),
        ("spare", "spare-1b", "ok"),
    ]


def test_the_log_tells_once_which_failed_and_nothing_of_what_was_said(
    vessel: World, second: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    vessel.model_fails(DOWN)
    for text in ("我在。", "还在。"):
        second.will_say(text)
        vessel.hears("在吗？")

    (line,) = [record for record in caplog.records if record.name == "echovessel.flows.answering"]
    assert (line.levelname, line.__dict__["failed"]) == ("WARNING", "scripted (model-unreachable)")
    assert line.__dict__["answered"] == "spare"
    assert "我在" not in str(line.__dict__)


def test_what_has_begun_is_not_begun_again_by_another(vessel: World, second: ScriptedModel) -> None:
    vessel.model_says("从前 ", then=ModelCut("It broke off.", do="Press retry."))
    vessel.hears("讲个故事")
    assert (vessel.last.state, vessel.reply) == (MessageState.PARTIAL, "从前 ")
    assert not second.requests


def test_when_all_fail_the_first_is_told_and_that_the_others_failed_too(vessel: World, second: ScriptedModel) -> None:
    vessel.model_fails(DOWN)
    second.will_fail(ModelRejected("No such model.", do="x"))
    vessel.hears("在吗？")

    trouble = vessel.last.trouble
    assert trouble is not None
    assert (trouble.code, trouble.do) == ("model-unreachable", "Start one.")
    assert trouble.message == "Nobody answers at one. The other models failed too: spare (model-rejected)."
    assert trouble.aside
    assert vessel.last.made_by == "reply@1 scripted"


def test_each_call_has_its_line_and_its_price(vessel: World, second: ScriptedModel) -> None:
    vessel.model.settings = llm_settings(price_in=1e6)
    second.settings = llm_settings(price_out=1e6)
    vessel.model_fails(DOWN)
    second.will_say("好")
    vessel.hears("在吗？")

    spent = vessel.run(vessel.vessel.deps.store.spent(vessel.clock.now().replace(hour=0)))
    assert spent.calls == 2
    assert spent.cost == spent.tokens_out > 0


def test_the_cap_is_the_owners_and_no_other_model_gets_round_it(vessel: World, second: ScriptedModel) -> None:
    vessel.model_says("好")
    vessel.hears("在吗？")
    vessel.run(vessel.vessel.deps.settings.save({"llm.daily_token_cap": 1}))
    vessel.hears("还在吗？")

    assert vessel.last.trouble is not None
    assert vessel.last.trouble.code == "daily-cap"
    assert not second.requests


def test_stopping_ends_it_for_all_of_them(vessel: World, second: ScriptedModel) -> None:
    hold = vessel.model_says("好", hold_after=0)
    receipt = vessel.sends("在吗？")
    vessel.waits_for(hold)
    vessel.run(vessel.vessel.front.stop(vessel.pair.user_id, receipt.turn_id))
    vessel.answers(receipt.turn_id)

    assert vessel.last.trouble is not None
    assert vessel.last.trouble.code == "stopped"
    assert not second.requests


def test_who_could_not_be_reached_is_asked_last_for_a_minute_and_then_first_again(
    vessel: World, second: ScriptedModel
) -> None:
    vessel.model_fails(DOWN)
    for text in ("一", "二"):
        second.will_say(text)
        vessel.hears("在吗？")
    assert len(vessel.model.requests) == 1
    vessel.passes(61)
    vessel.model_says("我回来了。")
    vessel.hears("在吗？")
    assert vessel.reply == "我回来了。"


def test_a_small_model_is_given_a_prompt_that_it_can_hold(vessel: World, second: ScriptedModel) -> None:
    for _ in range(30):
        vessel.model_says("嗯。" * 60)
        vessel.hears("说说今天的事，" * 20)
    second.holds = 3000
    vessel.model_fails(DOWN)
    second.will_say("好。")
    receipt = vessel.hears("在吗？")

    large, small = (sum(len(m.content) for m in r.messages) for r in (vessel.model.requests[-1], second.requests[-1]))
    assert small < large / 2
    assert trace_of(vessel, receipt.turn_id)["tokens"] <= 3000 - 750
    assert second.requests[-1].max_tokens == 750


@given(st.integers(1, 10**7), st.integers(500, 10**6), st.integers(1, 10**5))
def test_prompt_and_reply_fit_into_what_a_model_holds(context: int, budget: int, reply: int) -> None:
    room = room_for(context, budget, reply)
    assert room.prompt + room.reply <= max(context, 1)
    assert (room.prompt <= budget, 1 <= room.reply <= reply) == (True, True)


def test_a_model_that_does_not_say_is_given_what_the_owner_allows() -> None:
    room = room_for(None, 6000, 800)
    assert (room.prompt, room.reply) == (6000, 800)


class Gone:
    """A store that cannot be written."""

    async def apply(self, changes: Sequence[Change]) -> None:
        raise StoreGone(f"{len(changes)} changes could not be written.", do="x")


def test_a_ledger_that_cannot_be_written_hides_no_defect(vessel: World, caplog: pytest.LogCaptureFixture) -> None:
    deps = replace(vessel.vessel.deps, store=cast("Store", Gone()))
    vessel.model_says("好")
    owner = vessel.run(vessel.vessel.deps.store.user(vessel.pair.user_id))
    assert owner is not None
    call = ModelCall(REQUEST, model=vessel.model, user=owner, turn_id=None, prompt="reply@1", deps=deps)
    asking = Asking(cast("Question", None), cast("LiveReply", None), deps)
    asking.calls.append(call)

    async def fails_in_the_middle() -> None:
        try:
            async for _ in call.stream():
                pass
            raise RuntimeError("a defect")
        finally:
            await asking.record_anyway()

    with pytest.raises(RuntimeError, match="a defect"):
        vessel.run(fails_in_the_middle())
    assert "calls were not recorded" in caplog.text
