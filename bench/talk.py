"""What a turn costs besides the model and embedding: time, CPU and commits, when much was said before.

Everything but the port is what the daemon runs, on a home of its own. Once the model answers within this process, at once;
once a server on loopback does, so that the client and HTTP are in the figure. Vectors and texts are synthetic.

    python bench/talk.py [--messages 10000] [--turns 100]
"""

import argparse
import asyncio
import gc
import multiprocessing
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from echovessel.adapters.home import Home
from echovessel.core.ids import PersonaId, UserId
from echovessel.core.pair import Pair
from echovessel.ports.front import Incoming
from echovessel.runtime.scale_figures import Scale, percentile
from echovessel.runtime.scale_ours import Ours
from echovessel.runtime.scale_talk import Synthetic, text_of
from echovessel.runtime.wiring import Overrides, Vessel, build, open_settings
from echovessel.testing.model_scripts import says
from echovessel.testing.model_server import ModelServer
from echovessel.testing.scripted_model import ScriptedModel

PAIR = Pair(UserId("0" * 26), PersonaId("0" * 26))
REPLY = "I was just thinking of that evening at the river. 你后来又去过吗？"
WARM_UP = 5
"""Turns before the first that counts: the index is built, what is loaded late is loaded."""


@dataclass(frozen=True, slots=True)
class Turns:
    """Seconds of each turn, from saying it to the end of its answer; milliseconds of CPU and commits a turn, its vectors with
    them."""

    walls: list[float]
    cpu: float
    commits: float


def main() -> None:
    """Store the talk, take turns both ways, print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=100)
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="echovessel-bench-") as folder:
        Ours().fill(Path(folder), Scale(messages=asked.messages))
        within = asyncio.run(take(Path(folder), asked.turns, {}, ScriptedModel()))
        with served() as base_url:
            flags = {"llm.base_url": base_url, "llm.model": "scripted"}
            over_http = asyncio.run(take(Path(folder), asked.turns, flags, None))
    print(f"{asked.turns} turns after {asked.messages:,} messages")
    print("| the model answers | p50, ms | p95, ms | CPU a turn, ms | commits a turn |\n|---|---|---|---|---|")
    for name, turns in (("in the process, at once", within), ("over HTTP on loopback", over_http)):
        p50, p95 = percentile(turns.walls, 0.5), percentile(turns.walls, 0.95)
        print(f"| {name} | {p50:.1f} | {p95:.1f} | {turns.cpu:.1f} | {turns.commits:.2f} |")


async def take(folder: Path, turns: int, flags: Mapping[str, object], model: ScriptedModel | None) -> Turns:
    """Say something and wait for the answer, again and again."""
    home = Home(folder)
    settings = open_settings(home, {"database.url": "", "turn.debounce_s": 0, **flags})
    vessel = await build(home, Overrides(settings=settings, embedder=Synthetic(), models=model))
    try:
        async with vessel.supervisor.running(vessel.loops()):
            for number in range(WARM_UP):
                await take_one(vessel, number, model)
            gc.freeze()  # as the daemon does when it has started
            commits, spent = vessel.deps.meter.commits, process_time()
            walls = [await take_one(vessel, number, model) for number in range(WARM_UP, WARM_UP + turns)]
            cpu = (process_time() - spent) * 1000 / turns
            return Turns(walls, cpu, (vessel.deps.meter.commits - commits) / turns)
    finally:
        await vessel.close()


async def take_one(vessel: Vessel, number: int, model: ScriptedModel | None) -> float:
    """One turn; returns its seconds when its vectors are there too."""
    if model is not None:
        model.will_say(REPLY)
    began = perf_counter()
    incoming = Incoming(
        pair=PAIR, channel="page", conversation="bench", text=text_of(number * 7919 + 11), zone="UTC", client_id=None
    )
    receipt = await vessel.front.hear(incoming)
    async for _ in vessel.front.follow(PAIR.user_id, receipt.turn_id):
        pass
    wall = perf_counter() - began
    turn = await vessel.deps.store.turn(PAIR.user_id, receipt.turn_id)
    if turn is None or turn.trouble is not None:
        message = f"The turn failed: {turn}"
        raise SystemExit(message)
    while await vessel.deps.store.count_unembedded(Synthetic.name):  # noqa: ASYNC110 - another loop makes them
        await asyncio.sleep(0.005)
    return wall


@contextmanager
def served() -> Generator[str]:
    """The base URL of a model server in a process of its own."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    try:
        yield ours.recv()
    finally:
        ours.send("enough")
        server.join()


def serve(pipe: Connection) -> None:
    """Answer until told that it is enough."""
    with ModelServer(idle=says(REPLY)) as server:
        pipe.send(server.base_url)
        pipe.recv()


if __name__ == "__main__":
    main()
