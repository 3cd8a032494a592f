"""A model file as a connection: loaded when needed, one answer at a time, alive again after a crash, gone when closed."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace

import psutil
import pytest

from echovessel.adapters.llm.gguf import client as client_module
from echovessel.adapters.llm.gguf.client import USUAL_CONTEXT_TOKENS, GgufModel
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import ModelCut, ModelFileUnusable, ModelTimeout
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.llm import ChatRequest, Delta, Finished, Role
from echovessel.testing.model_scripts import cuts_after, hangs, says
from echovessel.testing.model_server import ModelServer
from tests.support.gguf import StagedEngine, StagedGguf, smollm2
from tests.support.settings import llm_settings


def _asking(text: str, max_tokens: int) -> ChatRequest:
    said = (ChatMessage(ChatRole.SYSTEM, "You are 小满, a gardener."), ChatMessage(ChatRole.USER, text))
    return ChatRequest(role=Role.MAIN, messages=said, max_tokens=max_tokens, temperature=0)


async def _heard(model: GgufModel, request: ChatRequest) -> tuple[str, Finished]:
    said, finished = "", None
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            if isinstance(event, Delta):
                said += event.text
            elif isinstance(event, Finished):
                finished = event
    assert finished
    return said, finished


# ---------------------------------------------------------------- a real one


@pytest.fixture
async def real() -> AsyncIterator[GgufModel]:
    settings = llm_settings(
        file=str(smollm2()), model="", context_tokens=2048, first_token_timeout_s=60, idle_timeout_s=60
    )
    model = GgufModel(profile="own", settings=settings, clock=SystemClock())
    yield model
    model.close()


def _worker(model: GgufModel) -> psutil.Process:
    assert model._engine
    return psutil.Process(model._engine._process.pid)


async def test_a_real_file_talks_counts_remembers_its_prompt_and_stops_when_left(real: GgufModel) -> None:
    _, first = await _heard(real, _asking("Hello!", 12))
    said, second = await _heard(real, _asking("Hello!", 12))

    assert first.model == "SmolLM2-135M-Instruct.Q4_1"
    assert not first.usage.estimated
    assert 0 < first.usage.tokens_out <= 12
    assert first.usage.tokens_in > 10
    assert second.usage.cached_in >= first.usage.tokens_in - 1
    assert said

    async with aclosing(real.stream(_asking("把你知道的都告诉我。", 1800))) as endless:
        await anext(endless)
    await _is_idle(_worker(real))
    assert (await _heard(real, _asking("Hello!", 12)))[1].usage.tokens_out > 0

    worker = _worker(real)
    real.close()
    worker.wait(20)


async def test_an_answer_is_held_to_a_schema(real: GgufModel) -> None:
    colour = {"type": "object", "properties": {"颜色": {"enum": ["蓝", "绿"]}}, "required": ["颜色"]}
    said, finished = await _heard(real, replace(_asking("天是什么颜色？", 40), schema=colour))
    assert json.loads(said)["颜色"] in {"蓝", "绿"}
    assert finished.json_mode == "schema"


async def _is_idle(worker: psutil.Process) -> None:
    """Wait until it does nothing any more; what it was asked for would keep it busy for much longer."""
    until, before = time.monotonic() + 20, -1.0
    while (spent := sum(worker.cpu_times()[:2])) != before:
        assert time.monotonic() < until, "it goes on wording an answer that nobody hears"
        before = spent
        await asyncio.sleep(0.3)


# ---------------------------------------------------------------- on a stage


async def test_nothing_is_loaded_to_tell_what_it_is(server: ModelServer) -> None:
    model = StagedGguf(server.base_url)
    assert await model.models() == ("SmolLM2-135M-Instruct.Q4_1",)
    assert await model.context_tokens() == 8192
    assert {model.name(role) for role in Role} == {"SmolLM2-135M-Instruct.Q4_1"}
    assert model.profile == "own"
    assert model.settings.speaks == "gguf"
    assert model.engines == []
    assert StagedGguf(server.base_url, model="小满的模型").name(Role.MAIN) == "小满的模型"


async def test_the_context_is_the_smallest_of_what_is_wanted_and_what_there_is(server: ModelServer) -> None:
    assert await StagedGguf(server.base_url, context_tokens=1000).context_tokens() == 1000
    assert await StagedGguf(server.base_url, context_tokens=100_000).context_tokens() == 8192
    assert USUAL_CONTEXT_TOKENS <= 8192


async def test_a_file_that_cannot_be_run_fails_the_request_and_tells_no_context() -> None:
    model = GgufModel(profile="", settings=llm_settings(file="~/nothing.gguf"), clock=SystemClock())
    assert await model.context_tokens() is None
    for failing in (model.prepare(), model.models(), _heard(model, _asking("Hello?", 1))):
        with pytest.raises(ModelFileUnusable):
            await failing


async def test_it_is_loaded_once_for_all_who_wait_and_answers_one_after_the_other(server: ModelServer) -> None:
    model = StagedGguf(server.base_url)
    answers = ["first", "second", "third"]
    server.will(*[says(answer) for answer in answers])

    heard = await asyncio.gather(*[_heard(model, _asking(answer, 10)) for answer in answers])

    assert [said for said, _ in heard] == answers
    assert [asked.messages[-1]["content"] for asked in server.asked] == answers
    assert len(model.engines) == 1
    sent = server.asked[0]
    assert sent.headers["authorization"] == "Bearer the-key-of-this-start"
    assert sent.body["return_progress"] is True
    assert sent.body["model"] == "SmolLM2-135M-Instruct.Q4_1"


async def test_a_failure_names_the_file_and_who_left_gives_way_to_the_next(server: ModelServer) -> None:
    model = StagedGguf(server.base_url, first_token_timeout_s=0.3)
    server.will(hangs(), says("And now it works."))
    with pytest.raises(ModelTimeout, match=r"SmolLM2-135M-Instruct\.Q4_1\.gguf"):
        await _heard(model, _asking("Hello?", 10))
    assert (await _heard(model, _asking("Hello?", 10)))[0] == "And now it works."


async def test_after_a_crash_it_is_loaded_anew(server: ModelServer) -> None:
    model = StagedGguf(server.base_url)
    server.will(says("And now it works."))
    await model.prepare()
    model.engines[0].ended = True

    assert (await _heard(model, _asking("Hello?", 10)))[0] == "And now it works."
    assert len(model.engines) == 2


async def test_a_crash_in_the_middle_is_told_as_one(server: ModelServer) -> None:
    model = StagedGguf(server.base_url)
    server.will(cuts_after("I was just "), says("And now it works."))
    said: list[str] = []

    async def listen() -> None:
        async for event in model.stream(_asking("Hello?", 10)):
            assert isinstance(event, Delta)
            said.append(event.text)
            model.engines[0].ended = True

    with pytest.raises(ModelCut, match="crashed"):
        await listen()
    assert "".join(said) == "I was just "
    assert (await _heard(model, _asking("Hello?", 10)))[0] == "And now it works."
    assert len(model.engines) == 2


async def test_closing_waits_for_the_answer_that_streams(server: ModelServer) -> None:
    model = StagedGguf(server.base_url)
    server.will(says("A long answer.", size=2))
    async with aclosing(model.stream(_asking("Hello?", 10))) as events:
        await anext(events)
        model.close()
        assert model.engines[0].stopped == 0
        async for _ in events:
            pass
    assert model.engines[0].stopped == 1
    with pytest.raises(ModelCut, match="no longer in use"):
        await model.prepare()


async def test_those_who_stop_while_it_loads_take_no_thread_with_them(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = threading.Event()

    def waits(engine: StagedEngine) -> str:
        assert loads.wait(10)
        return server.base_url.removesuffix("/v1")

    monkeypatch.setattr(StagedEngine, "url", waits)
    model = StagedGguf(server.base_url)
    for _ in range(40):  # more than the threads that everyone shares
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(model.prepare(), 0.01)
    assert await asyncio.wait_for(asyncio.to_thread(lambda: "free"), 5) == "free"

    loads.set()
    await model.prepare()
    assert len(model.engines) == 1
    model.close()


async def test_closing_while_it_loads_is_told_as_that(real: GgufModel) -> None:
    loading = asyncio.create_task(real.prepare())
    for _ in range(1000):
        if real._engine is not None:
            break
        await asyncio.sleep(0.01)
    real.close()
    with pytest.raises(ModelCut, match="no longer in use"):
        await loading


async def test_a_load_that_does_not_end_is_given_up(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LONGEST_LOAD_S", 0.05)
    model = StagedGguf(server.base_url)
    monkeypatch.setattr("tests.support.gguf.StagedEngine.url", lambda _: time.sleep(0.3))
    with pytest.raises(ModelTimeout, match="was not loaded"):
        await model.prepare()
    assert model.engines[0].stopped == 1
