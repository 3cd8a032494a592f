"""`kill -9` at random moments under load: what was acknowledged is there, once, and no announced reply is lost."""

import http.client
import json
import random  # noqa: TID251 - seeded: the same moments in every run
import threading
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from echovessel.testing import model_scripts as model
from echovessel.testing.model_server import ModelServer
from tests.support.daemon import Daemon

T = TypeVar("T")

KILLS = 50
SEED = 20260302
WRITERS = 3
LONGEST_ROUND_S = 3.0
"""Long enough for a fresh daemon to load what speaks to models and to answer."""


FOUND = 5
"""How many messages are asked for when the index is compared with the timeline."""


@dataclass
class Book:
    """What the outside world was told.

    `sent`: client id → text; `acknowledged`: client id → message id; `announced`: message id → text of a reply that was done.
    """

    sent: dict[str, str] = field(default_factory=dict)
    acknowledged: dict[str, str] = field(default_factory=dict)
    announced: dict[str, str] = field(default_factory=dict)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_fifty_kills_lose_and_double_nothing(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    dice = random.Random(SEED)
    book = Book()
    with ModelServer(idle=model.says("我在听，你继续说。", size=3, pause=0.02)) as server:
        daemon = Daemon(
            tmp_path / "home",
            **{"turn.debounce_s": 0.02, "turn.draft_every_s": 0.1, "llm.base_url": server.base_url, "llm.model": "m"},
        )
        daemon.start()
        request.addfinalizer(daemon.end)
        personas = [
            daemon.call("POST", "/api/v1/personas", {"name": f"P{i}", "locale": "zh"})["id"] for i in range(WRITERS)
        ]
        for round_ in range(KILLS):
            load_until_killed(daemon, personas, book, dice, round_)
            daemon.start()
            resend_unacknowledged(daemon, personas, book)
            check(daemon, personas, book)
        daemon.settings["turn.debounce_s"] = 0
        settle(daemon, personas)
        check(daemon, personas, book)
        check_index(daemon, personas)
        daemon.stop()
    assert len(book.acknowledged) > KILLS
    assert len(book.announced) > KILLS / 2, "too few replies ended before a kill to prove anything"


def load_until_killed(daemon: Daemon, personas: list[str], book: Book, dice: random.Random, round_: int) -> None:
    """Writers write and one listener listens, until the daemon is killed in the middle of it."""
    over = threading.Event()
    threads = [threading.Thread(target=listen, args=(daemon, book, over))]
    threads += [
        threading.Thread(target=write, args=(daemon, p, f"{round_}-{i}", book, over)) for i, p in enumerate(personas)
    ]
    for thread in threads:
        thread.start()
    time.sleep(dice.uniform(0.05, LONGEST_ROUND_S))
    daemon.kill()
    over.set()
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()


def write(daemon: Daemon, persona: str, name: str, book: Book, over: threading.Event) -> None:
    """Send message after message, and write down what was acknowledged."""
    n = 0
    while not over.is_set():
        client_id, text = f"{persona}:{name}:{n}", f"今天记下第 r{name.replace('-', 'w')}n{n} 件小事"
        book.sent[client_id] = text
        if (receipt := attempt(lambda c=client_id, t=text: send(daemon, persona, c, t, timeout=5))) is not None:
            book.acknowledged[client_id] = receipt
        n += 1
        over.wait(0.03 if n % 3 else 0.3)


def listen(daemon: Daemon, book: Book, over: threading.Event) -> None:
    """Follow the events, and write down every reply that is announced as done."""
    while not over.is_set():
        attempt(lambda: follow(daemon, book, over))


def follow(daemon: Daemon, book: Book, over: threading.Event) -> None:
    request = urllib.request.Request(f"{daemon.url}/api/v1/events")
    request.add_header("Authorization", f"Bearer {daemon.token}")
    with urllib.request.urlopen(request, timeout=5) as stream:
        event = ""
        for line in stream:
            if over.is_set():
                return
            if line.startswith(b"event: "):
                event = line[7:].strip().decode()
            elif line.startswith(b"data: ") and event == "reply.done":
                message = json.loads(line[6:])["message"]
                book.announced[message["id"]] = message["text"]


def send(daemon: Daemon, persona: str, client_id: str, text: str, timeout: float = 30) -> str:
    path = f"/api/v1/personas/{persona}/messages"
    return daemon.call("POST", path, {"text": text, "client_id": client_id}, timeout=timeout)["message_id"]


def attempt(work: Callable[[], T]) -> T | None:
    """Do it; a connection that breaks because the daemon was killed is no acknowledgement."""
    try:
        return work()
    except (OSError, http.client.HTTPException, json.JSONDecodeError):
        return None


def resend_unacknowledged(daemon: Daemon, personas: list[str], book: Book) -> None:
    """A client that got no answer says the same again under the same id."""
    for client_id in [c for c in book.sent if c not in book.acknowledged]:
        persona = next(p for p in personas if client_id.startswith(p))
        book.acknowledged[client_id] = send(daemon, persona, client_id, book.sent[client_id])


def check(daemon: Daemon, personas: list[str], book: Book) -> None:
    """Everything acknowledged is there once, under its id and in its words; so is every announced reply."""
    timeline = [m for p in personas for m in daemon.timeline(p)]
    said = {m["id"]: m["text"] for m in timeline}
    assert len(said) == len(timeline)
    heard = [m for m in timeline if m["speaker"] == "user"]
    assert sorted(m["client_id"] for m in heard) == sorted(book.acknowledged)
    for client_id, message_id in book.acknowledged.items():
        assert said[message_id] == book.sent[client_id]
    for message_id, text in book.announced.items():
        assert said[message_id] == text


def settle(daemon: Daemon, personas: list[str]) -> None:
    """Wait until every turn is over and every text has its vector."""
    until = time.monotonic() + 240
    while waiting := unsettled(daemon, personas):
        assert time.monotonic() < until, f"never at rest: {waiting}"
        time.sleep(0.2)


def unsettled(daemon: Daemon, personas: list[str]) -> dict[str, int]:
    """What is not at rest, counted; empty when all is."""
    turns = {m["turn_id"] for p in personas for m in daemon.timeline(p)}
    states = [daemon.call("GET", f"/api/v1/turns/{t}")["state"] for t in turns]
    waiting = {
        "open": states.count("open"),
        "running": states.count("running"),
        "without a vector": daemon.call("GET", "/api/v1/status")["embedder"]["waiting"],
    }
    return {what: count for what, count in waiting.items() if count}


def check_index(daemon: Daemon, personas: list[str]) -> None:
    """Index and messages agree: each message is found under its id, through its vector, by its own words; what is found is
    on the timeline. An index that held what is gone would name it, and the answer would come back shorter than asked for."""
    for persona in personas:
        timeline = daemon.timeline(persona)
        heard = [m for m in timeline if m["speaker"] == "user"]
        for message in heard[:: max(1, len(heard) // 20)]:
            query = {"query": message["text"], "k": FOUND}
            items = daemon.call("POST", f"/api/v1/personas/{persona}/recall", query)["items"]
            found = {item["message"]["id"]: item for item in items}
            assert len(found) == len(items) == min(FOUND, len(heard))
            assert found.keys() <= {m["id"] for m in timeline}
            assert found[message["id"]]["factors"]["vector"] > 0
