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
"""How far memory may move after the warm-up, as a share."""
WARM_UP = 0.25
"""The share of the time after which it must be flat: by then every timeline has its full length."""
AT_REST_S = 20.0
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
        samples = list(_samples(house, day, minutes, server))
        day.over.set()
        for thread in threads:
            thread.join()
        time.sleep(AT_REST_S)
        rest = house.sample(minutes, sum(day.live.values()))
        code = house.stop()
        day.wrong.update(house.failures())
    return _tell(samples, rest, day, code)


def _samples(house: House, day: Day, minutes: float, server: ModelServer) -> "Sequence[Sample]":
    """A sample a minute, or twelve in a shorter run; each is printed as it is taken."""
    print(
        "| minute | RSS MB | threads | handles | index MB | live messages | turns | CPU s |\n|---|---|---|---|---|---|---|---|"
    )
    every = min(1.0, minutes / 12)
    began, samples = time.monotonic(), list[Sample]()
    while (time.monotonic() - began) / 60 < minutes:
        time.sleep(every * 60)
        server.asked.clear()
        sample = house.sample((time.monotonic() - began) / 60, sum(day.live.values()))
        samples.append(sample)
        print(_row(sample), flush=True)
    return samples


def _row(s: Sample) -> str:
    return (
        f"| {s.minute:.1f} | {s.rss_mb:.1f} | {s.threads} | {s.handles} | {s.index_bytes / 1e6:.2f} | {s.live} | {s.turns} "
        f"| {s.cpu_s:.0f} |"
    )


def _tell(samples: Sequence[Sample], rest: Sample, day: Day, code: int) -> int:
    steady = samples[int(len(samples) * WARM_UP) :]
    memory = [s.rss_mb for s in steady]
    middle = statistics.median(memory)
    spread = (max(memory) - min(memory)) / middle
    grew = statistics.median(memory[-len(memory) // 4 :]) / statistics.median(memory[: max(1, len(memory) // 4)]) - 1
    handles = rest.handles - min(s.handles for s in steady)
    threads = rest.threads - min(s.threads for s in steady)
    print(f"\nDone: {', '.join(f'{count} {what}' for what, count in sorted(day.done.items()))}; {rest.turns} turns.")
    print(
        f"Memory after the warm-up: {min(memory):.1f} to {max(memory):.1f} MB, a spread of {spread:.1%}; grew {grew:+.1%}."
    )
    print(
        f"At rest: {rest.rss_mb:.1f} MB, {rest.handles} handles ({handles:+d}), {rest.threads} threads ({threads:+d})."
    )
    problems = [f"{count} × {what}" for what, count in day.wrong.items()]
    problems += ["memory was not flat"] if spread > FLAT else []
    problems += ["handles grew"] if handles > SPARE else []
    problems += ["threads grew"] if threads > SPARE else []
    problems += [f"the daemon ended with {code}"] if code else []
    print("\n".join(problems) if problems else "Memory flat, no handle or thread left behind, no wrong answer.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
