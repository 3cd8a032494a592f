from datetime import timedelta

from sqlalchemy import Connection

from echovessel.adapters.store import jobs
from echovessel.ports.changes import ClaimJob, EndJob, Fence, FenceKind, Lease
from echovessel.ports.records import JobState
from echovessel.testing.contracts.store_house import StoreHouse


async def test_the_end_of_a_lease_is_told_on_our_clock(house: StoreHouse, conn: Connection) -> None:
    """The database's clock is an hour ahead of ours, and the lease has ten seconds left on it."""
    await house.do(house.scheduling())
    await house.do(ClaimJob(kinds=("settle",), lease=Lease("t", 3610)))
    now = house.clock.now()

    assert jobs.next_due(conn, now, now + timedelta(hours=1), kinds=("settle",)) == now + timedelta(seconds=10)


async def test_the_earlier_of_a_lease_and_a_due_job_comes_next(house: StoreHouse, conn: Connection) -> None:
    await house.do(house.scheduling("running"))
    await house.do(ClaimJob(kinds=("settle",), lease=Lease("t", 60)))
    await house.do(house.scheduling("waiting", in_s=30))
    now = house.clock.now()

    assert jobs.next_due(conn, now, now, kinds=("settle",)) == now + timedelta(seconds=30)


async def test_an_error_is_forgotten_once_the_job_is_done(house: StoreHouse, conn: Connection) -> None:
    await house.do(house.scheduling())
    for error, retry in (("model-busy", house.clock.now()), ("", None)):
        job = (await house.do(ClaimJob(kinds=("settle",), lease=Lease("t", 60)))).job
        assert job is not None
        await house.do(EndJob(job_id=job.id, error=error, retry_at=retry), Fence(FenceKind.JOB, job.id, "t"))

    (done,) = jobs.jobs(conn, JobState.DONE, 10)
    assert (done.last_error, done.attempts) == ("", 2)
    assert jobs.count(conn, JobState.DONE) == 1
    assert jobs.owner_of(conn, done.id) == house.user_id
    assert jobs.owner_of(conn, "unknown") is None
