import json

import pytest

from echovessel.adapters.llm.anthropic.dialect import Dialect, JsonBy
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.llm import ChatRequest, Role

SCHEMA = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}
CLOSED = {**SCHEMA, "additionalProperties": False}


def _request(**more: object) -> ChatRequest:
    return ChatRequest(role=Role.MAIN, messages=(ChatMessage(ChatRole.USER, "在吗？"),), **more)  # pyright: ignore[reportArgumentType]


def test_the_length_limit_is_always_sent() -> None:
    assert Dialect().body(_request(), 800)["max_tokens"] == 800
    assert Dialect().body(_request(max_tokens=60), 800)["max_tokens"] == 60


@pytest.mark.parametrize(("asked", "sent"), [(0.0, 0.0), (0.7, 0.7), (1.6, 1.0), (None, None)])
def test_the_temperature_stays_within_what_the_api_takes(asked: float | None, sent: float | None) -> None:
    assert Dialect().body(_request(temperature=asked), 9).get("temperature") == sent


def test_a_schema_is_asked_for_as_an_output_format_then_as_a_tool_then_in_words() -> None:
    request = _request(schema=SCHEMA)
    by_format = Dialect()
    assert by_format.body(request, 9)["output_config"] == {"format": {"type": "json_schema", "schema": CLOSED}}
    assert not by_format.answers_by_tool(request)

    by_tool = by_format.after("output_config: Extra inputs are not permitted", request)
    assert by_tool is not None
    assert by_tool.body(request, 9)["tool_choice"] == {"type": "tool", "name": "answer"}
    assert by_tool.answers_by_tool(request)

    by_nothing = by_tool.after("Thinking may not be enabled when tool_choice forces tool use.", request)
    assert by_nothing is not None
    body = by_nothing.body(request, 9)
    assert not {"output_config", "tools", "tool_choice"} & set(body)
    assert json.dumps(SCHEMA) in str(body["messages"]).replace("\\\\", "\\")
    assert [d.json_mode(request) for d in (by_format, by_tool, by_nothing)] == ["schema", "schema", "none"]
    assert by_nothing.after("tools output_config", request) is None


def test_where_nothing_is_known_to_hold_the_answer_the_schema_is_told_as_well() -> None:
    told = Dialect(told=True)
    body = told.body(_request(schema=SCHEMA), 9)
    assert "output_config" in body
    assert "JSON Schema" in str(body["messages"])
    assert told.json_mode(_request(schema=SCHEMA)) == "none"


def test_without_a_schema_nothing_holds_the_answer() -> None:
    assert Dialect(json_by=JsonBy.TOOL).json_mode(_request()) is None
    assert not Dialect(json_by=JsonBy.TOOL).answers_by_tool(_request())
    assert Dialect().after("output_config: no", _request()) is None


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        ("invalid_request_error `temperature` is deprecated for this model.", Dialect(temperature=False)),
        ("system.0.cache_control: Extra inputs are not permitted", Dialect(cache=False)),
        ("messages: something else", None),
    ],
)
def test_what_is_rejected_is_left_out(words: str, left_out: Dialect | None) -> None:
    assert Dialect().after(words, _request()) == left_out
    if left_out is not None:
        assert left_out.after(words, _request()) is None, "a step is taken once"
