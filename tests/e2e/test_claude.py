"""Claude through the daemon as a user runs it: talk, a cache that is used, and every failure told."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from echovessel.testing import anthropic_scripts as claude
from echovessel.testing import model_scripts as any_model
from echovessel.testing.anthropic_server import CONTEXT_TOKENS, AnthropicServer
from echovessel.testing.prompt_cache import PromptCache
from echovessel.testing.served import Script
from tests.support.daemon import running
from tests.support.talking import Talk


@dataclass(frozen=True)
class ToClaude(Talk):
    """A talk with a persona that Claude words."""

    server: AnthropicServer


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToClaude]:
    home = tmp_path_factory.mktemp("claude") / "home"
    with AnthropicServer(models=("claude-one", "claude-two")) as server:
        settings: dict[str, object] = {
            "turn.debounce_s": 0,
            "llm.kind": "anthropic",
            "llm.base_url": server.base_url,
            "llm.model": "claude-one",
            "llm.api_key": "k-1",
            "llm.retries": 0,
            "llm.first_token_timeout_s": 2,
            "llm.idle_timeout_s": 2,
            "llm.temperature": 1.4,
            "embedder.name": "none",
        }
        for daemon in running(home, **settings):
            persona = daemon.call("POST", "/api/v1/personas", {"name": "小满", "locale": "zh"})
            yield ToClaude(daemon, persona["id"], server)


def test_what_rests_of_the_prompt_is_read_from_the_cache_and_the_ledger_shows_it(talk: ToClaude) -> None:
    cache = PromptCache()
    answers = ("在，刚把茶泡上。", "好呀，慢慢说。", "我记着呢。")
    talk.server.will(*(claude.says(answer, thinks="谁来了？", usage=cache) for answer in answers))
    spent: list[dict[str, int]] = []
    for said, answer in zip(("在吗？", "我想说件事", "你还记得吗？"), answers, strict=True):
        assert talk.says(said)["text"] == answer
        spent.append(talk.daemon.call("GET", "/api/v1/usage"))

    first, second, third = spent
    assert first["cached_in"] == 0
    assert first["cache_written_in"] > 100
    assert second["cached_in"] >= first["cache_written_in"]
    assert third["cached_in"] - second["cached_in"] > second["cached_in"] - first["cached_in"], (
        "the history is cached too"
    )
    assert third["tokens_in"] > third["cached_in"] + third["cache_written_in"]
    questions = [asked.body for asked in talk.server.asked if asked.path == "/v1/messages"]
    assert {question["temperature"] for question in questions} == {1.0}


FAILURES: dict[str, tuple[Script, str, str]] = {
    "401": (claude.fails(401, "authentication_error", "invalid x-api-key"), "model-refused-key", ""),
    "403": (claude.fails(403, "permission_error"), "model-refused-key", ""),
    "404": (claude.fails(404, "not_found_error", "model: claude-one"), "model-rejected", ""),
    "413": (claude.fails(413, "request_too_large"), "model-rejected", ""),
    "no credit": (claude.fails(400, message="Your credit balance is too low"), "model-rejected", ""),
    "429": (claude.fails(429, "rate_limit_error", retry_after=1), "model-busy", ""),
    "500": (claude.fails(500, "api_error"), "model-failed", ""),
    "529": (claude.fails(529, "overloaded_error"), "model-busy", ""),
    "hangs before a word": (any_model.hangs(), "model-timeout", ""),
    "pings and says nothing": (claude.pings(), "model-timeout", ""),
    "hangs in the middle": (claude.hangs_after("Once upon"), "model-timeout", "Once upon"),
    "cut in the middle": (claude.cuts_after("Once upon"), "model-cut", "Once upon"),
    "overloaded in the middle": (claude.reports_inside("overloaded_error", "Overloaded", "Once"), "model-cut", "Once"),
    "hangs up": (any_model.hangs_up(), "model-cut", ""),
    "refuses to answer": (claude.says("", stop="refusal"), "model-empty", ""),
    "a web page": (any_model.shows(b"<html>Welcome to nginx</html>"), "model-garbage", ""),
    "garbage in the middle": (claude.breaks_after("Once upon", b"data: {open\n\n"), "model-garbage", "Once upon"),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_is_told_and_retried_and_blocks_nothing(talk: ToClaude, kind: str) -> None:
    script, code, kept = FAILURES[kind]
    talk.server.will(script)
    failed = talk.says(f"Are you there? ({kind})")
    assert failed["trouble"]["code"] == code
    assert failed["trouble"]["do"]
    assert (failed["text"], failed["state"]) == (kept, "partial" if kept else "failed")

    talk.server.will(claude.says("Yes, I am here."))
    retried = talk.retries(failed)
    assert (retried["id"], retried["text"], retried["trouble"]) == (failed["id"], "Yes, I am here.", None)


def test_the_connection_test_lists_the_models_and_asks_for_a_sentence(talk: ToClaude) -> None:
    tried = {"kind": "anthropic", "base_url": talk.server.base_url, "api_key": "k-1"}
    listed = talk.daemon.call("POST", "/api/v1/settings/llm/test", tried)
    assert listed["models"] == ["claude-one", "claude-two"]

    talk.server.will(claude.says("Good evening, I am here."))
    answered = talk.daemon.call("POST", "/api/v1/settings/llm/test", {**tried, "model": "claude-two"})
    assert (answered["model"], answered["context_tokens"]) == ("claude-two", CONTEXT_TOKENS)
