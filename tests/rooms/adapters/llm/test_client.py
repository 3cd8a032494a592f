"""Every way a model can fail, against a real server on this machine."""

import asyncio
import socket
import time
from collections.abc import Callable
from contextlib import aclosing

import pytest

from echovessel.adapters.llm import answer as answer_module
from echovessel.adapters.llm import attempts as attempts_module
from echovessel.adapters.llm.client import Endpoint
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
from echovessel.ports.llm import ChatRequest, Delta, Finished, Role
from echovessel.testing.clock import StoppedClock
from echovessel.testing.model_scripts import (
    breaks_after,
    breathes,
    cuts_after,
    fails,
    hangs,
    hangs_after,
    hangs_after_finish,
    hangs_up,
    mislabels,
    rejects,
    reports_inside,
    says,
    says_whole,
    shows,
)
from echovessel.testing.model_server import ModelServer, refused_address
from echovessel.testing.served import Script
from tests.support.settings import llm_settings

KEY = "sk-very-secret"
REQUEST = ChatRequest(
    role=Role.MAIN,
    messages=(ChatMessage(ChatRole.SYSTEM, "You are 小满."), ChatMessage(ChatRole.USER, "在吗？")),
    max_tokens=60,
    temperature=0.8,
)


def _endpoint(base_url: str, **settings: object) -> Endpoint:
    return Endpoint(profile="", settings=llm_settings(base_url=base_url, api_key=KEY, **settings), clock=StoppedClock())


class Heard:
    """What came out of a stream until it ended or failed."""

    def __init__(self) -> None:
        self.text = ""
        self.finished: Finished | None = None

    async def listen(self, endpoint: Endpoint, request: ChatRequest = REQUEST) -> "Heard":
        async with aclosing(endpoint.stream(request)) as events:
            async for event in events:
                match event:
                    case Delta(text=text):
                        self.text += text
                    case Finished():
                        self.finished = event
        return self


async def _fails(endpoint: Endpoint, kind: type[ModelDown]) -> tuple[ModelDown, str]:
    """The failure, and the text that came before it. Whatever fails says where, what to do, and never the key."""
    heard = Heard()
    with pytest.raises(ModelDown) as caught:
        await heard.listen(endpoint)
    down = caught.value
    assert type(down) is kind, down.message
    assert "127.0.0.1" in down.message or "localhost" in down.message
    assert down.do
    assert KEY not in f"{down.message} {down.do} {down!r}"
    assert (heard.finished is not None) is (kind is ModelEmpty)
    return down, heard.text


# ---------------------------------------------------------------- answers


async def test_a_good_answer_streams_and_brings_its_usage(server: ModelServer) -> None:
    server.will(says("我在。 What is it?"))
    heard = await Heard().listen(_endpoint(server.base_url))
    assert heard.text == "我在。 What is it?"
    assert heard.finished == Finished(model="scripted", usage=Usage(tokens_in=21, tokens_out=7))
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


async def test_the_small_model_reads_and_sorts_where_one_is_named(server: ModelServer) -> None:
    server.will(says("ok"), says("ok"))
    small = ChatRequest(role=Role.SMALL, messages=REQUEST.messages)
    await Heard().listen(_endpoint(server.base_url, small_model="tiny"), small)
    await Heard().listen(_endpoint(server.base_url), small)
    assert [asked.body["model"] for asked in server.asked] == ["tiny", "scripted"]


async def test_thinking_is_never_speech_and_is_counted_when_nobody_counts(server: ModelServer) -> None:
    server.will(says("<think>谁在门口？</think>\n\n请进。", size=1, thinks="a long thought, " * 20, usage=None))
    heard = await Heard().listen(_endpoint(server.base_url))
    assert heard.text == "请进。"
    assert heard.finished is not None
    assert heard.finished.usage.estimated
    assert heard.finished.usage.tokens_out > 50


async def test_the_length_limit_is_told(server: ModelServer) -> None:
    server.will(says("It was a", finish="length"))
    heard = await Heard().listen(_endpoint(server.base_url))
    assert heard.finished is not None
    assert heard.finished.cut_short


async def test_an_answer_without_end_is_ended_for_it(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_module, "LONGEST_ANSWER", 100)
    server.will(says("la " * 500, size=30))
    heard = await Heard().listen(_endpoint(server.base_url))
    assert heard.finished is not None
    assert heard.finished.cut_short
    assert 100 < len(heard.text) < 200


