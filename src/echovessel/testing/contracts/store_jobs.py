"""The store's promises about jobs: once a key, one worker at a time, tried again, parked at last."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from echovessel.core.errors import FenceLost
from echovessel.ports.changes import ClaimJob, EndJob, Fence, FenceKind, KeepJob, Lease, PullJobs, ReleaseLeases
from echovessel.ports.records import Job, JobState
from echovessel.testing.contracts.store_house import StoreHouse


async def _claim(house: StoreHouse, *kinds: str, seconds: float = 600) -> tuple[Job | None, Fence]:
    lease = Lease(house.ids.token(), seconds)
    job = (await house.do(ClaimJob(kinds=kinds or ("settle",), lease=lease))).job
    return job, Fence(FenceKind.JOB, job.id if job else "", lease.token)


async def _claimed(house: StoreHouse, seconds: float = 600) -> tuple[Job, Fence]:
    await house.do(house.scheduling())
    job, fence = await _claim(house, seconds=seconds)
    assert job is not None
    return job, fence


async def _only(house: StoreHouse) -> Job:
    (job,) = await house.store.jobs()
    return job


class JobsContract:
    """Mixed into `StoreContract`."""

    async def test_a_job_is_done_once(self, house: StoreHouse) -> None:
        change = house.scheduling(payload='{"n": 1}')
        await house.do(change)
        job, fence = await _claim(house)

        assert job is not None
        assert (job.id, job.state, job.attempts, job.payload) == (change.job_id, JobState.LEASED, 1, '{"n": 1}')
        assert (await _claim(house))[0] is None
        await house.do(EndJob(job_id=job.id), fence)
        assert (await _only(house)).state is JobState.DONE
        assert (await _claim(house))[0] is None

    async def test_only_jobs_that_are_due_and_of_the_wanted_kinds_are_taken(self, house: StoreHouse) -> None:
        await house.do(house.scheduling("later", in_s=60))
        await house.do(house.scheduling("other", kind="dream"))

        assert (await _claim(house))[0] is None
        house.clock.advance(60)
        job, _ = await _claim(house)
        assert job is not None
        assert job.key == "later"

    async def test_the_oldest_is_taken_first(self, house: StoreHouse) -> None:
        await house.do(house.scheduling("second", in_s=2))
        await house.do(house.scheduling("first", in_s=1))
        house.clock.advance(5)

        keys = [job.key for job, _ in [await _claim(house), await _claim(house)] if job]

        assert keys == ["first", "second"]

    async def test_scheduling_a_waiting_job_again_only_brings_it_forward(self, house: StoreHouse) -> None:
        first = house.scheduling(in_s=60, payload="first")
        await house.do(first)

        assert not (await house.do(house.scheduling(in_s=90))).fresh
        assert (await _only(house)).due_at == first.due_at
        assert not (await house.do(house.scheduling(in_s=30, payload="second"))).fresh
        job = await _only(house)
        assert (job.id, job.due_at, job.payload) == (first.job_id, first.due_at - timedelta(seconds=30), "first")

    async def test_a_done_job_is_due_again(self, house: StoreHouse) -> None:
        job, fence = await _claimed(house)
        await house.do(EndJob(job_id=job.id), fence)

        assert (await house.do(house.scheduling(payload="new"))).fresh
        again = await _only(house)
        assert (again.id, again.state, again.attempts, again.payload) == (job.id, JobState.DUE, 0, "new")

    async def test_what_is_scheduled_while_it_runs_runs_once_more(self, house: StoreHouse) -> None:
        job, fence = await _claimed(house)
        again = house.scheduling(in_s=30)
        for change in (house.scheduling(in_s=60), again, house.scheduling(in_s=45)):
            await house.do(change)
        assert (await _only(house)).state is JobState.LEASED

        await house.do(EndJob(job_id=job.id), fence)

        waiting = await _only(house)
        assert (waiting.state, waiting.due_at) == (JobState.DUE, again.due_at)

    async def test_a_failed_job_is_tried_again_and_parked_at_last(self, house: StoreHouse) -> None:
        job, fence = await _claimed(house)
        retry_at = house.clock.now() + timedelta(seconds=30)
        await house.do(EndJob(job_id=job.id, error="model-busy", retry_at=retry_at), fence)

        waiting = await _only(house)
        assert (waiting.state, waiting.due_at, waiting.last_error) == (JobState.DUE, retry_at, "model-busy")

        house.clock.advance(30)
        job, fence = await _claim(house)
        assert job is not None
        assert job.attempts == 2
        await house.do(EndJob(job_id=job.id, error="model-garbage"), fence)

        parked = await house.store.jobs(state=JobState.PARKED)
        assert [(found.id, found.last_error) for found in parked] == [(job.id, "model-garbage")]
        assert (await house.store.health()).parked_jobs == 1
        assert (await house.do(house.scheduling())).fresh
        assert await house.store.jobs(state=JobState.PARKED) == []

    async def test_of_many_workers_each_job_has_one(self, house: StoreHouse) -> None:
        for number in range(3):
            await house.do(house.scheduling(str(number)))

        tries = await asyncio.gather(*(_claim(house) for _ in range(8)))

        assert sorted(job.key for job, _ in tries if job) == ["0", "1", "2"]

    async def test_an_abandoned_job_is_taken_over_and_its_old_worker_writes_nothing(self, house: StoreHouse) -> None:
        old, old_fence = await _claimed(house, seconds=0)
        new, new_fence = await _claim(house)

        assert new is not None
        assert (new.id, new.attempts) == (old.id, 2)
        with pytest.raises(FenceLost):
            await house.do(EndJob(job_id=old.id), old_fence)
        await house.do(EndJob(job_id=new.id), new_fence)

    async def test_a_job_is_ended_by_its_worker_only(self, house: StoreHouse) -> None:
        job, fence = await _claimed(house)
        for held in (None, replace(fence, token="guessed"), replace(fence, kind=FenceKind.TURN)):
            with pytest.raises(FenceLost):
                await house.do(EndJob(job_id=job.id), held)

    async def test_after_a_restart_every_job_is_free(self, house: StoreHouse) -> None:
        job, _ = await _claimed(house)
        await house.do(ReleaseLeases())

        taken, _ = await _claim(house)
        assert taken is not None
        assert taken.id == job.id

    async def test_when_the_next_job_is_due(self, house: StoreHouse) -> None:
        change = house.scheduling(in_s=60)
        kinds = (change.kind,)
        assert await house.store.next_job_due(kinds) is None
        await house.do(change)
        assert await house.store.next_job_due(("another",)) is None
        assert await house.store.next_job_due(kinds) == change.due_at

        house.clock.advance(60)
        await _claim(house, seconds=50)
        lease_ends = await house.store.next_job_due(kinds)
        assert lease_ends is not None
        assert 40 < (lease_ends - house.clock.now()).total_seconds() < 52

    async def test_a_job_of_nobody_is_told_to_nobody(self, house: StoreHouse) -> None:
        before = await house.store.head(house.user_id)
        await house.do(replace(house.scheduling(), user_id=None))

        assert await house.store.head(house.user_id) == before

    async def test_a_sign_of_life_renews_the_lease(self, house: StoreHouse) -> None:
        job, fence = await _claimed(house, seconds=1)
        await house.do(KeepJob(job_id=job.id, lease_seconds=600), fence)

        house.clock.advance(2)
        await asyncio.sleep(1.1)  # where the database's clock judges

        assert (await _claim(house))[0] is None
        await house.do(EndJob(job_id=job.id), fence)

    async def test_only_who_holds_the_job_can_keep_it(self, house: StoreHouse) -> None:
        job, fence = await _claimed(house)
        with pytest.raises(FenceLost):
            await house.do(KeepJob(job_id=job.id, lease_seconds=600), replace(fence, token="another"))

    async def test_what_waits_keeps_its_distance_when_the_clock_is_set_back(self, house: StoreHouse) -> None:
        await house.do(house.scheduling("soon", in_s=60))
        house.clock.set(-3600)
        await house.do(PullJobs(seconds=3600))

        assert (await _claim(house))[0] is None
        house.clock.advance(60)
        job, _ = await _claim(house)
        assert job is not None
        assert job.key == "soon"
