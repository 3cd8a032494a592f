"""2,000 times a reader's line is cut and it comes back: each is told every stored event once, in order, and nothing is left
behind in the daemon."""

import asyncio
import json
import random  # noqa: TID251 - seeded: the same cuts in every run
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from echovessel.testing import model_scripts as model
from echovessel.testing.model_server import ModelServer
from tests.support.daemon import Daemon, running
from tests.support.process import Holding, holding

RECONNECTS = 2_000
READERS = 40
WARM_UP = 2
"""Lines that each reader opens before the daemon's belongings are counted."""
FEW = 4
"""Stored events that a reader takes at most before its line is cut."""
POOLS = 4
"""Threads that a pool may still have started meanwhile, up to its size."""
LONGEST_S = 240
LEFT_OUT = ("vectors.added", "conversation.opened")
"""Rows of the feed that are there for the index alone."""


@dataclass
class Reader:
    """A client that remembers the last stored event, as a browser does."""

    daemon: Daemon
    dice: random.Random
    last: int
    told: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    async def read(self, *, events: int = 0, until: int = 0) -> None:
        """Connect, be told so many stored events or up to the one with the id `until`, and go without a word."""
        async with self._line() as frames:
            taken = 0
            async for fields in frames:
                json.loads(fields["data"])
                if "id" in fields:
                    self.last = int(fields["id"])
                    self.told.append((self.last, fields["event"]))
                    taken += 1
                if (events and taken >= events) or (until and self.last >= until):
                    return

    @asynccontextmanager
    async def _line(self) -> AsyncIterator[AsyncIterator[dict[str, str]]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.daemon.port)
        writer.write(
            f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{self.daemon.port}\r\n"
            f"Authorization: Bearer {self.daemon.token}\r\nLast-Event-ID: {self.last}\r\n\r\n".encode()
        )
        assert (await reader.readline()).split()[1] == b"200"
        await reader.readuntil(b"\r\n\r\n")
        yield _frames(reader)
        if self.dice.random() < 0.5:
            writer.transport.abort()
        else:
            writer.close()


async def _frames(reader: asyncio.StreamReader) -> AsyncIterator[dict[str, str]]:
    """Whole events of a chunked body; what is cut off within one does not count."""
    rest = b""
    while True:
        size = int(await reader.readline(), 16)
        rest += await reader.readexactly(size)
        await reader.readexactly(2)
        *whole, rest = rest.split(b"\n\n")
        for frame in whole:
            if not frame.startswith(b":"):
                yield dict(line.split(": ", 1) for line in frame.decode().split("\n"))


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    with ModelServer(idle=model.says("I am here, go on.", size=3, pause=0.01)) as server:
        settings = {"turn.debounce_s": 0, "embedder.name": "none", "llm.base_url": server.base_url, "llm.model": "m"}
        yield from running(tmp_path / "home", **settings)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_two_thousand_reconnects_miss_nothing_double_nothing_and_leave_nothing(daemon: Daemon) -> None:
    assert daemon.process is not None
    pid = daemon.process.pid
    persona = daemon.call("POST", "/api/v1/personas", {"name": "Ines"})["id"]
    start = stored(daemon)[-1][0]
    readers = [Reader(daemon, random.Random(seed), start) for seed in range(READERS)]
    over = asyncio.Event()
    talking = asyncio.create_task(talk(daemon, persona, over))

    await reconnect(readers, WARM_UP)
    await asyncio.sleep(0.5)
    before = holding(pid)
    await reconnect(readers, RECONNECTS // READERS)
    over.set()
    await talking
    end = await asyncio.to_thread(at_rest, daemon, persona)
    await asyncio.wait_for(asyncio.gather(*(reader.read(until=end) for reader in readers)), LONGEST_S)

    expected = [row for row in stored(daemon) if row[0] > start]
    assert len(expected) > RECONNECTS // READERS
    for reader in readers:
        assert reader.told == expected
    after = await asyncio.to_thread(after_all_left, pid, before.files)
    assert after.files <= before.files
    assert after.threads <= before.threads + POOLS
    assert after.memory_mb - before.memory_mb < 25


async def reconnect(readers: list[Reader], times: int) -> None:
    """Every reader comes and goes so many times, each at its own pace."""

    async def one(reader: Reader) -> None:
        for _ in range(times):
            await reader.read(events=reader.dice.randint(1, FEW))

    await asyncio.wait_for(asyncio.gather(*map(one, readers)), LONGEST_S)


async def talk(daemon: Daemon, persona: str, over: asyncio.Event) -> None:
    """Say one thing after another."""
    number = 0
    while not over.is_set():
        text = {"text": f"This is number {number}."}
        await asyncio.to_thread(daemon.call, "POST", f"/api/v1/personas/{persona}/messages", text)
        number += 1


def at_rest(daemon: Daemon, persona: str) -> int:
    """Wait until everything is answered; returns the id of the last event that is told."""
    until = time.monotonic() + LONGEST_S
    while time.monotonic() < until:
        turns = {message["turn_id"] for message in daemon.timeline(persona)[-10:]}
        states = {daemon.call("GET", f"/api/v1/turns/{turn}")["state"] for turn in turns}
        if not states & {"open", "running"}:
            return stored(daemon)[-1][0]
        time.sleep(0.1)
    raise AssertionError("never at rest")


def after_all_left(pid: int, files: int) -> Holding:
    """What the daemon holds once it has let go of the lines that were cut."""
    until = time.monotonic() + LONGEST_S
    while (now := holding(pid)).files > files and time.monotonic() < until:
        time.sleep(0.05)
    return now


def stored(daemon: Daemon) -> list[tuple[int, str]]:
    """Id and name of all events, as the database itself has them."""
    with closing(sqlite3.connect(f"file:{daemon.home / 'memory.db'}?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT seq, kind FROM change ORDER BY seq").fetchall()
    return [(seq, kind) for seq, kind in rows if kind not in LEFT_OUT]
