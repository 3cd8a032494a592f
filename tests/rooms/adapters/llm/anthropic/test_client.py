"""Claude well and Claude failing, against a real server on this machine. What all clients share is in `test_attempts`."""

import asyncio
import ssl
from contextlib import aclosing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from typing_extensions import override

from echovessel.adapters.llm import attempts as attempts_module
from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.anthropic.client import AnthropicEndpoint
from echovessel.core.errors import (
    ModelBusy,
    ModelCut,
    ModelDown,
    ModelEmpty,
    ModelGarbage,
    ModelRefusedKey,
    ModelRejected,
    ModelTimeout,
    ModelUnreachable,
)
from echovessel.core.talk import ChatMessage, ChatRole, Usage
from echovessel.ports.llm import ChatRequest, Delta, Finished, Role, Thought
from echovessel.testing.anthropic_scripts import (
    breaks_after,
    cuts_after,
    fails,
    hangs_after,
    hangs_after_stop,
    pings,
    rejects,
    reports_inside,
    says,
    says_whole,
)
from echovessel.testing.anthropic_server import CONTEXT_TOKENS, AnthropicServer
from echovessel.testing.clock import StoppedClock
from echovessel.testing.model_scripts import hangs, hangs_up, shows
from echovessel.testing.model_server import refused_address
from echovessel.testing.prompt_cache import PromptCache
from echovessel.testing.served import Script
from tests.support.settings import llm_settings

KEY = "sk-ant-very-secret"
SELF_SIGNED = Path(__file__).parents[4] / "data" / "llm" / "self_signed.pem"
SYSTEM = ChatMessage(ChatRole.SYSTEM, "You are 小满. " * 40)
REQUEST = ChatRequest(
    role=Role.MAIN, messages=(SYSTEM, ChatMessage(ChatRole.USER, "在吗？")), max_tokens=60, temperature=0.8
)
SCHEMA = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}
IN_JSON = ChatRequest(role=Role.SMALL, messages=REQUEST.messages, schema=SCHEMA)
ANSWER_IN_JSON = '{"mood": "平静"}'


def _endpoint(base_url: str, **settings: object) -> AnthropicEndpoint:
    values = llm_settings(kind="anthropic", base_url=base_url, api_key=KEY, **settings)
    return AnthropicEndpoint(profile="claude", settings=values, clock=StoppedClock())


async def _hear(endpoint: AnthropicEndpoint, request: ChatRequest = REQUEST) -> tuple[str, Finished]:
    text, finished = "", None
    async with aclosing(endpoint.stream(request)) as events:
        async for event in events:
            match event:
                case Delta(text=piece):
                    text += piece
                case Finished():
                    finished = event
                case Thought():
                    pass
    assert finished is not None, "it ended without an end"
    return text, finished


async def _fails(endpoint: AnthropicEndpoint, kind: type[ModelDown]) -> tuple[ModelDown, str]:
    """The failure, and the text that came before it. Whatever fails says where, what to do, and never the key."""
    said: list[str] = []

    async def listen() -> None:
        async with aclosing(endpoint.stream(REQUEST)) as events:
            async for event in events:
                assert not isinstance(event, Finished) or kind is ModelEmpty
                if isinstance(event, Delta):
                    said.append(event.text)

    with pytest.raises(ModelDown) as caught:
        await listen()
    down = caught.value
    assert type(down) is kind, down.message
    assert "127.0.0.1" in down.message
    assert down.do
    assert KEY not in f"{down.message} {down.do} {down!r}"
    return down, "".join(said)


# ---------------------------------------------------------------- answers


async def test_a_good_answer_streams_and_brings_its_usage(server: AnthropicServer) -> None:
    server.will(says("我在。 What is it?"))
    text, finished = await _hear(_endpoint(server.base_url))
    assert text == "我在。 What is it?"
    assert finished == Finished(model="scripted", usage=Usage(tokens_in=21, tokens_out=7))
    assert server.asked[0].headers["x-api-key"] == KEY


@pytest.mark.parametrize("thought", ["谁在门口？", ""], ids=["told", "held back"])
async def test_thinking_is_never_speech(server: AnthropicServer, thought: str) -> None:
    server.will(says("请进。", thinks=thought))
    assert (await _hear(_endpoint(server.base_url)))[0] == "请进。"


@pytest.mark.parametrize("stop", ["max_tokens", "model_context_window_exceeded"])
async def test_the_length_limit_is_told(server: AnthropicServer, stop: str) -> None:
    server.will(says("It was a", stop=stop))
    assert (await _hear(_endpoint(server.base_url)))[1].cut_short


@pytest.mark.parametrize("script", [says_whole("Here I am."), hangs_after_stop("Here I am.")])
async def test_servers_with_habits_of_their_own_are_understood(server: AnthropicServer, script: Script) -> None:
    server.will(script)
    assert (await _hear(_endpoint(server.base_url)))[0] == "Here I am."


