"""The daemon on PostgreSQL as an owner runs it: everything is kept there, and nothing beside it."""

import time
from pathlib import Path
from typing import Any

import pytest

from echovessel.testing import model_scripts as model
from echovessel.testing.model_server import ModelServer
from tests.support.daemon import Daemon, running

pytestmark = pytest.mark.postgres


def say(daemon: Daemon, persona: str, text: str) -> Any:
    """Say something; returns the persona's message once the turn is over."""
    turn_id = daemon.call("POST", f"/api/v1/personas/{persona}/messages", {"text": text})["turn_id"]
    return ended(daemon, persona, turn_id)


def ended(daemon: Daemon, persona: str, turn_id: str) -> Any:
    """The persona's newest message, once this turn is over."""
    until = time.monotonic() + 30
    while (state := daemon.call("GET", f"/api/v1/turns/{turn_id}")["state"]) in ("open", "running"):
        assert time.monotonic() < until, f"the turn is still {state}"
        time.sleep(0.05)
    return [m for m in daemon.timeline(persona) if m["speaker"] == "persona"][-1]


def found(daemon: Daemon, persona: str, query: str) -> list[str]:
    """What recall brings up, once every text has its vector."""
    until = time.monotonic() + 60
    while daemon.call("GET", "/api/v1/status")["embedder"]["waiting"]:
        assert time.monotonic() < until
        time.sleep(0.1)
    items = daemon.call("POST", f"/api/v1/personas/{persona}/recall", {"query": query, "k": 5})["items"]
    return [item["message"]["text"] for item in items]


def test_a_talk_lives_on_postgres_alone(postgres_url: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    settings: dict[str, object] = {"database.url": postgres_url, "turn.debounce_s": 0, "llm.retries": 0}
    fact = "我把备用钥匙藏在蓝色花盆底下了"
    for daemon in running(home, **settings):
        persona = daemon.call("POST", "/api/v1/personas", {"name": "小满", "locale": "zh", "greetings": ["来啦。"]})[
            "id"
        ]
        daemon.call("POST", f"/api/v1/personas/{persona}/greetings")
        assert say(daemon, persona, fact)["made_by"] == "keeper@1"
        assert fact in found(daemon, persona, "钥匙在哪里？")
        assert "蓝色花盆" in say(daemon, persona, "备用钥匙藏在哪里了？")["text"]
        told = daemon.timeline(persona)
        daemon.stop()

        with ModelServer() as server:
            daemon.settings |= {"llm.base_url": server.base_url, "llm.model": "scripted"}
            daemon.start()
            assert daemon.timeline(persona) == told
            assert fact in found(daemon, persona, "钥匙在哪里？")

            server.will(model.says("在蓝色花盆底下。"))
            reply = say(daemon, persona, "钥匙呢？")
            assert (reply["text"], reply["state"]) == ("在蓝色花盆底下。", "complete")
            server.will(model.says("花盆底下呀。"))
            again = daemon.call("POST", f"/api/v1/messages/{reply['id']}/regenerate")
            assert ended(daemon, persona, again["turn_id"])["text"] == "花盆底下呀。"
            assert daemon.call("GET", "/api/v1/usage")["calls"] == 2

            deleted = next(m for m in daemon.timeline(persona) if m["text"] == fact)
            daemon.call("DELETE", f"/api/v1/messages/{deleted['id']}")
            assert fact not in found(daemon, persona, "钥匙在哪里？")
            assert not any(fact in m["text"] for m in daemon.timeline(persona))

        daemon.kill()
        daemon.start()
        assert daemon.call("GET", f"/api/v1/messages/{deleted['id']}")["text"] == ""
        assert daemon.stop() == 0
        assert "Traceback" not in daemon.log()
    assert not list(home.glob("memory.db*"))
