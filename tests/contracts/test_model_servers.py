"""The model servers that tests talk to are true: the providers' own SDKs, used as anyone would, understand them strictly."""

from collections.abc import Iterator
from typing import Any

import anthropic
import openai
import pytest
from anthropic.types import ErrorResponse, MessageParam, TextBlockParam
from openai.types.chat import ChatCompletionMessageParam

from echovessel.testing import anthropic_scripts as claude
from echovessel.testing import model_scripts as gpt
from echovessel.testing.anthropic_server import CONTEXT_TOKENS, AnthropicServer
from echovessel.testing.model_server import ModelServer
from echovessel.testing.prompt_cache import PromptCache
from echovessel.testing.served import Script

HELLO: list[ChatCompletionMessageParam] = [{"role": "user", "content": "你好"}]
BONJOUR: list[MessageParam] = [{"role": "user", "content": "你好"}]


# ---------------------------------------------------------------- chat completions


@pytest.fixture
def gpt_server() -> Iterator[ModelServer]:
    with ModelServer(models=("luna", "sol")) as server:
        yield server


@pytest.fixture
def openai_client(gpt_server: ModelServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(
        base_url=gpt_server.base_url,
        api_key="k-1",
        max_retries=0,
        http_client=openai.DefaultHttpxClient(verify=False),  # reading the certificates takes the longest
        _strict_response_validation=True,
    ) as client:
        yield client


def test_openai_reads_a_whole_completion(gpt_server: ModelServer, openai_client: openai.OpenAI) -> None:
    gpt_server.will(gpt.says("Good evening. 晚上好"))
    whole = openai_client.chat.completions.create(model="luna", messages=HELLO)

    assert whole.choices[0].message.content == "Good evening. 晚上好"
    assert whole.choices[0].finish_reason == "stop"
    assert whole.usage is not None
    assert whole.usage.total_tokens == 28
    assert gpt_server.asked[0].headers["authorization"] == "Bearer k-1"


def test_openai_reads_a_stream_and_its_usage(gpt_server: ModelServer, openai_client: openai.OpenAI) -> None:
    gpt_server.will(gpt.says("Good evening. 晚上好", thinks="a guest", finish="length"))
    with openai_client.chat.completions.create(
        model="luna", messages=HELLO, stream=True, stream_options={"include_usage": True}
    ) as stream:
        chunks = list(stream)

    choices = [chunk.choices[0] for chunk in chunks if chunk.choices]
    assert "".join(choice.delta.content or "" for choice in choices) == "Good evening. 晚上好"
    assert choices[-1].finish_reason == "length"
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.prompt_tokens == 21


def test_openai_lists_the_models(openai_client: openai.OpenAI) -> None:
    assert [model.id for model in openai_client.models.list()] == ["luna", "sol"]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (403, openai.PermissionDeniedError),
        (404, openai.NotFoundError),
        (422, openai.UnprocessableEntityError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
        (503, openai.InternalServerError),
    ],
)
def test_openai_knows_each_failure(
    gpt_server: ModelServer, openai_client: openai.OpenAI, status: int, kind: type[openai.APIStatusError]
) -> None:
    gpt_server.will(gpt.fails(status, "told to", code="so_told", retry_after=7))
    with pytest.raises(kind, match="told to") as caught:
        openai_client.chat.completions.create(model="luna", messages=HELLO)
    assert caught.value.code == "so_told"
    assert caught.value.response.headers["retry-after"] == "7"


def test_openai_hears_of_an_error_in_the_middle(gpt_server: ModelServer, openai_client: openai.OpenAI) -> None:
    gpt_server.will(gpt.reports_inside({"message": "out of memory"}, after="I was "))
    heard: list[str] = []
    with (
        openai_client.chat.completions.create(model="luna", messages=HELLO, stream=True) as stream,
        pytest.raises(openai.APIError, match="out of memory"),
    ):
        heard.extend(chunk.choices[0].delta.content or "" for chunk in stream)


@pytest.mark.parametrize(
    ("script", "kind"), [(gpt.hangs(), openai.APITimeoutError), (gpt.hangs_up(), openai.APIConnectionError)]
)
def test_openai_meets_silence_and_a_closed_door(
    gpt_server: ModelServer, openai_client: openai.OpenAI, script: Script, kind: type[openai.APIError]
) -> None:
    gpt_server.will(script)
    with pytest.raises(kind):
        openai_client.chat.completions.create(model="luna", messages=HELLO, timeout=0.3)


# ---------------------------------------------------------------- messages


@pytest.fixture
def claude_server() -> Iterator[AnthropicServer]:
    with AnthropicServer(models=tuple(f"claude-{n}" for n in range(45))) as server:
        yield server


