"""A user talks with a persona: what is kept, what is answered, what comes to mind."""

from datetime import timedelta
from pathlib import Path

from echovessel.core.talk import MessageState, Speaker, TurnState
from echovessel.ports.front import NewPersona
from echovessel.testing.world import World


def test_a_message_is_kept_before_anything_is_answered(vessel: World) -> None:
    vessel.sends("我今天搬家了。")
    assert vessel.said == ["我今天搬家了。"]
    assert vessel.prompts == []


def test_a_burst_is_answered_once(vessel: World) -> None:
    vessel.model_says("慢慢说，我在听。")
    first = vessel.sends("我跟你说")
    vessel.passes(1)
    second = vessel.sends("今天地铁上遇到老同学了")
    vessel.answers(first.turn_id)

    assert second.turn_id == first.turn_id
    assert vessel.said == ["我跟你说", "今天地铁上遇到老同学了", "慢慢说，我在听。"]
    assert len(vessel.prompts) == 1


def test_nothing_is_answered_before_the_burst_has_ended(vessel: World) -> None:
    receipt = vessel.sends("等等，我还没")
    vessel.passes(1.9)
    assert vessel.turn(receipt.turn_id).state is TurnState.OPEN


def test_what_arrives_while_the_persona_speaks_is_the_next_turn(vessel: World) -> None:
    hold = vessel.model_says("我小时候也养过一只猫", hold_after=3)
    vessel.model_says("三花最好看了。")
    first = vessel.sends("我养了一只猫")
    vessel.waits_for(hold)
    vessel.passes(0.5)
    second = vessel.sends("是三花")
    hold.release()
    vessel.answers(second.turn_id)

    assert second.turn_id != first.turn_id
    assert vessel.said == ["我养了一只猫", "我小时候也养过一只猫", "是三花", "三花最好看了。"]
    assert "我小时候也养过一只猫" in vessel.prompts[1]


def test_the_same_client_id_twice_is_one_message(vessel: World) -> None:
    vessel.model_says("收到。")
    first = vessel.sends("帮我记住周五体检", client_id="c1")
    again = vessel.sends("帮我记住周五体检", client_id="c1")
    vessel.answers(first.turn_id)
    late = vessel.sends("帮我记住周五体检", client_id="c1")

    assert (first.fresh, again.fresh, late.fresh) == (True, False, False)
    assert {first.message_id} == {again.message_id, late.message_id}
    assert vessel.said == ["帮我记住周五体检", "收到。"]


def test_it_is_the_same_someone_after_a_restart(vessel: World) -> None:
    vessel.model_says("好名字。")
    vessel.hears("我给龟背竹取名叫阿绿。")
    vessel.restart()
    vessel.model_says("阿绿呀。")
    vessel.hears("它叫什么来着？")
    assert "我给龟背竹取名叫阿绿。" in vessel.prompts[-1]
    assert vessel.said[-1] == "阿绿呀。"


def test_an_old_detail_comes_to_mind_in_its_own_words(vessel: World) -> None:
    vessel.model_says("记下了，青岛。")
    vessel.hears("我外婆住在青岛，她做的鲅鱼饺子最好吃。")
    talk_about_other_things(vessel, turns=220)
    vessel.passes(timedelta(days=90).total_seconds())
    vessel.model_says("鲅鱼饺子！")
    vessel.hears("突然好想吃外婆做的鲅鱼饺子")
    assert "我外婆住在青岛，她做的鲅鱼饺子最好吃。" in vessel.prompts[-1]


