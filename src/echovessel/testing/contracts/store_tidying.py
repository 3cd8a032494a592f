"""The store's promises about what goes by itself: old traces, work that is done, old entries of the feeds."""

from datetime import timedelta

import pytest

from echovessel.core.ids import TurnId
from echovessel.ports.changes import ClaimJob, EndJob, Fence, FenceKind, Lease, PutTrace, Tidy
from echovessel.ports.records import JobState
from echovessel.testing.clock import START
from echovessel.testing.contracts.store_house import StoreHouse


def _tidying(
    *, traces: timedelta = timedelta(days=9999), jobs: timedelta = timedelta(days=9999), kept: int = 9999
) -> Tidy:
    return Tidy(traces_before=START - traces, jobs_before=START - jobs, changes_kept=kept)


async def _traced(house: StoreHouse) -> TurnId:
    turn, fence = await house.running()
    await house.do(PutTrace(user_id=house.user_id, turn_id=turn.id, trace="{}"))
    await house.do(house.finishing(turn, "yes"), fence)
    return turn.id


class TidyingContract:
    """Mixed into `StoreContract`."""

    async def test_old_traces_go_and_their_turns_stay(self, house: StoreHouse) -> None:
        old = await _traced(house)
        house.clock.advance(3 * 86400)
        new = await _traced(house)

        assert (await house.do(_tidying(traces=timedelta(days=-1)))).fresh
        assert not (await house.do(_tidying(traces=timedelta(days=-1)))).fresh

        assert await house.store.trace(house.user_id, old) is None
        assert await house.store.trace(house.user_id, new) == "{}"
        assert await house.store.turn(house.user_id, old) is not None

    async def test_only_work_that_is_done_goes(self, house: StoreHouse) -> None:
        for key in ("done", "waits"):
            await house.do(house.scheduling(key))
        lease = Lease(house.ids.token(), 60)
        job = (await house.do(ClaimJob(kinds=("settle",), lease=lease))).job
        assert job is not None
        await house.do(EndJob(job_id=job.id), Fence(FenceKind.JOB, job.id, lease.token))

        assert not (await house.do(_tidying(jobs=timedelta(days=1)))).fresh
        assert (await house.do(_tidying(jobs=timedelta(days=-1)))).fresh
        assert [left.state for left in await house.store.jobs()] == [JobState.DUE]

    @pytest.mark.parametrize("kept", [0, 3])
    async def test_the_newest_entries_of_every_feed_stay(self, house: StoreHouse, kept: int) -> None:
        other = await house.opens(await house.meets("Bo"), house.home.pair.persona_id)
        for _ in range(4):
            await house.hears()
            await house.hears(thread=other)
        head = await house.store.head(house.user_id)

        assert (await house.do(_tidying(kept=kept))).fresh

        assert [row.seq for row in await house.store.changes(house.user_id, 0)] == list(
            range(head - kept + 1, head + 1)
        )
        assert len(await house.store.changes(other.pair.user_id, 0)) == kept
        await house.hears()
        assert await house.store.head(house.user_id) == head + 1