@pytest.mark.parametrize("parameter", ["temperature", "cache_control"])
async def test_a_rejected_parameter_is_left_out_from_then_on(server: AnthropicServer, parameter: str) -> None:
    endpoint = _endpoint(server.base_url)
    server.will(*[rejects(parameter, says("Fine."))] * 3)
    assert [(await _hear(endpoint))[0] for _ in range(2)] == ["Fine."] * 2
    assert [f"'{parameter}'" in str(asked.body) for asked in server.asked] == [True, False, False]


async def test_how_much_it_holds_is_what_the_list_says(server: AnthropicServer) -> None:
    endpoint = _endpoint(server.base_url)
    assert await endpoint.models() == ("scripted",)
    assert await endpoint.context_tokens() == CONTEXT_TOKENS


# ---------------------------------------------------------------- the cache


async def test_what_rests_from_turn_to_turn_is_written_once_and_read_ever_after(server: AnthropicServer) -> None:
    endpoint, cache = _endpoint(server.base_url), PromptCache()
    history = [SYSTEM]
    counts: list[Usage] = []
    for n in range(4):
        server.will(says("嗯，我在听。", usage=cache))
        asked = (*history, ChatMessage(ChatRole.USER, f"<echo-notes>{n}</echo-notes>\n\n第 {n} 句话"))
        counts.append((await _hear(endpoint, ChatRequest(role=Role.MAIN, messages=asked)))[1].usage)
        history += [ChatMessage(ChatRole.USER, f"第 {n} 句话"), ChatMessage(ChatRole.ASSISTANT, "嗯，我在听。")]

    assert counts[0].cached_in == 0
    assert counts[0].cache_written_in > 100, "the system prompt"
    for before, now in pairwise(counts):
        assert now.cached_in == before.cached_in + before.cache_written_in
        assert 0 < now.cache_written_in < 40, "the two turns since"
    assert all(count.tokens_in - count.cached_in - count.cache_written_in < 40 for count in counts)


# ---------------------------------------------------------------- JSON


class _Itself(AnthropicEndpoint):
    """Under the name of Anthropic, which is trusted to keep to a schema."""

    @override
    def _parse_address(self) -> Address:
        return replace(super()._parse_address(), host="api.anthropic.com")


def _itself(server: AnthropicServer) -> AnthropicEndpoint:
    values = llm_settings(kind="anthropic", base_url=server.base_url, api_key=KEY)
    return _Itself(profile="claude", settings=values, clock=StoppedClock())


async def test_json_is_held_to_the_schema_by_the_output_format(server: AnthropicServer) -> None:
    server.will(says(ANSWER_IN_JSON))
    text, finished = await _hear(_itself(server), IN_JSON)
    assert (text, finished.json_mode) == (ANSWER_IN_JSON, "schema")
    assert "output_config" in server.asked[0].body
    assert "authorization" not in server.asked[0].headers, "the key goes once, where it is documented"


async def test_else_by_a_forced_tool_whose_input_is_the_answer(server: AnthropicServer) -> None:
    endpoint = _itself(server)
    server.will(*[rejects("output_config", says(ANSWER_IN_JSON, thinks="hm", stop="tool_use"))] * 3)
    for _ in range(2):
        text, finished = await _hear(endpoint, IN_JSON)
        assert (text, finished.json_mode) == (ANSWER_IN_JSON, "schema")
    assert ["tools" in asked.body for asked in server.asked] == [False, True, True]
    server.will(says("And speech is speech."))
    assert (await _hear(endpoint))[0] == "And speech is speech."


async def test_else_by_words_alone_and_says_so(server: AnthropicServer) -> None:
    server.will(*[rejects("output_config", rejects("tools", says(ANSWER_IN_JSON)))] * 3)
    text, finished = await _hear(_itself(server), IN_JSON)
    assert (text, finished.json_mode) == (ANSWER_IN_JSON, "none")
    assert ["JSON Schema" in str(asked.body["messages"]) for asked in server.asked] == [False, False, True]


async def test_a_server_that_only_speaks_like_claude_is_told_the_schema_and_promises_nothing(
    server: AnthropicServer,
) -> None:
    server.will(says(ANSWER_IN_JSON))
    text, finished = await _hear(_endpoint(server.base_url), IN_JSON)
    assert (text, finished.json_mode) == (ANSWER_IN_JSON, "none")
    assert "output_config" in server.asked[0].body
    assert "JSON Schema" in str(server.asked[0].body["messages"])


# ---------------------------------------------------------------- failures


