"""What `/metrics` tells, read back by the library's own parser."""

from datetime import UTC, datetime

from prometheus_client.parser import text_string_to_metric_families

from echovessel.api.metrics import Gauges, render
from echovessel.core.talk import TurnState
from echovessel.ports.meter import Meter
from echovessel.ports.records import Backlog, JobState

GAUGES = Gauges(
    backlog=Backlog(turns={TurnState.OPEN: 2, TurnState.RUNNING: 1}, jobs={JobState.PARKED: 3}),
    unembedded=4,
    index_pairs=5,
    index_bytes=6000,
    ready=True,
)


def _samples(meter: Meter, gauges: Gauges = GAUGES, **restarts: int) -> dict[tuple[str, str], float]:
    """Value by name and labels."""
    body, media_type = render(meter, restarts, gauges)
    assert media_type.startswith("text/plain")
    families = text_string_to_metric_families(body.decode())
    return {(s.name, ",".join(s.labels.values())): s.value for family in families for s in family.samples}


def test_counters_are_told_with_their_few_labels() -> None:
    meter = Meter()
    meter.turns["done"] = 7
    meter.calls["night", "model-busy"] = 2
    meter.tokens["cached_in"] = 300
    meter.committed()

    told = _samples(meter, turns=4)

    assert told["echovessel_turns_total", "done"] == 7
    assert told["echovessel_model_calls_total", "model-busy,night"] == 2
    assert told["echovessel_model_tokens_total", "cached_in"] == 300
    assert told["echovessel_commits_total", ""] == 1
    assert told["echovessel_loop_restarts_total", "turns"] == 4


def test_times_are_cumulative_histograms() -> None:
    meter = Meter()
    for seconds in (0.0004, 0.03, 9.0):
        meter.write.took(seconds)

    told = _samples(meter)

    buckets = [told["echovessel_write_seconds_bucket", bound] for bound in ("0.001", "0.05", "5.0", "+Inf")]
    assert buckets == [1, 2, 2, 3]
    assert told["echovessel_write_seconds_count", ""] == 3
    assert round(told["echovessel_write_seconds_sum", ""], 4) == 9.0304


def test_how_things_stand_is_looked_up() -> None:
    meter = Meter()
    assert ("echovessel_last_backup_timestamp_seconds", "") not in _samples(meter)
    meter.last_backup = datetime(2026, 1, 1, tzinfo=UTC)

    told = _samples(meter)

    assert told["echovessel_turns_waiting", "open"] == 2
    assert told["echovessel_jobs_waiting", "parked"] == 3
    assert told["echovessel_texts_without_vector", ""] == 4
    assert (told["echovessel_index_pairs", ""], told["echovessel_index_bytes", ""]) == (5, 6000)
    assert told["echovessel_ready", ""] == 1
    assert told["echovessel_threads", ""] >= 1
    assert told["echovessel_last_backup_timestamp_seconds", ""] == datetime(2026, 1, 1, tzinfo=UTC).timestamp()
