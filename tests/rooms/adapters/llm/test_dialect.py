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
        ("max_tokens: Extra inputs are not permitted", {"stream_options", "max_completion_tokens", "temperature"}),
        ("Unsupported value: 'temperature' does not support 0.7 with this model.", {"stream_options", "max_tokens"}),
    ],
)
def test_a_rejected_parameter_is_left_out_or_renamed(words: str, fields: set[str]) -> None:
    simpler = Dialect().after(words, REQUEST)
    assert simpler is not None
    assert set(simpler.parameters(REQUEST)) == fields


def test_words_that_name_no_parameter_change_nothing() -> None:
    assert Dialect().after("The model is on holiday.", REQUEST) is None


def test_the_same_rejection_again_ends_the_search() -> None:
    words = "stream_options temperature max_completion_tokens"
    steps: list[Dialect] = []
    dialect: Dialect | None = Dialect()
    while dialect is not None:
        steps.append(dialect)
        dialect = dialect.after(words, REQUEST)
    assert len(steps) == 5


SCHEMA = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}
ASKS_JSON = ChatRequest(
    role=Role.SMALL,
    messages=(ChatMessage(ChatRole.SYSTEM, "Judge."), ChatMessage(ChatRole.USER, "好开心")),
    schema=SCHEMA,
)


def test_json_is_held_to_its_schema_then_to_an_object_then_by_the_prompt_alone() -> None:
    schema = Dialect()
    assert schema.parameters(ASKS_JSON)["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA | {"additionalProperties": False}},
    }
    assert schema.messages(ASKS_JSON) == ASKS_JSON.messages
    an_object = schema.after("This response_format type is unavailable now", ASKS_JSON)
    assert an_object is not None
    assert an_object.parameters(ASKS_JSON)["response_format"] == {"type": "json_object"}
    assert "JSON" in an_object.messages(ASKS_JSON)[-1].content
    assert '"mood"' in an_object.messages(ASKS_JSON)[-1].content
    nothing = an_object.after("'response_format.type' must be 'text'", ASKS_JSON)
    assert nothing is not None
    assert "response_format" not in nothing.parameters(ASKS_JSON)
    assert nothing.after("response_format", ASKS_JSON) is None


def test_a_format_that_was_not_asked_for_is_no_reason_to_ask_differently() -> None:
    assert Dialect().after("response_format is wrong", REQUEST) is None


@pytest.mark.parametrize(
    "words",
    [
        "System role not supported",
        "Only user and assistant roles are supported!",
        "Only user, assistant and tool roles are supported, got system.",
        "Developer instruction is not enabled for models/gemma-3-27b-it",
        "'messages[0].role' does not support 'system' with this model",
    ],
)
def test_without_a_system_role_its_words_stand_before_the_first_of_the_user(words: str) -> None:
    folded = Dialect().after(words, ASKS_JSON)
    assert folded is not None
    plain = ChatRequest(role=Role.MAIN, messages=ASKS_JSON.messages)
    assert folded.messages(plain) == (ChatMessage(ChatRole.USER, "Judge.\n\n好开心"),)
    assert folded.after(words, ASKS_JSON) is None


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 2048 tokens. Please reduce max_tokens.",
        "the request exceeds the available context size; try lowering max_tokens",
        "The system is out of memory.",
    ],
)
def test_words_about_something_else_change_nothing(words: str) -> None:
    assert Dialect().after(words, ASKS_JSON) is None


def test_roles_alternate_and_the_user_begins_wherever_it_goes() -> None:
    request = ChatRequest(
        role=Role.MAIN,
        messages=(
            ChatMessage(ChatRole.SYSTEM, "One."),
            ChatMessage(ChatRole.SYSTEM, "Two."),
            ChatMessage(ChatRole.ASSISTANT, "Hello."),
            ChatMessage(ChatRole.USER, "a"),
            ChatMessage(ChatRole.USER, "b"),
        ),
    )
    assert [(str(m.role), m.content) for m in Dialect().messages(request)] == [
        ("system", "One.\n\nTwo."),
        ("user", "…"),
        ("assistant", "Hello."),
        ("user", "a\n\nb"),
    ]
