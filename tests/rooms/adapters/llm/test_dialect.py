import pytest

from echovessel.adapters.llm.dialect import Dialect
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.llm import ChatRequest, Role

REQUEST = ChatRequest(role=Role.MAIN, messages=(ChatMessage(ChatRole.USER, "你好"),), max_tokens=50, temperature=0.7)


def test_at_first_everything_is_asked_for() -> None:
    assert Dialect().parameters(REQUEST) == {
        "stream_options": {"include_usage": True},
        "max_tokens": 50,
        "temperature": 0.7,
    }


def test_what_the_request_leaves_open_is_not_sent() -> None:
    open_request = ChatRequest(role=Role.MAIN, messages=REQUEST.messages)
    assert set(Dialect().parameters(open_request)) == {"stream_options"}


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("Unrecognized request argument supplied: stream_options", {"max_tokens", "temperature"}),
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            {"stream_options", "max_completion_tokens", "temperature"},
        ),
        ("Unsupported value: 'temperature' does not support 0.7 with this model.", {"stream_options", "max_tokens"}),
    ],
)
def test_a_rejected_parameter_is_left_out_or_renamed(words: str, fields: set[str]) -> None:
    simpler = Dialect().after(words)
    assert simpler is not None
    assert set(simpler.parameters(REQUEST)) == fields


def test_words_that_name_no_parameter_change_nothing() -> None:
    assert Dialect().after("The model is on holiday.") is None


def test_the_same_rejection_again_ends_the_search() -> None:
    words = "stream_options temperature max_completion_tokens"
    steps: list[Dialect] = []
    dialect: Dialect | None = Dialect()
    while dialect is not None:
        steps.append(dialect)
        dialect = dialect.after(words)
    assert len(steps) == 4
