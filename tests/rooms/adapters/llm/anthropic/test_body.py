from hypothesis import given
from hypothesis import strategies as st

from echovessel.adapters.llm.anthropic.body import body_of
from echovessel.adapters.llm.turns import Turn, system_of, turns_of
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.testing.anthropic_rules import invalid
from echovessel.testing.served import Asked

USER, ASSISTANT = ChatRole.USER, ChatRole.ASSISTANT


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
    messages = [ChatMessage(role, content) for role, content in said]
    body = body_of(system_of(messages), turns_of(messages), cached=True)
    body |= {"model": "claude", "max_tokens": 9}
    assert invalid(Asked(path="/v1/messages", headers={"anthropic-version": "2023-06-01"}, body=body)) is None
