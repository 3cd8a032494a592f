"""What is said now is never told before what was said earlier, whatever the clock was set to; else nothing changes."""

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
