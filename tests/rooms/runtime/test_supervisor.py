"""A failing loop is started again; a failing piece of work costs nothing but itself."""

import asyncio
import logging

import pytest

from echovessel.core.errors import FenceLost
from echovessel.runtime.supervisor import HEALTHY_AFTER_S, LONGEST_PAUSE_S, Supervisor


class QuickClock:
    """Sleeping takes no time, and is remembered."""

    def __init__(self) -> None:
        self.time = 0.0
        self.slept: list[float] = []

    def now(self) -> None:
        raise NotImplementedError

    def monotonic(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


@pytest.fixture
def clock() -> QuickClock:
    return QuickClock()


@pytest.fixture
def supervisor(clock: QuickClock) -> Supervisor:
    return Supervisor(clock)  # pyright: ignore[reportArgumentType]


async def _fails(failure: Exception) -> None:
    raise failure


async def test_a_failure_is_returned_counted_and_logged_without_its_text(
    supervisor: Supervisor, caplog: pytest.LogCaptureFixture
) -> None:
    failure = ValueError("something a user said")

    assert await supervisor.guard(_fails(failure), "turn") is failure
    assert await supervisor.guard(asyncio.sleep(0), "turn") is None
    assert supervisor.failures == {"turn": 1}
    assert [r.getMessage() for r in caplog.records] == ["turn failed"]


async def test_a_lost_lease_is_not_counted(supervisor: Supervisor, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)

    assert isinstance(await supervisor.guard(_fails(FenceLost("turn 1")), "turn"), FenceLost)
    assert supervisor.failures == {}
    assert caplog.records == []


async def test_a_loop_starts_again_after_growing_pauses(supervisor: Supervisor, clock: QuickClock) -> None:
    runs = 0
    lasted = asyncio.Event()

    async def loop() -> None:
        nonlocal runs
        runs += 1
        if runs == 10:
            clock.time += HEALTHY_AFTER_S
        if runs == 12:
            lasted.set()
            await asyncio.Event().wait()
        raise RuntimeError

    async with supervisor.running({"loop": loop}):
        await lasted.wait()
        assert supervisor.ready

    assert clock.slept == [0.5, 1, 2, 4, 8, 16, 30, 30, 30, 0.5, 1]
    assert max(clock.slept) == LONGEST_PAUSE_S
    assert supervisor.restarts == {"loop": 11}


async def test_it_is_not_ready_while_a_loop_waits_to_start_again(supervisor: Supervisor, clock: QuickClock) -> None:
    paused = asyncio.Event()

    async def sleep(seconds: float) -> None:
        paused.set()
        await asyncio.Event().wait()

    clock.sleep = sleep
    assert not supervisor.ready
    async with supervisor.running({"bad": lambda: _fails(RuntimeError())}):
        await paused.wait()
        assert not supervisor.ready


async def test_what_fails_on_and_on_fills_no_log_and_tells_when_it_works_again(
    supervisor: Supervisor, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    for _ in range(20):
        await supervisor.guard(_fails(OSError()), "look")
    await supervisor.guard(_fails(KeyError()), "look")
    await supervisor.guard(asyncio.sleep(0), "look")

    assert supervisor.failures == {"look": 21}
    assert [r.__dict__["in_a_row"] for r in caplog.records if r.levelno == logging.ERROR] == [1, 2, 4, 8, 16, 1]


async def test_while_something_vital_fails_it_is_not_ready(supervisor: Supervisor) -> None:
    async def goes_on() -> None:
        await asyncio.Event().wait()

    async with supervisor.running({"loop": goes_on}):
        await supervisor.guard(_fails(OSError()), "turn")
        assert supervisor.ready
        await supervisor.guard(_fails(OSError()), "look", vital=True)
        assert not supervisor.ready
        await supervisor.guard(asyncio.sleep(0), "look", vital=True)
        assert supervisor.ready


async def test_leaving_ends_the_loops(supervisor: Supervisor) -> None:
    ended = asyncio.Event()

    async def loop() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with supervisor.running({"loop": loop}):
        await asyncio.sleep(0)
    assert ended.is_set()
    assert not supervisor.ready
