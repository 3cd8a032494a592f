"""Views and changes of the machine room."""

from datetime import UTC, datetime

from echovessel.api.dto.system import ImportView, JobView, LlmTestView, SpentView
from echovessel.core.ids import JobId
from echovessel.ports.front import ImportReport
from echovessel.ports.llm import ProbeResult
from echovessel.ports.records import Job, JobState, Spent

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_reports_jobs_sums_and_probes() -> None:
    report = ImportReport(added=1, already_there=2, refused=("line 3: no",), first_at=AT, last_at=None)
    job = Job(id=JobId("j"), kind="scrub", key="s", user_id=None, due_at=AT, state=JobState.PARKED, attempts=3)

    assert ImportView.of(report).refused == ["line 3: no"]
    assert (JobView.of(job).state, JobView.of(job).attempts) == ("parked", 3)
    assert SpentView.of(Spent(calls=1, tokens_in=2, tokens_out=3, cost=0.5)).cost == 0.5
    assert LlmTestView.of(ProbeResult(model="m", models=("m", "n"), first_token_s=0.2)).models == ["m", "n"]