@pytest.mark.parametrize(
    "script",
    [says_whole("Here I am."), mislabels("Here I am."), says("Here I am.", done=False)],
    ids=["one JSON object", "a wrong content type", "no end mark"],
)
async def test_endpoints_with_habits_of_their_own_are_understood(server: ModelServer, script: Script) -> None:
    server.will(script)
    heard = await Heard().listen(_endpoint(server.base_url))
    assert heard.text == "Here I am."
    assert heard.finished is not None


async def test_a_stream_that_never_ends_after_its_finish_reason_is_an_answer(server: ModelServer) -> None:
    server.will(hangs_after_finish("That is all."))
    heard = await Heard().listen(_endpoint(server.base_url))
    assert heard.text == "That is all."
    assert heard.finished is not None
    assert heard.finished.usage.estimated


@pytest.mark.parametrize("parameter", ["stream_options", "temperature"])
async def test_a_rejected_parameter_is_left_out_from_then_on(server: ModelServer, parameter: str) -> None:
    endpoint = _endpoint(server.base_url)
    server.will(*[rejects(parameter, says("Fine."))] * 3)
    assert (await Heard().listen(endpoint)).text == "Fine."
    assert (await Heard().listen(endpoint)).text == "Fine."
    assert [parameter in asked.body for asked in server.asked] == [True, False, False]


async def test_the_newer_name_of_the_length_limit_is_learned(server: ModelServer) -> None:
    words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    server.will(*[rejects("max_tokens", says("Fine."), words=words)] * 2)
    assert (await Heard().listen(_endpoint(server.base_url))).text == "Fine."
    assert server.asked[1].body["max_completion_tokens"] == 60


# ---------------------------------------------------------------- failures


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (fails(401, f"Incorrect API key provided: {KEY}"), ModelRefusedKey),
        (fails(403), ModelRefusedKey),
        (fails(404, "The model `scripted` does not exist"), ModelRejected),
        (fails(400, f"no such thing, {KEY}"), ModelRejected),
        (fails(429), ModelBusy),
        (fails(429, retry_after=3600), ModelBusy),
        (fails(503, retry_after=3600), ModelBusy),
        (fails(500), ModelDown),
        (fails(502), ModelDown),
        (fails(503), ModelDown),
        (hangs_up(), ModelCut),
        (cuts_after(""), ModelCut),
        (says(""), ModelEmpty),
        (says("<think>only thoughts</think>"), ModelEmpty),
        (says(" \n "), ModelEmpty),
        (says_whole(""), ModelEmpty),
        (shows(b"<!DOCTYPE html><html><body>Welcome to nginx!</body></html>"), ModelGarbage),
        (shows(b"Ollama is running", "text/plain"), ModelGarbage),
        (shows(b'{"choices": 7}', "application/json"), ModelGarbage),
        (shows(b"\xff\xd8\xff\xe0JFIF\x00", "image/jpeg"), ModelGarbage),
        (shows(b"data: " + b"x" * (3 << 20), "text/event-stream"), ModelGarbage),
        (breaks_after("", b"data: {broken\n\n"), ModelGarbage),
        (reports_inside({"message": "out of memory"}), ModelDown),
        (reports_inside({"message": "slow down", "code": 429}), ModelBusy),
    ],
)
async def test_failures_before_the_first_word(server: ModelServer, script: Script, kind: type[ModelDown]) -> None:
    server.will(script, says("And now it works."))
    endpoint = _endpoint(server.base_url)
    _, text = await _fails(endpoint, kind)
    assert text == ""
    assert (await Heard().listen(endpoint)).text == "And now it works."


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (cuts_after("I was just "), ModelCut),
        (reports_inside({"message": "out of memory"}, after="I was just "), ModelCut),
        (breaks_after("I was just ", b"data: {broken\n\n"), ModelGarbage),
        (breaks_after("I was just ", b"data: \xff\xfe\n\n"), ModelGarbage),
        (breaks_after("I was just ", b"data: " + b"x" * (3 << 20)), ModelGarbage),
    ],
)
async def test_failures_in_the_middle_keep_what_was_said(
    server: ModelServer, script: Script, kind: type[ModelDown]
) -> None:
    server.will(script, says("And now it works."))
    endpoint = _endpoint(server.base_url, retries=2)
    _, text = await _fails(endpoint, kind)
    assert text == "I was just "
    assert len(server.asked) == 1, "nothing is tried again after the first word"
    assert (await Heard().listen(endpoint)).text == "And now it works."


