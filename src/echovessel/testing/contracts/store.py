"""What every store promises (`ports.store.Store`), on whichever database.

A subclass gives the fixtures `clock` (a StoppedClock) and `store` (empty). `DURABLE` is what `health` must say: true unless the
database under test was told not to wait for its disk.
"""

from dataclasses import replace
from typing import ClassVar

import pytest

from echovessel.core.errors import NotFound
from echovessel.core.ids import CallId
from echovessel.ports.changes import RecordCall
from echovessel.ports.store import Store
from echovessel.testing.clock import CountedIds, StoppedClock
from echovessel.testing.contracts.store_feed import FeedContract
from echovessel.testing.contracts.store_forgetting import ForgettingContract
from echovessel.testing.contracts.store_house import StoreHouse
from echovessel.testing.contracts.store_jobs import JobsContract
from echovessel.testing.contracts.store_people import PeopleContract
from echovessel.testing.contracts.store_stage import StageContract
from echovessel.testing.contracts.store_talk import TalkContract
from echovessel.testing.contracts.store_tidying import TidyingContract
from echovessel.testing.contracts.store_timeline import TimelineContract
from echovessel.testing.contracts.store_turns import TurnsContract


class StoreContract(
    PeopleContract,
    TalkContract,
    ForgettingContract,
    TimelineContract,
    TurnsContract,
    StageContract,
    JobsContract,
    FeedContract,
    TidyingContract,
):
    """All of it, and what belongs to no subject."""

    DURABLE: ClassVar[bool] = True

    @pytest.fixture
    async def house(self, store: Store, clock: StoppedClock) -> StoreHouse:
        """A store with one user, one persona and one conversation."""
        return await StoreHouse(store, clock, CountedIds(clock)).moved_in()

    async def test_what_is_acknowledged_is_on_the_disk(self, house: StoreHouse) -> None:
        assert (await house.store.health()).durable is self.DURABLE

    async def test_a_request_is_done_whole_or_not_at_all(self, house: StoreHouse) -> None:
        good = house.hearing("half")
        bad = house.hearing("other half", thread=await house.opens(await house.meets("Bo"), house.home.pair.persona_id))
        stranger = replace(bad, pair=house.home.pair)
        head = await house.store.head(house.user_id)

        with pytest.raises(NotFound):
            await house.store.apply([good, stranger])

        assert await house.texts() == []
        assert await house.store.head(house.user_id) == head
        assert await house.store.turn(house.user_id, good.turn_id) is None

    async def test_health_counts(self, house: StoreHouse) -> None:
        await house.hears("one")
        await house.do(house.scheduling())

        health = await house.store.health()

        assert (health.messages, health.parked_jobs) == (1, 0)
        assert health.integrity == "ok"
        assert health.revision

    async def test_scrubbing_takes_nothing_that_is_there(self, house: StoreHouse) -> None:
        await house.hears("龟背竹活了")
        await house.store.scrub()

        assert await house.texts(q="龟背竹") == ["龟背竹活了"]

    async def test_the_ledger_sums_what_came_since(self, house: StoreHouse) -> None:
        call = RecordCall(
            id=CallId(house.ids.ulid()),
            user_id=house.user_id,
            turn_id=None,
            profile="cloud",
            cache_written_in=7,
            role="main",
            model="m",
            prompt="reply@1",
            outcome="ok",
            tokens_in=100,
            tokens_out=20,
            cached_in=40,
            estimated=False,
            cost=0.25,
            seconds=1.5,
            at=house.clock.now(),
        )
        await house.do(call)
        house.clock.advance(60)
        later = house.clock.now()
        await house.do(replace(call, id=CallId(house.ids.ulid()), at=later, cost=0.5))
        assert not (await house.do(call)).fresh

        since_the_start, since_later = await house.store.spent(call.at), await house.store.spent(later)

        assert (since_the_start.calls, since_the_start.tokens_in, since_the_start.tokens_out) == (2, 200, 40)
        assert (since_the_start.cached_in, since_the_start.cache_written_in) == (80, 14)
        assert since_the_start.cost == pytest.approx(0.75)
        assert (since_later.calls, since_later.cost) == (1, 0.5)

    async def test_the_ledger_sums_by_connection_and_model(self, house: StoreHouse) -> None:
        call = RecordCall(
            id=CallId(house.ids.ulid()),
            user_id=house.user_id,
            turn_id=None,
            role="main",
            profile="",
            model="m",
            prompt="reply@1",
            outcome="ok",
            tokens_in=10,
            tokens_out=2,
            cached_in=4,
            cache_written_in=0,
            estimated=False,
            cost=0.25,
            seconds=1,
            at=house.clock.now(),
        )
        for profile, cost in (("", 0.25), ("云", 0.75), ("", 0.25)):
            await house.do(replace(call, id=CallId(house.ids.ulid()), profile=profile, cost=cost))

        spent = await house.store.spent_on(call.at)

        assert [(on.profile, on.model, on.spent.calls, on.spent.cached_in) for on in spent] == [
            ("云", "m", 1, 4),
            ("", "m", 2, 8),
        ]

    async def test_an_empty_ledger_sums_to_nothing(self, house: StoreHouse) -> None:
        spent = await house.store.spent(house.clock.now())

        assert (spent.calls, spent.tokens_in, spent.tokens_out, spent.cost) == (0, 0, 0, 0)
