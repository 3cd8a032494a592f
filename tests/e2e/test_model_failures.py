"""Every way a model fails, through the daemon as a user runs it: told plainly, retried on request, and nothing is blocked."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from echovessel.testing import model_scripts as model
from echovessel.testing.model_server import ModelServer, refused_address
from echovessel.testing.served import Script
from tests.support.daemon import free_port, running
from tests.support.talking import Talk


@dataclass(frozen=True)
class Failing(Talk):
    """A talk whose model fails as it is told to."""

    server: ModelServer


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Failing]:
    home = tmp_path_factory.mktemp("failing") / "home"
    with ModelServer() as server:
        settings: dict[str, object] = {
            "turn.debounce_s": 0,
            "llm.base_url": server.base_url,
            "llm.model": "scripted",
            "llm.retries": 0,
            "llm.first_token_timeout_s": 1,
            "llm.idle_timeout_s": 1,
            "embedder.name": "none",
        }
        for daemon in running(home, **settings):
            persona = daemon.call("POST", "/api/v1/personas", {"name": "Wren", "locale": "en"})
            yield Failing(daemon, persona["id"], server)


FAILURES: dict[str, tuple[Script, str, str]] = {
    "401": (model.fails(401), "model-refused-key", ""),
    "403": (model.fails(403), "model-refused-key", ""),
    "404": (model.fails(404, code="model_not_found"), "model-rejected", ""),
    "429": (model.fails(429, retry_after=1), "model-busy", ""),
    "429 without retry-after": (model.fails(429), "model-busy", ""),
    "500": (model.fails(500), "model-failed", ""),
    "503": (model.fails(503), "model-failed", ""),
    "503 with retry-after": (model.fails(503, retry_after=1), "model-busy", ""),
    "hangs before a word": (model.hangs(), "model-timeout", ""),
    "hangs in the middle": (model.hangs_after("Once upon"), "model-timeout", "Once upon"),
    "cut in the middle": (model.cuts_after("Once upon"), "model-cut", "Once upon"),
    "hangs up": (model.hangs_up(), "model-cut", ""),
    "words that no page can show": (
        model.shows(b'{"error": {"message": "bad \\ud83d \\u0000 thing"}}', status=400),
        "model-rejected",
        "",
    ),
    "nested without end": (model.shows(b'{"error":' * 100_000, status=500), "model-failed", ""),
    "empty": (model.says(""), "model-empty", ""),
    "a web page": (model.shows(b"<html>Welcome to nginx</html>"), "model-garbage", ""),
    "garbage in the middle": (
        model.breaks_after("Once upon", b"data: {never closed\n\n"),
        "model-garbage",
        "Once upon",
    ),
    "an error in the stream": (model.reports_inside({"message": "overloaded"}, "Once"), "model-cut", "Once"),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_is_told_and_retried_and_blocks_nothing(talk: Failing, kind: str) -> None:
    script, code, kept = FAILURES[kind]
    talk.server.will(script)
    failed = talk.says(f"Are you there? ({kind})")
    assert failed["speaker"] == "persona"
    assert failed["trouble"]["code"] == code
    assert failed["trouble"]["message"]
    assert failed["trouble"]["do"]
    assert failed["text"] == kept
    assert failed["state"] == ("partial" if kept else "failed")

    talk.server.will(model.says("Yes, I am here."))
    retried = talk.retries(failed)
    assert retried["id"] == failed["id"]
    assert (retried["text"], retried["state"], retried["trouble"]) == ("Yes, I am here.", "complete", None)

    talk.server.will(model.says("Go on."))
    assert talk.says("Good.")["text"] == "Go on."


def test_an_endpoint_that_is_not_there_is_told_and_the_keeper_still_recalls(tmp_path: Path) -> None:
    settings: dict[str, object] = {
        "turn.debounce_s": 0,
        "llm.base_url": f"http://127.0.0.1:{free_port()}/v1",
        "llm.model": "scripted",
        "llm.retries": 0,
        "embedder.name": "none",
    }
    for daemon in running(tmp_path / "home", **settings):
        persona = daemon.call("POST", "/api/v1/personas", {"name": "小满", "locale": "zh"})["id"]
        talk = Talk(daemon, persona)
        talk.says("我把护照放在书房左边的抽屉里了")
        failed = talk.says("护照放在哪个抽屉？")
        assert failed["trouble"]["code"] == "model-unreachable"
        assert "我把护照放在书房左边的抽屉里了" in failed["trouble"]["aside"]
        assert [m["text"] for m in daemon.timeline(persona) if m["speaker"] == "user"] == [
            "我把护照放在书房左边的抽屉里了",
            "护照放在哪个抽屉？",
        ]


def test_a_busy_endpoint_is_asked_again_before_the_first_word(tmp_path: Path) -> None:
    with ModelServer() as server:
        server.will(model.fails(429, retry_after=0.1), model.fails(500), model.says("At last."))
        settings: dict[str, object] = {
            "turn.debounce_s": 0,
            "llm.base_url": server.base_url,
            "llm.model": "scripted",
            "embedder.name": "none",
        }
        for daemon in running(tmp_path / "home", **settings):
            persona = daemon.call("POST", "/api/v1/personas", {"name": "Wren", "locale": "en"})["id"]
            talk = Talk(daemon, persona)
            assert talk.says("Hello?")["text"] == "At last."
            assert len(server.chats) == 3


def test_the_daily_cap_stops_politely(tmp_path: Path) -> None:
    with ModelServer() as server:
        server.will(model.says("The first answer."))
        settings: dict[str, object] = {
            "turn.debounce_s": 0,
            "llm.base_url": server.base_url,
            "llm.model": "scripted",
            "llm.daily_token_cap": 10,
            "embedder.name": "none",
        }
        for daemon in running(tmp_path / "home", **settings):
            persona = daemon.call("POST", "/api/v1/personas", {"name": "Wren", "locale": "en"})["id"]
            talk = Talk(daemon, persona)
            assert talk.says("Hello?")["text"] == "The first answer."
            capped = talk.says("And another?")
            assert capped["trouble"]["code"] == "daily-cap"
            assert len(server.chats) == 1
            assert daemon.call("GET", "/api/v1/usage")["tokens_in"] == 21


def test_another_model_speaks_while_the_first_is_away_and_the_first_again_when_it_is_back(tmp_path: Path) -> None:
    held, nowhere = refused_address()
    with held, ModelServer() as spare, ModelServer() as back:
        spare.will(model.says("I stand in."), model.says("Still me."))
        back.will(model.says("I am back."))
        settings: dict[str, object] = {
            "turn.debounce_s": 0,
            "llm.model": "first",
            "llm.retries": 0,
            "llm.fallback": "spare",
            "profiles.spare.base_url": spare.base_url,
            "profiles.spare.model": "stand-in",
            "embedder.name": "none",
        }
        (tmp_path / "home").mkdir(mode=0o700)
        (tmp_path / "home" / "config.toml").write_text(f'[llm]\nbase_url = "{nowhere}"\n', encoding="utf-8")
        for daemon in running(tmp_path / "home", **settings):
            persona = daemon.call("POST", "/api/v1/personas", {"name": "Wren", "locale": "en"})["id"]
            talk = Talk(daemon, persona)
            first = talk.says("Hello?")
            assert (first["text"], first["made_by"]) == ("I stand in.", "reply@1 stand-in")
            trace = daemon.call("GET", f"/api/v1/turns/{first['turn_id']}/trace")["trace"]
            assert [(t["profile"], t["outcome"]) for t in trace["tried"]] == [
                ("", "model-unreachable"),
                ("spare", "ok"),
            ]
            assert talk.says("And now?")["text"] == "Still me."

            daemon.call("PATCH", "/api/v1/settings", {"llm": {"base_url": back.base_url}})
            assert talk.says("And now?")["made_by"] == "reply@1 first"
            usage = daemon.call("GET", "/api/v1/usage")["by_model"]
            assert {(by["profile"], by["calls"]) for by in usage} >= {("spare", 2)}
