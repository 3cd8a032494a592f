"""What a model holds now is asked of one's own servers, in their own ways."""

import pytest

from echovessel.adapters.llm import window
from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.window import Window, is_own
from tests.support.nearby import LLAMA_CPP, LM_STUDIO, OLLAMA, Served, serving


def _window(served: Served, model: str) -> Window:
    return Window(Address.parse(f"{served.root}/v1"), model)


@pytest.mark.parametrize(
    ("model", "held"), [("qwen3:8b", 4096), ("llama3.2", 16384), ("llama3.2:latest", 16384), ("unknown", None)]
)
async def test_ollama_tells_what_it_runs_a_model_with_and_not_what_the_model_could(
    model: str, held: int | None
) -> None:
    with serving(OLLAMA) as served:
        assert await _window(served, model).tokens() == held


async def test_a_server_of_one_model_has_it_under_any_name() -> None:
    with serving(LLAMA_CPP) as served:
        assert await _window(served, "whatever").tokens() == 8192


async def test_a_model_that_is_not_loaded_is_asked_after_again_and_one_that_told_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(window, "AGAIN_S", 0)
    with serving(LM_STUDIO) as served:
        unloaded, loaded = _window(served, "qwen2-vl-7b-instruct"), _window(served, "meta-llama-3.1-8b-instruct")
        assert [await unloaded.tokens(), await loaded.tokens()] == [None, 8192]
        before = len(served.heard)
        assert await loaded.tokens() == 8192
        assert len(served.heard) == before
        assert await unloaded.tokens() is None
        assert len(served.heard) > before


async def test_between_two_questions_it_waits_a_while() -> None:
    with serving(LM_STUDIO) as served:
        unloaded = _window(served, "qwen2-vl-7b-instruct")
        await unloaded.tokens()
        asked = len(served.heard)
        assert await unloaded.tokens() is None
        assert len(served.heard) == asked


async def test_a_server_that_starts_later_is_asked_and_one_that_falls_silent_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(window, "AGAIN_S", 0)
    monkeypatch.setattr(window, "TOLD_FOR_S", 0)
    with serving({}) as gone:
        pass
    asked = _window(gone, "any")

    assert await asked.tokens() is None
    with serving(LLAMA_CPP, port=gone.port):
        assert await asked.tokens() == 8192
    assert await asked.tokens() == 8192
    with serving({**LLAMA_CPP, "GET /props": {"default_generation_settings": {"n_ctx": 16384}}}, port=gone.port):
        assert await asked.tokens() == 16384


async def test_a_server_that_is_none_of_them_is_left_in_peace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "AGAIN_S", 0)
    with serving({}) as served:
        stranger = _window(served, "m")
        assert await stranger.tokens() is None
        asked = len(served.heard)
        assert await stranger.tokens() is None
        assert len(served.heard) == asked


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1:1234/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://192.168.1.5:11434/v1", True),
        ("http://studio.local:1234/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://openrouter.ai/api/v1", False),
        ("http://8.8.8.8/v1", False),
    ],
)
def test_only_one_s_own_network_is_asked(url: str, own: bool) -> None:
    assert is_own(Address.parse(url)) is own
