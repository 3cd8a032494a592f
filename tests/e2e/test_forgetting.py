"""What is deleted is nowhere: no file of the running daemon holds a word of it, whoever worded it and however often."""

import json
import time
from pathlib import Path
from typing import Any

from echovessel.testing import model_scripts as model
from echovessel.testing.model_server import ModelServer
from tests.support.daemon import Daemon, running

# Told, edited, answered, answered again, drafted and stopped, imported, broken off. No word of our own files is like these.
SAID = ("qoxvathu", "鳗笏珏")
EDITED = ("wuzzelkip",)
REPLIES = ("yiffronta", "zobbledan", "vexxomir")
IMPORTED = ("kwulpentz", "螭爻瓞")
WORDS = (*SAID, *EDITED, *REPLIES, *IMPORTED)


def remains(daemon: Daemon) -> dict[str, list[str]]:
    """Which words stand in which files of the home, or in what the daemon printed."""
    files = {path.name: path.read_bytes().lower() for path in daemon.home.rglob("*") if path.is_file()}
    files["printed"] = daemon.log().lower().encode()
    return {name: found for name, held in files.items() if (found := [w for w in WORDS if w.encode() in held])}


def ended(daemon: Daemon, turn_id: str) -> None:
    until = time.monotonic() + 30
    while daemon.call("GET", f"/api/v1/turns/{turn_id}")["state"] in ("open", "running"):
        assert time.monotonic() < until
        time.sleep(0.05)


def last(daemon: Daemon, persona: str) -> Any:
    return [m for m in daemon.timeline(persona) if m["speaker"] == "persona"][-1]


def talk(daemon: Daemon, server: ModelServer, persona: str) -> None:
    """Every way in which words come to be kept."""
    said = f"My secret is {SAID[0]} 和{SAID[1]}"
    server.will(model.says(f"So {REPLIES[0]} it is."))
    receipt = daemon.call("POST", f"/api/v1/personas/{persona}/messages", {"text": said})
    ended(daemon, receipt["turn_id"])
    daemon.call("PATCH", f"/api/v1/messages/{receipt['message_id']}", {"text": f"No, {EDITED[0]}"})

    server.will(model.says(f"Or {REPLIES[1]}, rather."))
    reply = f"/api/v1/messages/{last(daemon, persona)['id']}"
    ended(daemon, daemon.call("POST", f"{reply}/regenerate")["turn_id"])
    server.will(model.says(f"{REPLIES[2]} " * 200, pause=0.02))
    slow = daemon.call("POST", f"{reply}/regenerate")["turn_id"]
    time.sleep(1.5)
    daemon.call("POST", f"/api/v1/turns/{slow}/stop")
    ended(daemon, slow)

    turns = [
        {"turn_id": n, "speaker": "user", "at": "2025-05-01T20:00:00Z", "text": f"I was in {word} once"}
        for n, word in enumerate(IMPORTED)
    ]
    line = json.dumps({"conv_id": "c", "sessions": [{"turns": turns}]}).encode()
    daemon.call("POST", f"/api/v1/personas/{persona}/imports", line)

    server.will(model.cuts_after(f"I broke off at {REPLIES[0]}"), model.fails(500))
    for question in (f"What about {SAID[0]} in {IMPORTED[0]}?", f"And {EDITED[0]}?"):
        asked = daemon.call("POST", f"/api/v1/personas/{persona}/messages", {"text": question})
        ended(daemon, asked["turn_id"])


def test_no_file_of_the_home_holds_a_word_that_was_deleted(tmp_path: Path) -> None:
    with ModelServer() as server:
        settings: dict[str, object] = {
            "llm.base_url": server.base_url,
            "llm.model": "scripted",
            "llm.retries": 0,
            "turn.debounce_s": 0,
            "log.level": "debug",
        }
        for daemon in running(tmp_path / "home", **settings):
            persona = daemon.call("POST", "/api/v1/personas", {"name": "Wren", "locale": "en"})["id"]
            talk(daemon, server, persona)
            found = remains(daemon)
            assert {word for words in found.values() for word in words} == set(WORDS)
            assert {name.partition(".")[0] for name in found} == {"memory"}

            for message in daemon.timeline(persona):
                daemon.call("DELETE", f"/api/v1/messages/{message['id']}")

            until = time.monotonic() + 30
            while (left := remains(daemon)) and time.monotonic() < until:
                time.sleep(0.2)
            assert left == {}
            daemon.stop()
            assert remains(daemon) == {}
