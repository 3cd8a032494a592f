"""What `/metrics` answers: counters and gauges in Prometheus' text format.

Names and labels: https://prometheus.io/docs/practices/naming/. No label holds an id, a name or a word of anyone's; the
connections of the settings are named by their owner. The library is loaded by the first scrape, not by the start.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from echovessel.api.doors import Doors
from echovessel.ports.meter import Meter, Times
from echovessel.ports.records import Backlog

if TYPE_CHECKING:
    from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric

PREFIX = "echovessel_"
_THREADS = Path("/proc/self/task")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauges:
    """What is looked up at each scrape."""

    backlog: Backlog
    unembedded: int
    index_pairs: int
    index_bytes: int
    ready: bool


async def look(doors: Doors) -> Gauges:
    """Look everything up that is not counted."""
    size = doors.index.size()
    return Gauges(
        backlog=await doors.store.backlog(),
        unembedded=await doors.store.count_unembedded(doors.embedder.name) if doors.embedder else 0,
        index_pairs=size.pairs,
        index_bytes=size.bytes,
        ready=doors.ready() and doors.store.down is None,
    )


def render(meter: Meter, restarts: Mapping[str, int], gauges: Gauges) -> tuple[bytes, str]:
    """The answer's body and its media type. The library should have been loaded before, elsewhere: that takes 0.1 s."""
    from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
    from prometheus_client.exposition import CONTENT_TYPE_LATEST
    from prometheus_client.registry import Collector

    class Ours(Collector):
        def collect(self) -> Iterable["Metric"]:
            yield from _counted(meter)
            yield from _restarts(restarts)
            yield from _looked_up(gauges)
            yield from _backups(meter)

    registry = CollectorRegistry()
    registry.register(Ours())
    ProcessCollector(namespace=PREFIX.rstrip("_"), registry=registry)
    return generate_latest(registry), CONTENT_TYPE_LATEST


def _counted(meter: Meter) -> Iterator["Metric"]:
    yield _counter("turns", "Turns that ended, by how.", ["state"], {(s,): n for s, n in meter.turns.items()})
    yield _counter("model_calls", "Calls of models, by connection and outcome.", ["profile", "outcome"], meter.calls)
    yield _counter(
        "model_tokens",
        "Tokens of model calls: in (those cached too), cached_in, out.",
        ["kind"],
        {(kind,): count for kind, count in meter.tokens.items()},
    )
    yield _histogram("reply_first_token_seconds", "From the model being asked to its first words.", meter.first_token)
    yield _histogram("reply_seconds", "From the model being asked to the stored reply.", meter.reply)
    yield _histogram("recall_seconds", "Recalling for a prompt, the question's embedding with it.", meter.recall)
    yield _histogram("write_seconds", "Writes, from being asked to being on the disk.", meter.write)
    yield _gauge("feed_listeners", "Streams of events that are open.", meter.listeners)
    yield _counter("commits", "Commits of the database; writes that wait together share one.", [], {(): meter.commits})


def _restarts(restarts: Mapping[str, int]) -> Iterator["Metric"]:
    yield _counter("loop_restarts", "Background loops started again.", ["loop"], {(k,): n for k, n in restarts.items()})


def _looked_up(gauges: Gauges) -> Iterator["Metric"]:
    from prometheus_client.core import GaugeMetricFamily

    for name, told, counts in (
        ("turns_waiting", "Turns that are not over, by state.", gauges.backlog.turns),
        ("jobs_waiting", "Jobs that are not done, by state.", gauges.backlog.jobs),
    ):
        family = GaugeMetricFamily(PREFIX + name, told, labels=["state"])
        for state, count in counts.items():
            family.add_metric([state.value], count)
        yield family
    yield _gauge("texts_without_vector", "Texts that wait for their vector.", gauges.unembedded)
    yield _gauge("index_pairs", "Pairs whose index is in memory.", gauges.index_pairs)
    yield _gauge("index_bytes", "Memory of these indexes, estimated.", gauges.index_bytes)
    yield _gauge("ready", "1 when messages are taken, kept and answered.", gauges.ready)
    yield _gauge("threads", "Threads of the process.", _threads())


def _backups(meter: Meter) -> Iterator["Metric"]:
    if meter.last_backup is not None:
        made_at = meter.last_backup.timestamp()
        yield _gauge("last_backup_timestamp_seconds", "When the newest sound backup was made.", made_at)


def _gauge(name: str, told: str, value: float) -> "Metric":
    from prometheus_client.core import GaugeMetricFamily

    return GaugeMetricFamily(PREFIX + name, told, value=value)


def _counter(name: str, told: str, labels: list[str], counts: Mapping[tuple[str, ...], int]) -> "CounterMetricFamily":
    from prometheus_client.core import CounterMetricFamily

    family = CounterMetricFamily(PREFIX + name, told, labels=labels)
    for values, count in counts.items():
        family.add_metric(values, count)
    return family


def _histogram(name: str, told: str, times: Times) -> "HistogramMetricFamily":
    from prometheus_client.core import HistogramMetricFamily

    bounds = [*(str(bound) for bound in times.bounds), "+Inf"]
    buckets = list(zip(bounds, accumulate(times.counts), strict=True))
    family = HistogramMetricFamily(PREFIX + name, told)
    family.add_metric([], buckets, times.sum)
    return family


def _threads() -> int:
    """All of the process, where the system tells; else those of Python."""
    return len(list(_THREADS.iterdir())) if _THREADS.is_dir() else threading.active_count()