@pytest.mark.parametrize(
    ("script", "kind", "told"),
    [
        (fails(401, "authentication_error", f"invalid x-api-key {KEY}"), ModelRefusedKey, "key"),
        (fails(403, "forbidden", "Request not allowed"), ModelRefusedKey, "not allowed"),
        (fails(404, "not_found_error", "model: scripted"), ModelRejected, "scripted"),
        (fails(404, "not_found_error", "Not Found"), ModelRejected, "/v1/messages"),
        (fails(413, "request_too_large"), ModelRejected, "prompt.token_budget"),
        (fails(400, message="prompt is too long: 9 tokens > 8 maximum"), ModelRejected, "prompt.token_budget"),
        (fails(400, message="Your credit balance is too low"), ModelRejected, "Top up"),
        (fails(402, "billing_error"), ModelRejected, "Top up"),
        (fails(400, message=f"no such thing, {KEY}"), ModelRejected, "no such thing"),
        (fails(429, "rate_limit_error", retry_after=3600), ModelBusy, "plan"),
        (fails(529, "overloaded_error", retry_after=3600), ModelBusy, "another model"),
        (fails(500, "api_error", "Internal server error"), ModelDown, "Internal server error"),
        (fails(504, "timeout_error"), ModelTimeout, "504"),
        (hangs_up(), ModelCut, "broke off"),
        (cuts_after(""), ModelCut, "broke off"),
        (says(""), ModelEmpty, "single word"),
        (says("", thinks="only thoughts", stop="max_tokens"), ModelEmpty, "max_reply_tokens"),
        (says("", stop="refusal"), ModelEmpty, "content filter"),
        (shows(b"<!DOCTYPE html><html>Welcome</html>"), ModelGarbage, "Messages API"),
        (shows(b'{"object": "chat.completion", "choices": []}', "application/json"), ModelGarbage, "chat completion"),
        (breaks_after("", b"data: {broken\n\n"), ModelGarbage, "no answer"),
        (breaks_after("", b"data: " + b"x" * (3 << 20)), ModelGarbage, "1 MB"),
        (reports_inside("overloaded_error", "Overloaded"), ModelBusy, "busy"),
        (reports_inside("api_error", "Internal server error"), ModelDown, "Internal server error"),
    ],
)
async def test_failures_before_the_first_word(
    server: AnthropicServer, script: Script, kind: type[ModelDown], told: str
) -> None:
    server.will(script, says("And now it works."))
    endpoint = _endpoint(server.base_url)
    down, text = await _fails(endpoint, kind)
    assert told in f"{down.message} {down.do}"
    assert text == ""
    assert (await _hear(endpoint))[0] == "And now it works."


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (cuts_after("I was just "), ModelCut),
        (reports_inside("overloaded_error", "Overloaded", after="I was just "), ModelCut),
        (breaks_after("I was just ", b"data: {broken\n\n"), ModelGarbage),
        (breaks_after("I was just ", b"data: \xff\xfe\n\n"), ModelGarbage),
    ],
)
async def test_failures_in_the_middle_keep_what_was_said(
    server: AnthropicServer, script: Script, kind: type[ModelDown]
) -> None:
    server.will(script)
    _, text = await _fails(_endpoint(server.base_url, retries=2), kind)
    assert text == "I was just "
    assert len(server.asked) == 1, "nothing is tried again after the first word"


@pytest.mark.parametrize(
    "script",
    [fails(529, "overloaded_error"), reports_inside("overloaded_error", "Overloaded"), fails(500, "api_error")],
)
async def test_what_may_pass_is_tried_again_before_the_first_word(
    server: AnthropicServer, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts_module, "FIRST_PAUSE_S", 0.01)
    server.will(script, script, says("Third time lucky."))
    assert (await _hear(_endpoint(server.base_url, retries=2)))[0] == "Third time lucky."


@pytest.mark.parametrize(
    ("script", "setting", "said"),
    [
        (hangs(), "first_token_timeout_s", ""),
        (pings(), "first_token_timeout_s", ""),
        (hangs_after("I was just "), "idle_timeout_s", "I was just "),
    ],
)
async def test_silence_ends_in_a_timeout_that_closes_the_connection(
    server: AnthropicServer, script: Script, setting: str, said: str
) -> None:
    server.will(script)
    down, text = await _fails(_endpoint(server.base_url, **{setting: 0.3}), ModelTimeout)
    assert setting in down.do
    assert text == said
    assert await asyncio.to_thread(server.waits_for_hang_up)


async def test_a_refused_connection() -> None:
    held, base_url = refused_address()
    with held:
        down, _ = await _fails(_endpoint(base_url), ModelUnreachable)
    assert "llm.base_url" in down.do


async def test_a_certificate_that_nobody_vouches_for_is_not_trusted() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(SELF_SIGNED)
    with AnthropicServer(tls=context) as server:
        down, _ = await _fails(_endpoint(server.base_url), ModelUnreachable)
    assert "certificate" in down.message
    assert server.asked == []


async def test_who_leaves_in_the_middle_closes_the_connection_at_once(server: AnthropicServer) -> None:
    server.will(hangs_after("Once upon a time "))
    async with aclosing(_endpoint(server.base_url).stream(REQUEST)) as events:
        await anext(events)
    assert await asyncio.to_thread(server.waits_for_hang_up, 2)