@pytest.mark.parametrize(
    ("script", "setting", "said"),
    [
        (hangs(), "first_token_timeout_s", ""),
        (breathes(), "first_token_timeout_s", ""),
        (hangs_after("I was just "), "idle_timeout_s", "I was just "),
    ],
)
async def test_silence_ends_in_a_timeout_that_closes_the_connection(
    server: ModelServer, script: Script, setting: str, said: str
) -> None:
    server.will(script)
    down, text = await _fails(_endpoint(server.base_url, retries=2, **{setting: 0.3}), ModelTimeout)
    assert setting in down.do
    assert text == said
    assert await asyncio.to_thread(server.waits_for_hang_up)
    assert len(server.asked) == 1


async def test_a_refused_connection() -> None:
    held, base_url = refused_address()
    with held:
        down, _ = await _fails(_endpoint(base_url), ModelUnreachable)
    assert "Start the model's server" in down.do


async def test_a_name_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    down, _ = await _fails(_endpoint("http://models.localhost/v1"), ModelUnreachable)
    assert "spelling" in down.do


async def test_https_where_only_http_is_spoken(server: ModelServer) -> None:
    down, _ = await _fails(_endpoint(server.base_url.replace("http:", "https:")), ModelUnreachable)
    assert "http://" in down.do


async def test_an_address_without_v1(server: ModelServer) -> None:
    down, _ = await _fails(_endpoint(server.base_url.removesuffix("/v1")), ModelRejected)
    assert "/v1" in down.do


async def test_no_model_named(server: ModelServer) -> None:
    down, _ = await _fails(_endpoint(server.base_url, model=""), ModelRejected)
    assert "llm.model" in down.do
    assert server.asked == []


# ---------------------------------------------------------------- trying again


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts_module, "FIRST_PAUSE_S", 0.01)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("script", [fails(429), fails(500), fails(502), hangs_up()])
async def test_what_may_pass_is_tried_again_before_the_first_word(server: ModelServer, script: Script) -> None:
    server.will(script, script, says("Third time lucky."))
    assert (await Heard().listen(_endpoint(server.base_url, retries=2))).text == "Third time lucky."
    assert len(server.asked) == 3


@pytest.mark.usefixtures("quick")
async def test_trying_again_comes_to_an_end(server: ModelServer) -> None:
    server.will(*[fails(500)] * 5)
    await _fails(_endpoint(server.base_url, retries=2), ModelDown)
    assert len(server.asked) == 3


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (fails(401), ModelRefusedKey),
        (fails(404), ModelRejected),
        (fails(429, retry_after=3600), ModelBusy),
        (says(""), ModelEmpty),
        (shows(b"<html>"), ModelGarbage),
    ],
)
async def test_what_will_not_pass_is_asked_once(server: ModelServer, script: Script, kind: type[ModelDown]) -> None:
    server.will(script)
    await _fails(_endpoint(server.base_url, retries=2), kind)
    assert len(server.asked) == 1


async def test_the_wait_that_the_endpoint_asks_for_is_kept(server: ModelServer) -> None:
    server.will(fails(429, retry_after=1), says("Now."))
    began = time.monotonic()
    assert (await Heard().listen(_endpoint(server.base_url, retries=1))).text == "Now."
    assert time.monotonic() - began >= 1


# ---------------------------------------------------------------- leaving


async def _leave_by_closing(endpoint: Endpoint) -> None:
    async with aclosing(endpoint.stream(REQUEST)) as events:
        await anext(events)


async def _leave_by_cancelling(endpoint: Endpoint) -> None:
    heard = Heard()
    listening = asyncio.create_task(heard.listen(endpoint))
    while not heard.text:  # noqa: ASYNC110 - the stream has no event to wait for
        await asyncio.sleep(0.01)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


@pytest.mark.parametrize("leave", [_leave_by_closing, _leave_by_cancelling])
async def test_who_leaves_in_the_middle_closes_the_connection_at_once(
    server: ModelServer, leave: Callable[[Endpoint], object]
) -> None:
    server.will(hangs_after("Once upon a time "))
    coroutine = leave(_endpoint(server.base_url))
    assert asyncio.iscoroutine(coroutine)
    await coroutine
    assert await asyncio.to_thread(server.waits_for_hang_up, 2)


async def test_many_answers_at_once_do_not_mix(server: ModelServer) -> None:
    server.will(*[lambda exchange: says(exchange.asked.messages[-1]["content"] * 5, pause=0.005)(exchange)] * 8)
    endpoint = _endpoint(server.base_url)
    requests = [ChatRequest(role=Role.MAIN, messages=(ChatMessage(ChatRole.USER, f"{n} "),)) for n in range(8)]
    heard = await asyncio.gather(*(Heard().listen(endpoint, request) for request in requests))
    assert [h.text for h in heard] == [f"{n} " * 5 for n in range(8)]
