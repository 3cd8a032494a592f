from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from echovessel.adapters.system import SystemClock, SystemIds
from echovessel.core.ids import is_ulid
from echovessel.testing.clock import StoppedClock

THEN = datetime(2019, 7, 1, 12, tzinfo=UTC)


def test_the_clock_is_in_utc_and_goes_on() -> None:
    clock = SystemClock()
    first, tick = clock.now(), clock.monotonic()

    assert first.tzinfo is UTC
    assert clock.now() >= first
    assert clock.monotonic() >= tick


async def test_sleeping_takes_time() -> None:
    clock = SystemClock()
    start = clock.monotonic()

    await clock.sleep(0.01)

    assert clock.monotonic() - start >= 0.009


def test_ids_of_one_millisecond_sort_in_the_order_they_were_made() -> None:
    ids = SystemIds(StoppedClock())
    made = [ids.ulid() for _ in range(1000)]

    assert made == sorted(set(made))
    assert all(is_ulid(made_id) for made_id in made)


def test_ids_carry_the_moment_they_are_given() -> None:
    ids = SystemIds(StoppedClock())
    made = [ids.ulid(THEN + timedelta(seconds=second)) for second in (2, 0, 1, 0)]

    assert sorted(made) == [made[1], made[3], made[2], made[0]]
    assert made[0] < ids.ulid()


def test_moments_that_take_turns_do_not_disturb_each_other() -> None:
    ids = SystemIds(StoppedClock())
    made = [(ids.ulid(), ids.ulid(THEN)) for _ in range(100)]

    for column in zip(*made, strict=True):
        assert list(column) == sorted(column)


def test_threads_never_get_the_same_id() -> None:
    ids = SystemIds(StoppedClock())
    with ThreadPoolExecutor(8) as pool:
        made = [future.result() for future in [pool.submit(ids.ulid) for _ in range(2000)]]

    assert len(set(made)) == 2000


def test_long_memories_of_moments_do_not_grow() -> None:
    ids = SystemIds(StoppedClock())
    for second in range(5000):
        ids.ulid(THEN + timedelta(seconds=second))

    assert len(ids._last) == 4096


def test_tokens_are_long_and_different() -> None:
    ids = SystemIds(StoppedClock())
    tokens = {ids.token() for _ in range(100)}

    assert len(tokens) == 100
    assert all(len(token) >= 22 for token in tokens)
