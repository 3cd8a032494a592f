"""Many people's day at once: they talk, interrupt, take back, read on, look back, import, and lose their connection.

Each talker keeps its timeline at the same length: what is new takes the place of the oldest, which is deleted. So the amount of
data, and with it the index, is the same all the time, and memory that grows nevertheless is lost memory.
"""

import json
import random  # noqa: TID251 - seeded: the same day in every run
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
from bench.soak.house import House, decoded

from echovessel.testing import model_scripts
from echovessel.testing.served import Exchange, Script

KEPT = 400
"""Messages a timeline is cut back to."""
CUT_EVERY = 20
"""Exchanges between two cuts."""
IMPORTED = 40
REPLY_S = 60.0

LINES = {
    "zh": "今天下班路上下雨了 忘了带伞 妈妈打来电话 问我周末回不回家 同事说审批又要改流程 芝麻最近老是半夜叫"
    " 我想学做红烧肉 明天要考试有点紧张 面包店关门了 晚上去爬山 医生说要早点睡 电影不错",
    "en": "it rained on my way home and I forgot the umbrella. my mother called about the weekend. the exam is tomorrow and I"
    " am nervous. the cat keeps me awake. I want to learn to cook soup. the bakery closed. the doctor says to sleep more",
}


@dataclass
class Day:
    """What the talkers share. While `paused` they are silent. `wrong`: answers that should not have been given, each once;
    `live`: messages by talker."""

    house: House
    seed: int
    pace_s: float
    over: threading.Event = field(default_factory=threading.Event)
    paused: threading.Event = field(default_factory=threading.Event)
    done: Counter[str] = field(default_factory=Counter[str])
    wrong: Counter[str] = field(default_factory=Counter[str])
    live: dict[str, int] = field(default_factory=dict[str, int])

    def dice(self, name: str) -> random.Random:
        """Dice of one's own."""
        return random.Random(f"{self.seed}{name}")

    def begin(self) -> list[threading.Thread]:
        """Everybody begins; they end soon after `over` is set."""
        people = (("甲", "zh"), ("乙", "zh"), ("Ann", "en"), ("Bo", "en"))
        talkers = [Talker(self, name, locale) for name, locale in people]
        work: list[Callable[[], None]] = [talker.live for talker in talkers]
        work += [lambda number=number: listen(self, f"listener {number}") for number in range(3)]
        work.append(lambda: tend(self, talkers[0].persona))
        threads = [threading.Thread(target=each) for each in work]
        for thread in threads:
            thread.start()
        return threads


class Talker:
    """Someone who talks with one persona."""

    def __init__(self, day: Day, name: str, locale: str) -> None:
        self._day = day
        self._name = name
        self._locale = locale
        self._dice = day.dice(name)
        self._client = day.house.client()
        self._said = 0
        self.persona = self._ask("POST", "/api/v1/personas", {"name": name, "locale": locale})["id"]
        self._path = f"/api/v1/personas/{self.persona}"

    def live(self) -> None:
        """A day of talk, at the day's pace; there is a past already."""
        self._import(KEPT)
        self._cut()
        exchanges = 0
        while not self._day.over.wait(self._dice.expovariate(1 / self._day.pace_s)):
            if self._day.paused.is_set():
                continue
            exchanges += 1
            try:
                self._exchange()
                if exchanges % CUT_EVERY == 0:
                    self._cut()
                    self._import(IMPORTED)
            except httpx2.TransportError as broken:
                self._day.wrong[f"a connection broke: {type(broken).__name__}"] += 1
        self._client.close()

    def _exchange(self) -> None:
        for _ in range(self._dice.choice((0, 0, 1, 2))):
            self._say()
        said = self._say()
        turn = said["turn_id"]
        chance = self._dice.random()
        if chance < 0.05:
            time.sleep(0.5)
            self._ask("POST", f"/api/v1/turns/{turn}/stop")
        self._wait(turn)
        if chance > 0.9:
            self._reword()
        elif chance > 0.8:
            self._ask("PATCH", f"/api/v1/messages/{said['message_id']}", {"text": self._words()})
        elif chance > 0.7:
            self._ask("POST", f"{self._path}/recall", {"query": self._words(), "k": 10})
        elif chance > 0.65:
            self._ask("GET", f"{self._path}/messages?q={self._words()[:6]}")
        self._day.done["exchanges"] += 1

    def _say(self) -> Any:
        self._said += 1
        body = {"text": self._words(), "client_id": f"{self.persona}-{self._said}"}
        return self._ask("POST", f"{self._path}/messages", body)

    def _reword(self) -> None:
        newest = self._ask("GET", f"{self._path}/messages?limit=1")["items"]
        if newest and newest[0]["speaker"] == "persona" and newest[0]["state"] != "deleted":
            turn = self._ask("POST", f"/api/v1/messages/{newest[0]['id']}/regenerate", fine=(409,))
            if turn:
                self._wait(turn["turn_id"])
                self._day.done["rewordings"] += 1

    def _cut(self) -> None:
        ids = self._timeline()
        for message_id in ids[KEPT:]:
            self._ask("DELETE", f"/api/v1/messages/{message_id}", fine=(409,))
            self._day.done["deletions"] += 1
        self._day.live[self._name] = min(len(ids), KEPT)

    def _timeline(self) -> list[str]:
        """Ids, the newest first."""
        ids: list[str] = []
        path: str | None = f"{self._path}/messages?limit=100"
        while path:
            page = self._ask("GET", path)
            ids += [m["id"] for m in page["items"]]
            path = page["next"] and f"{self._path}/messages?limit=100&before={page['next']}"
        return ids

    def _import(self, count: int) -> None:
        """History that is older than everything here: the next cut takes it away."""
        begins = datetime(2021, 1, 1, tzinfo=UTC) + timedelta(hours=self._said)
        turns = [
            {
                "turn_id": f"{self._said}-{number}",
                "speaker": ("user", self._name)[number % 2],
                "at": (begins + timedelta(seconds=number)).isoformat(),
                "text": self._words(),
            }
            for number in range(count)
        ]
        line = json.dumps({"conv_id": f"old-{self._said}", "sessions": [{"turns": turns}]}, ensure_ascii=False)
        answer = self._client.post(
            f"{self._path}/imports", content=line.encode(), headers={"Content-Type": "application/jsonl"}
        )
        self._judge(answer, "import", ())
        self._day.done["imports"] += 1

    def _wait(self, turn: str) -> None:
        until = time.monotonic() + REPLY_S
        while self._ask("GET", f"/api/v1/turns/{turn}")["state"] in {"open", "running"}:
            if time.monotonic() > until:
                self._day.wrong["a turn took longer than a minute"] += 1
                return
            time.sleep(0.1)

    def _words(self) -> str:
        line = LINES[self._locale]
        begins = self._dice.randrange(len(line) - 10)
        return f"{line[begins : begins + self._dice.randrange(8, 120)].strip()} {self._said}"

    def _ask(self, method: str, path: str, body: object = None, *, fine: tuple[int, ...] = ()) -> Any:
        answer = self._client.request(method, path, json=body)
        return self._judge(answer, f"{method} {_pattern(path)}", fine)

    def _judge(self, answer: httpx2.Response, what: str, fine: tuple[int, ...]) -> Any:
        if answer.is_success:
            return decoded(answer)
        if answer.status_code not in fine:
            self._day.wrong[f"{what}: {answer.status_code} {decoded(answer)['code']}"] += 1
        return None