def test_roles_are_real_and_alternate(vessel: World) -> None:
    for text in ("一", "二", "三"):
        vessel.model_says(f"答{text}")
        vessel.hears(f"问{text}")
    roles = [m.role for m in vessel.model.requests[-1].messages]
    assert roles[0] == "system"
    assert roles[1:] == ["user", "assistant"] * ((len(roles) - 1) // 2) + ["user"]


def test_the_beginning_of_the_prompt_stays_the_same_from_turn_to_turn(vessel: World) -> None:
    for text in ("早", "午", "晚"):
        vessel.model_says(f"{text}安")
        vessel.hears(f"{text}上好")
        vessel.passes(3600)
    systems = {r.messages[0].content for r in vessel.model.requests}
    assert len(systems) == 1
    before, after = (r.messages for r in vessel.model.requests[-2:])
    assert after[: len(before) - 1] == before[:-1]


def test_without_a_model_the_keeper_answers_and_recalls(tmp_path: Path) -> None:
    with World(tmp_path, persona=NewPersona(name="Wren", locale="en"), locale="en", zone="Europe/Berlin") as vessel:
        vessel.without_model()
        vessel.hears("My sister Nora is allergic to walnuts.")
        vessel.passes(3 * 86400)
        vessel.hears("What was Nora allergic to?")

        assert vessel.last.made_by == "keeper@1"
        assert vessel.last.state is MessageState.COMPLETE
        assert "My sister Nora is allergic to walnuts." in vessel.reply


def test_the_keepers_words_never_come_up_as_memories(vessel: World) -> None:
    vessel.without_model()
    vessel.hears("我的车停在B2")
    vessel.hears("车停在哪了？")
    vessel.model.connected = True
    vessel.model_says("B2。")
    vessel.hears("车停在哪了？")
    keepers = [m.text for m in vessel.timeline if m.made_by == "keeper@1"]
    assert len(keepers) == 2
    assert not any(words in vessel.prompts[-1] for words in keepers)


def test_the_persona_hears_about_help_before_a_model_is_asked(vessel: World) -> None:
    hold = vessel.model_says("我在。", hold_after=0)
    vessel.sends("我不想活了")
    vessel.waits_for(hold)
    assert vessel.last.made_by == "care@1"
    assert "12356" in vessel.reply
    hold.release()


def test_danger_outlives_its_message_for_a_day_and_help_is_not_shown_in_full_again_and_again(vessel: World) -> None:
    for text in ("我不想活了", "在来的路上。。别走", "还是不想活了"):
        vessel.model_says("我在。")
        vessel.hears(text)
    first, soon, again = vessel.prompts[-3:]
    assert "# 可能有危险" in first
    assert "# 可能有危险" not in soon
    assert "最近一天里" in soon
    assert "# 可能有危险" in again
    shown = [m.text for m in vessel.timeline if m.made_by == "care@1"]
    assert ["12356" in text for text in shown] == [True, False]

    vessel.passes(25 * 3600)
    vessel.model_says("早。")
    vessel.hears("早上好")
    assert "最近一天里" not in vessel.prompts[-1]


def test_an_answer_worded_again_shows_no_help_anew(vessel: World) -> None:
    vessel.model_says("我在。")
    vessel.hears("我不想活了")
    vessel.model_says("我在这儿。")
    vessel.regenerates(vessel.last.id)
    assert vessel.reply == "我在这儿。"
    assert "# 可能有危险" in vessel.prompts[-1]
    assert sum(m.made_by == "care@1" for m in vessel.timeline) == 1


def test_help_is_shown_with_the_model_down(vessel: World) -> None:
    vessel.without_model()
    vessel.hears("活着没意思，我想结束这一切")
    assert [m.made_by for m in vessel.timeline if m.speaker is Speaker.PERSONA] == ["care@1", "keeper@1"]


def test_a_denial_of_being_an_ai_is_set_right(vessel: World) -> None:
    vessel.model_says("我当然是真人啦，哈哈。")
    vessel.hears("说真的，你是真人还是AI？")
    assert vessel.reply.startswith("我当然是真人啦，哈哈。\n\n")
    assert "AI" in vessel.reply


def talk_about_other_things(vessel: World, turns: int) -> None:
    """Small talk, enough to push everything before it out of the prompt's history."""
    for i in range(turns):
        vessel.model_says(f"嗯，第{i}件事听起来不错，后来怎么样了呢？说给我听听吧。")
        vessel.hears(f"今天处理了第{i}个工单，客户说打印机又坏了，跑了一趟机房。")
