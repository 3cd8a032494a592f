"""Twenty-four hours of talk in one: is memory flat, and is nothing left behind?

Four people talk with their personas (two in Chinese, two in English) at a pace at which an hour holds as many exchanges as a
long day of talk: one every two minutes and persona, so 2,880 in all. Beside it connections are lost, history is imported and
deleted again, settings change, backups are made, and one call of the model in thirteen fails. How the data stays the same
all the time: see `life`. Run it on a quiet machine: `python -m bench.soak [--minutes 60]`. It ends with 1 when memory or
handles grew, or an answer was wrong.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.soak.house import House, Sample
from bench.soak.life import Day, model

from echovessel.testing.model_server import ModelServer

SEED = 20261130
SIMULATED_HOURS = 24
TALKERS = 4
EXCHANGES_A_SIMULATED_HOUR = 30
FLAT = 0.05
"""How much more memory the daemon may hold at the end than after the warm-up, at rest both times, as a share."""
WARM_UP = 0.25
"""The share of the time after which it must be flat: by then every timeline has its full length."""
AT_REST_S = 75.0
"""Longer than a minute, so that the daemon has given back what it does not use."""
SPARE = 2
"""Handles and threads that may be more at the end: a connection that is just closing."""


def main() -> int:
    """Run the day and say what came of it."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--minutes", type=float, default=60.0, help="how long it takes; the pace stays the same")
    minutes: float = arguments.parse_args().minutes
    print(f"seed {SEED}, {minutes:g} minutes, {minutes / 60 * SIMULATED_HOURS:.1f} simulated hours\n")
    with tempfile.TemporaryDirectory() as folder, ModelServer(idle=model(SEED)) as server:
        settings = {
            "llm.base_url": server.base_url,
            "llm.model": "scripted",
            "llm.idle_timeout_s": 2,
            "turn.debounce_s": 0.2,
            "turn.draft_every_s": 0.5,
            "log.max_bytes": 200_000,
        }
        house = House(Path(folder), settings)
        day = Day(house, SEED, pace_s=3600 / (SIMULATED_HOURS * EXCHANGES_A_SIMULATED_HOUR))
        threads = day.begin()
        watch = Watch(house, day, server)
        early = watch.samples(0, minutes * WARM_UP)
        day.paused.set()
        before = watch.at_rest()
        day.paused.clear()
        samples = watch.samples(minutes * WARM_UP, minutes)
        day.over.set()
        for thread in threads:
            thread.join()
        after = watch.at_rest()
        code = house.stop()
        day.wrong.update(house.failures())
    return _tell(early + samples, before, after, day, code)


class Watch:
    """Looks at the daemon now and then, and prints what it sees as a row."""

    def __init__(self, house: House, day: Day, server: ModelServer) -> None:
        self._house = house
        self._day = day
        self._server = server
        self._began = time.monotonic()
        print(
            "| minute | RSS MB | of it files MB | threads | handles | database MB | index MB | live messages | turns | CPU s |"
        )
        print("|---" * 10 + "|", flush=True)

    def samples(self, begins: float, ends: float) -> list[Sample]:
        """A sample a minute, or twelve in a shorter stretch, from one minute of talk to another."""
        every = min(1.0, (ends - begins) / 12)
        taken: list[Sample] = []
        for _ in range(round((ends - begins) / every)):
            time.sleep(every * 60)
            taken.append(self._sample())
        return taken

    def at_rest(self) -> Sample:
        """A sample after a while in which nobody talked and nothing was left to do."""
        while self._house.sample(0, 0).waiting:
            time.sleep(1)
        time.sleep(AT_REST_S)
        return self._sample()

    def _sample(self) -> Sample:
        self._server.asked.clear()
        taken = self._house.sample((time.monotonic() - self._began) / 60, sum(self._day.live.values()))
        print(_row(taken), flush=True)
        return taken


def _row(s: Sample) -> str:
    return (
        f"| {s.minute:.1f} | {s.rss_mb:.1f} | {s.files_mb:.1f} | {s.threads} | {s.handles} | {s.database_mb:.1f} "
        f"| {s.index_bytes / 1e6:.2f} | {s.live} | {s.turns} | {s.cpu_s:.0f} |"
    )


def _tell(samples: Sequence[Sample], before: Sample, after: Sample, day: Day, code: int) -> int:
    """Judge it: memory, handles and threads at rest, at the end beside after the warm-up; what went wrong."""
    memory = [s.rss_mb for s in samples if s.minute > before.minute]
    grew = after.rss_mb / before.rss_mb - 1
    handles, threads = after.handles - before.handles, after.threads - before.threads
    print(f"\nDone: {', '.join(f'{count} {what}' for what, count in sorted(day.done.items()))}; {after.turns} turns.")
    print(f"At rest: {before.rss_mb:.1f} MB after the warm-up, {after.rss_mb:.1f} MB at the end ({grew:+.1%}),")
    print(f"{after.handles} handles ({handles:+d}), {after.threads} threads ({threads:+d}).")
    print(f"In between, at work: {min(memory):.1f} to {max(memory):.1f} MB, median {statistics.median(memory):.1f}.")
    problems = [f"{count} × {what}" for what, count in day.wrong.items()]
    problems += ["memory was not flat"] if grew > FLAT else []
    problems += ["handles grew"] if handles > SPARE else []
    problems += ["threads grew"] if threads > SPARE else []
    problems += [f"the daemon ended with {code}"] if code else []
    print("\n".join(problems) if problems else "Memory flat, no handle or thread left behind, no wrong answer.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