def _pattern(path: str) -> str:
    """The path without ids and query."""
    return "/".join(part for part in path.partition("?")[0].split("/") if len(part) < 26)


def listen(day: Day, name: str) -> None:
    """Follow the events for a while, lose the connection, come back with the last number seen: nothing may come twice."""
    dice, last = day.dice(name), None
    while not day.over.wait(0.1):
        if day.paused.is_set():
            continue
        leaves_at = time.monotonic() + dice.uniform(1, 20)
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        with day.house.client() as client, client.stream("GET", "/api/v1/events", headers=headers) as stream:
            for line in stream.iter_lines():
                if line.startswith("id: "):
                    seen = int(line[4:])
                    if last is not None and seen <= last:
                        day.wrong["an event came twice"] += 1
                    last = seen
                if day.over.is_set() or day.paused.is_set() or time.monotonic() > leaves_at:
                    break
        day.done["connections lost"] += 1


def tend(day: Day, persona: str) -> None:
    """Once a minute: look at the page and its numbers, change settings in both ways, keep one backup."""
    with day.house.client() as client:
        rounds = 0
        while not day.over.wait(60):
            if day.paused.is_set():
                continue
            rounds += 1
            for path in ("/", "/api/v1/personas", "/api/v1/status", "/api/v1/usage", "/api/v1/jobs", "/api/v1/backups"):
                if not client.get(path).is_success:
                    day.wrong[f"GET {path}"] += 1
            client.get(f"/api/v1/personas/{persona}/core-blocks")
            client.patch("/api/v1/settings", json={"prompt": {"token_budget": 4000 + rounds % 2}})
            config = day.house.home / "config.toml"
            config.write_text(config.read_text() + f"# seen {rounds}\n" if rounds % 2 else config.read_text())
            made = client.post("/api/v1/backups")
            if made.is_success:
                client.delete(f"/api/v1/backups/{decoded(made)['id']}")
            day.done["backups"] += made.is_success


def model(seed: int) -> Script:
    """A model that answers in pieces, and now and then fails in one of the ways that models do."""
    dice, lock = random.Random(seed), threading.Lock()

    def answer(exchange: Exchange) -> None:
        with lock:
            chance, length = dice.random(), dice.randrange(5, 60)
        text = LINES["zh" if chance < 0.5 else "en"][:length]
        if chance < 0.03:
            model_scripts.fails(500)(exchange)
        elif chance < 0.05:
            model_scripts.fails(429, retry_after=1)(exchange)
        elif chance < 0.07:
            model_scripts.cuts_after(text)(exchange)
        elif chance < 0.08:
            model_scripts.hangs_after(text)(exchange)
        else:
            model_scripts.says(text, pause=0.02)(exchange)

    return answer
