from hypothesis import given
from hypothesis import strategies as st

from echovessel.adapters.llm.anthropic.body import Turn, body_of, system_of, turns_of
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.testing.anthropic_rules import invalid
from echovessel.testing.served import Asked

SYSTEM, USER, ASSISTANT = ChatRole.SYSTEM, ChatRole.USER, ChatRole.ASSISTANT


def _messages(*said: tuple[ChatRole, str]) -> list[ChatMessage]:
    return [ChatMessage(role, content) for role, content in said]


def test_the_system_prompt_stands_apart() -> None:
    messages = _messages((SYSTEM, "You are 小满."), (SYSTEM, "Be kind."), (USER, "在吗？"))
    assert system_of(messages) == "You are 小满.\n\nBe kind."
    assert turns_of(messages) == [Turn(USER, "在吗？")]


def test_words_of_one_side_in_a_row_are_one_turn() -> None:
    messages = _messages(
        (USER, "在吗？"), (USER, "  "), (USER, "睡了？"), (ASSISTANT, "没。"), (SYSTEM, "Note."), (USER, "好")
    )
    assert turns_of(messages) == [Turn(USER, "在吗？\n\n睡了？"), Turn(ASSISTANT, "没。"), Turn(USER, "Note.\n\n好")]


def test_the_user_begins_and_an_unfinished_turn_ends_in_a_word() -> None:
    assert turns_of(_messages((ASSISTANT, "Well, \n"))) == [Turn(USER, "…"), Turn(ASSISTANT, "Well,")]
    assert turns_of([]) == [Turn(USER, "…")]


def test_the_marks_stand_at_the_end_of_what_rests() -> None:
    turns = [Turn(USER, "早"), Turn(ASSISTANT, "早啊"), Turn(USER, "<echo-notes>…")]
    body = body_of("You are 小满.", turns, cached=True)
    mark = {"type": "ephemeral"}
    assert body == {
        "system": [{"type": "text", "text": "You are 小满.", "cache_control": mark}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "早"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "早啊", "cache_control": mark}]},
            {"role": "user", "content": [{"type": "text", "text": "<echo-notes>…"}]},
        ],
    }
    assert "cache_control" not in str(body_of("You are 小满.", turns, cached=False))


def test_nothing_rests_in_a_first_question_without_a_system_prompt() -> None:
    assert "cache_control" not in str(body_of("", [Turn(USER, "hello")], cached=True))


@given(st.lists(st.tuples(st.sampled_from(ChatRole), st.text(alphabet=" \n\tab。", max_size=4)), max_size=12))
def test_whatever_is_asked_the_strictest_server_takes_it(said: list[tuple[ChatRole, str]]) -> None:
    messages = _messages(*said)
    body = body_of(system_of(messages), turns_of(messages), cached=True)
    body |= {"model": "claude", "max_tokens": 9}
    assert invalid(Asked(path="/v1/messages", headers={"anthropic-version": "2023-06-01"}, body=body)) is None