@pytest.fixture
def anthropic_client(claude_server: AnthropicServer) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(
        base_url=claude_server.base_url,
        api_key="k-1",
        max_retries=0,
        http_client=anthropic.DefaultHttpxClient(verify=False),
        _strict_response_validation=True,
    ) as client:
        yield client


def test_anthropic_reads_a_whole_message(claude_server: AnthropicServer, anthropic_client: anthropic.Anthropic) -> None:
    claude_server.will(claude.says("Good evening. 晚上好", thinks="a guest", stop="max_tokens"))
    message = anthropic_client.messages.create(model="claude-1", max_tokens=99, messages=BONJOUR)

    thought, said = message.content
    assert isinstance(thought, anthropic.types.ThinkingBlock)
    assert isinstance(said, anthropic.types.TextBlock)
    assert (thought.thinking, said.text) == ("a guest", "Good evening. 晚上好")
    assert message.stop_reason == "max_tokens"
    assert (message.usage.input_tokens, message.usage.output_tokens) == (21, 7)


@pytest.mark.parametrize("thought", ["a guest", ""])
def test_anthropic_reads_a_stream_event_by_event(
    claude_server: AnthropicServer, anthropic_client: anthropic.Anthropic, thought: str
) -> None:
    claude_server.will(claude.says("Good evening. 晚上好", thinks=thought))
    with anthropic_client.messages.create(model="claude-1", max_tokens=99, messages=BONJOUR, stream=True) as stream:
        kinds = [event.type for event in stream]

    assert kinds[0] == "message_start"
    assert kinds[-2:] == ["message_delta", "message_stop"]
    assert kinds.count("content_block_start") == kinds.count("content_block_stop") == 2


def test_anthropic_puts_a_stream_together(
    claude_server: AnthropicServer, anthropic_client: anthropic.Anthropic
) -> None:
    claude_server.will(claude.says("Good evening. 晚上好", thinks="a guest"))
    with anthropic_client.messages.stream(model="claude-1", max_tokens=99, messages=BONJOUR) as stream:
        text = "".join(stream.text_stream)
        message = stream.get_final_message()

    thought, said = message.content
    assert isinstance(thought, anthropic.types.ThinkingBlock)
    assert isinstance(said, anthropic.types.TextBlock)
    assert (thought.thinking, thought.signature) == ("a guest", "c2lnbmVk")
    assert text == said.text == "Good evening. 晚上好"
    assert message.stop_reason == "end_turn"
    assert (message.usage.input_tokens, message.usage.output_tokens) == (21, 7)


@pytest.mark.parametrize("streamed", [True, False])
def test_anthropic_reads_the_input_of_a_forced_tool(
    claude_server: AnthropicServer, anthropic_client: anthropic.Anthropic, streamed: bool
) -> None:
    claude_server.will(claude.says('{"mood": "平静"}', size=3, stop="tool_use"))
    asked: dict[str, Any] = {
        "model": "claude-1",
        "max_tokens": 99,
        "messages": BONJOUR,
        "tools": [{"name": "tell", "input_schema": {"type": "object", "properties": {"mood": {"type": "string"}}}}],
        "tool_choice": {"type": "tool", "name": "tell"},
    }
    if streamed:
        with anthropic_client.messages.stream(**asked) as stream:
            message = stream.get_final_message()
    else:
        message = anthropic_client.messages.create(**asked)

    (used,) = message.content
    assert isinstance(used, anthropic.types.ToolUseBlock)
    assert used.input == {"mood": "平静"}
    assert message.stop_reason == "tool_use"


def test_anthropic_lists_the_models_page_by_page(
    claude_server: AnthropicServer, anthropic_client: anthropic.Anthropic
) -> None:
    listed = list(anthropic_client.models.list())
    assert [model.id for model in listed] == list(claude_server.models)
    assert {model.max_input_tokens for model in listed} == {CONTEXT_TOKENS}
    assert len(claude_server.asked) == 3


def test_anthropic_sees_what_the_cache_spared(
    claude_server: AnthropicServer, anthropic_client: anthropic.Anthropic
) -> None:
    cache = PromptCache()
    claude_server.will(claude.says("Hm.", usage=cache), claude.says("Hm.", usage=cache))
    system: list[TextBlockParam] = [
        {"type": "text", "text": "You are 小满. " * 100, "cache_control": {"type": "ephemeral"}}
    ]
    first, second = (
        anthropic_client.messages.create(
            model="claude-1", max_tokens=9, system=system, messages=[{"role": "user", "content": f"{n}"}]
        ).usage
        for n in range(2)
    )
    assert first.cache_read_input_tokens == 0
    assert first.cache_creation_input_tokens == second.cache_read_input_tokens
    assert second.cache_creation_input_tokens == 0


