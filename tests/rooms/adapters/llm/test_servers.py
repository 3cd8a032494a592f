"""Model servers are recognised by what they answer, and nothing else is taken for one."""

import time

import pytest

from echovessel.adapters.llm import servers
from echovessel.adapters.llm.servers import asking, recognise
from echovessel.ports.nearby import NearbyServer
from tests.support.nearby import LLAMA_CPP, LM_STUDIO, OLLAMA, VLLM, Routes, serving


async def _seen(root: str) -> NearbyServer | None:
    async with asking(root) as ask:
        return await recognise(ask)


@pytest.mark.parametrize(
    ("routes", "program", "models"),
    [
        (OLLAMA, "Ollama", [("qwen3:8b", 4096), ("llama3.2:latest", 16384)]),
        (LM_STUDIO, "LM Studio", [("meta-llama-3.1-8b-instruct", 8192), ("qwen2-vl-7b-instruct", None)]),
        (LLAMA_CPP, "llama.cpp", [("gemma-3-4b-it.gguf", 8192)]),
        ({"GET /v1/models": LLAMA_CPP["GET /v1/models"]}, "llama.cpp", [("gemma-3-4b-it.gguf", 32768)]),
        (VLLM, "vLLM", [("Qwen/Qwen3-8B", 40960)]),
    ],
    ids=["Ollama", "LM Studio", "llama.cpp", "llama.cpp with a key", "vLLM"],
)
async def test_a_server_is_known_by_its_answers_with_the_windows_it_tells(
    routes: Routes, program: str, models: list[tuple[str, int | None]]
) -> None:
    with serving(routes) as served:
        found = await _seen(served.root)

    assert found is not None
    assert (found.program, found.base_url) == (program, f"{served.root}/v1")
    assert [(model.name, model.context_tokens) for model in found.models] == models


async def test_an_ollama_without_a_model_is_an_ollama() -> None:
    with serving({"GET /api/version": {"version": "0.12.6"}, "GET /api/tags": {"models": []}}) as served:
        found = await _seen(served.root)

    assert found is not None
    assert (found.program, found.models) == ("Ollama", ())


async def test_an_old_ollama_that_tells_no_purposes_offers_all_its_models() -> None:
    routes = {"GET /api/version": {"version": "0.1.30"}, "GET /api/tags": {"models": [{"name": "llama2:7b"}]}}
    with serving(routes) as served:
        found = await _seen(served.root)

    assert found is not None
    assert [(model.name, model.context_tokens) for model in found.models] == [("llama2:7b", None)]


@pytest.mark.parametrize(
    "routes",
    [
        {},
        {"*": {"error": "Unexpected endpoint or method."}},
        {"*": b"<!doctype html><title>Tomcat</title>"},
        {"*": b"\xff\xfe\x00"},
        {"*": b"[" * 20_000},
        {"*": b"{" + b" " * (servers.MAX_ANSWER_BYTES + 1) + b"}"},
        {"*": None},
        {"*": []},
        {"*": {"object": "list", "data": []}},
        {"*": {"version": "1.2"}},
        {"GET /api/version": {"version": "0.12.6"}},
        {"GET /api/version": {"version": "0.12.6"}, "GET /api/tags": {"models": [{"name": "a\x1b[2Jb"}]}},
        {"GET /v1/models": {"object": "list", "data": [{"id": "gpt-x", "owned_by": "system"}]}},
        {"GET /v1/models": {"data": [{"id": "a", "owned_by": "vllm", "max_model_len": -1}]}},
    ],
)
async def test_what_is_none_of_them_is_nothing(routes: Routes) -> None:
    with serving(routes) as served:
        assert await _seen(served.root) is None


async def test_who_says_nothing_is_not_waited_for() -> None:
    with serving({"*": 2}) as served:
        began = time.monotonic()
        assert await _seen(served.root) is None

    assert time.monotonic() - began < 3 * servers.ANSWER_S + 2, "the answers were waited for together"


async def test_nobody_there_is_nothing() -> None:
    with serving({}) as gone:
        pass

    assert await _seen(gone.root) is None


async def test_no_key_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with serving(OLLAMA) as served:
        await _seen(served.root)

    assert served.heard
    assert all("authorization" not in headers for _, _, headers in served.heard)
