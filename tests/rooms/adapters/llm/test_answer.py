import pytest

from echovessel.adapters.llm import answer as answer_module
from echovessel.adapters.llm.answer import Answer
from echovessel.adapters.llm.piece import Piece
from echovessel.core.talk import ChatMessage, ChatRole, Usage
from echovessel.ports.llm import ChatRequest, Delta, Role, Thought

REQUEST = ChatRequest(role=Role.MAIN, messages=(ChatMessage(ChatRole.USER, "在吗？"),))


def test_what_is_said_comes_out_and_what_is_thought_does_not() -> None:
    answer = Answer(REQUEST, "luna")
    assert answer.hear(Piece(thought="Who is it?")) == [Thought(3)]
    assert answer.began
    assert not answer.spoke
    assert answer.hear(Piece(speech="<think>hm</think>在。")) == [Delta("在。")]
    assert answer.end() == []
    assert answer.spoke


def test_what_was_held_back_in_case_it_was_a_tag_is_said_at_the_end() -> None:
    answer = Answer(REQUEST, "luna")
    assert answer.hear(Piece(speech="<th")) == [Thought(1)]
    assert answer.end() == [Delta("<th")]


def test_its_end_brings_the_endpoints_name_count_and_reason() -> None:
    answer = Answer(REQUEST, "luna")
    answer.hear(Piece(speech="It was a", model="luna-7b"))
    answer.hear(Piece(finish="length", usage=Usage(tokens_in=9, tokens_out=3)))
    answer.hear(Piece(json_mode="schema"))
    finished = answer.finished()
    assert finished.json_mode == "schema"
    assert (finished.model, finished.usage, finished.cut_short) == ("luna-7b", Usage(tokens_in=9, tokens_out=3), True)


def test_thinking_is_counted_where_the_endpoint_counts_nothing() -> None:
    answer = Answer(REQUEST, "luna")
    answer.hear(Piece(thought="a long thought, " * 20, speech="Hi."))
    assert answer.finished().usage.estimated
    assert answer.finished().usage.tokens_out > 50


def test_an_answer_that_goes_on_and_on_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_module, "LONGEST_ANSWER", 3)
    answer = Answer(REQUEST, "luna")
    answer.hear(Piece(speech="la "))
    assert not answer.too_long
    answer.hear(Piece(speech="l"))
    assert answer.too_long