@pytest.mark.parametrize(
    ("status", "type_", "kind"),
    [
        (400, "invalid_request_error", anthropic.BadRequestError),
        (401, "authentication_error", anthropic.AuthenticationError),
        (402, "billing_error", anthropic.PaymentRequiredError),
        (403, "permission_error", anthropic.PermissionDeniedError),
        (404, "not_found_error", anthropic.NotFoundError),
        (413, "invalid_request_error", anthropic.ContentTooLargeError),
        (429, "rate_limit_error", anthropic.RateLimitError),
        (500, "api_error", anthropic.InternalServerError),
        (504, "timeout_error", anthropic.GatewayTimeoutError),
        (529, "overloaded_error", anthropic.OverloadedError),
    ],
)
def test_anthropic_knows_each_failure(
    claude_server: AnthropicServer,
    anthropic_client: anthropic.Anthropic,
    status: int,
    type_: str,
    kind: type[anthropic.APIStatusError],
) -> None:
    claude_server.will(claude.fails(status, type_, "told to", retry_after=7))
    with pytest.raises(kind, match="told to") as caught:
        anthropic_client.messages.create(model="claude-1", max_tokens=9, messages=BONJOUR)
    assert caught.value.type == type_
    assert caught.value.request_id == "req_1"
    assert caught.value.response.headers["retry-after"] == "7"
    assert ErrorResponse.model_validate(caught.value.body, strict=True).error.message == "told to"


def test_anthropic_hears_of_an_error_in_the_middle(
    claude_server: AnthropicServer, anthropic_client: anthropic.Anthropic
) -> None:
    claude_server.will(claude.reports_inside("overloaded_error", "Overloaded", after="I was "))
    heard: list[str] = []
    with (
        anthropic_client.messages.stream(model="claude-1", max_tokens=9, messages=BONJOUR) as stream,
        pytest.raises(anthropic.APIStatusError) as caught,
    ):
        heard.extend(stream.text_stream)
    assert caught.value.type == "overloaded_error"


@pytest.mark.parametrize(
    ("script", "kind"), [(gpt.hangs(), anthropic.APITimeoutError), (gpt.hangs_up(), anthropic.APIConnectionError)]
)
def test_anthropic_meets_silence_and_a_closed_door(
    claude_server: AnthropicServer,
    anthropic_client: anthropic.Anthropic,
    script: Script,
    kind: type[anthropic.APIError],
) -> None:
    claude_server.will(script)
    with pytest.raises(kind):
        anthropic_client.messages.create(model="claude-1", max_tokens=9, messages=BONJOUR, timeout=0.3)


USER, ASSISTANT = {"role": "user", "content": "hi"}, {"role": "assistant", "content": "well"}
MARKED = {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}}


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ({"max_tokens": None}, "max_tokens: Field required"),
        ({"messages": []}, "messages: Field required"),
        ({"messages": [ASSISTANT, USER]}, "first message"),
        ({"messages": [USER, USER]}, "alternate"),
        ({"messages": [{"role": "system", "content": "hi"}]}, "Unexpected role"),
        ({"messages": [{"role": "user", "content": ""}]}, "non-empty"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": " \n"}]}]}, "non-whitespace"),
        ({"messages": [USER, {"role": "assistant", "content": "well "}]}, "trailing whitespace"),
        ({"messages": [{"role": "user", "content": [MARKED] * 5}]}, "maximum of 4"),
        ({"system": [{**MARKED, "cache_control": {"type": "eternal"}}]}, "ephemeral"),
        ({"temperature": 1.5}, "range: 0..1"),
        ({"stream_options": {}}, "Extra inputs"),
        ({"tool_choice": {"type": "tool", "name": "tell"}}, "requires tools"),
        (
            {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}},
            "additionalProperties",
        ),
    ],
)
def test_the_messages_api_refuses_what_breaks_its_rules(
    claude_server: AnthropicServer, anthropic_client: anthropic.Anthropic, broken: dict[str, object], told: str
) -> None:
    claude_server.will(claude.says("not reached"))
    with pytest.raises(anthropic.BadRequestError, match=told):
        anthropic_client.messages.create(model="claude-1", max_tokens=9, messages=BONJOUR, extra_body=broken)


def test_the_messages_api_wants_a_key_and_a_version(
    claude_server: AnthropicServer, anthropic_client: anthropic.Anthropic
) -> None:
    for header, kind in (
        ("Authorization", anthropic.AuthenticationError),
        ("anthropic-version", anthropic.BadRequestError),
    ):
        with pytest.raises(kind, match="header"):
            anthropic_client.messages.create(
                model="claude-1", max_tokens=9, messages=BONJOUR, extra_headers={header: anthropic.Omit()}
            )
    with pytest.raises(anthropic.NotFoundError):
        anthropic_client.messages.create(model="claude-1", max_tokens=9, messages=BONJOUR)  # nothing told, no idle
    assert len(claude_server.asked) == 3
