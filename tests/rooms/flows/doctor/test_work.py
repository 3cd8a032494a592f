"""Jobs and loops."""

from echovessel.core.ids import JobId
from echovessel.flows.deps import Deps
from echovessel.flows.doctor.work import MANY, look_at_jobs, look_at_loops, look_at_restart
from echovessel.ports.changes import ClaimJob, EndJob, Fence, FenceKind, Lease, ScheduleJob
from echovessel.ports.front import Verdict


async def test_a_job_that_was_given_up_is_named_with_its_error(deps: Deps) -> None:
    now = deps.clock.now()
    assert (await look_at_jobs(deps)).verdict is Verdict.OK
    await deps.store.apply([ScheduleJob(job_id=JobId("j"), kind="scrub", key="store", user_id=None, due_at=now)])
    await deps.store.apply([ClaimJob(kinds=("scrub",), lease=Lease("token", 60))])
    await deps.store.apply([EndJob(job_id=JobId("j"), error="DiskFull")], Fence(FenceKind.JOB, "j", "token"))

    check = await look_at_jobs(deps)

    assert check.verdict is Verdict.BROKEN
    assert "scrub: DiskFull" in check.found


def test_settings_that_wait_for_the_next_start_are_named() -> None:
    assert look_at_restart(()).verdict is Verdict.OK

    check = look_at_restart(("server.port", "embedder.name"))

    assert check.verdict is Verdict.NOTE
    assert "server.port, embedder.name" in check.found


def test_a_failure_in_the_background_is_noted_and_many_are_a_fault() -> None:
    assert look_at_loops({}).verdict is Verdict.OK
    assert look_at_loops({"turns": 1}).verdict is Verdict.NOTE

    check = look_at_loops({"jobs": 1, "turns": MANY})

    assert check.verdict is Verdict.BROKEN
    assert f"turns {MANY} times, jobs 1 times" in check.found
    assert "logs/echovessel.log" in check.do
