"""What is said now is never told before what was said earlier, whatever the clock was set to; else nothing changes."""

from dataclasses import replace
from datetime import timedelta

from echovessel.testing.clock import StoppedClock
from echovessel.testing.contracts.store_house import StoreHouse


async def test_with_a_clock_that_goes_forward_times_are_as_they_were_given(house: StoreHouse) -> None:
    given = [house.hearing("x") for _ in range(3)]
    for change in given:
        await house.do(change)

    times = [message.sent_at for message in await house.store.messages(house.home.pair)]
    assert times[::-1] == [change.sent_at for change in given]


async def test_with_a_clock_set_back_each_is_a_moment_after_the_last(house: StoreHouse, clock: StoppedClock) -> None:
    await house.hears("x")
    (first,) = await house.store.messages(house.home.pair)
    clock.set(-86400)
    for _ in range(2):
        await house.hears("y")

    times = [message.sent_at - first.sent_at for message in await house.store.messages(house.home.pair)]
    assert times == [timedelta(milliseconds=2), timedelta(milliseconds=1), timedelta(0)]


async def test_an_import_that_lies_ahead_does_not_move_what_is_said_now(house: StoreHouse) -> None:
    ahead = house.importing("from a file whose zone was wrong", "x")
    await house.do(replace(ahead, sent_at=ahead.sent_at + timedelta(hours=8)))
    given = house.hearing("y")
    await house.do(given)

    assert min(message.sent_at for message in await house.store.messages(house.home.pair)) == given.sent_at
