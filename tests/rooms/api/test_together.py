import asyncio

import pytest

from echovessel.api.together import Together
from echovessel.core.errors import PortDown


class Work:
    """Counts how often it is done; it ends when it is let go."""

    def __init__(self) -> None:
        self.done = 0
        self.go = asyncio.Event()

    async def __call__(self) -> bytes:
        self.done += 1
        await self.go.wait()
        return b"%d" % self.done


async def test_those_who_ask_at_the_same_time_share_one_outcome() -> None:
    together, work = Together(), Work()
    asking = [asyncio.create_task(together.do("a", work)) for _ in range(20)]
    await asyncio.sleep(0)
    work.go.set()

    assert await asyncio.gather(*asking) == [b"1"] * 20
    assert await together.do("a", work) == b"2"


async def test_different_questions_are_asked_apart() -> None:
    together, work = Together(), Work()
    work.go.set()

    assert set(await asyncio.gather(together.do("a", work), together.do("b", work))) == {b"1", b"2"}
    assert work.done == 2


async def test_one_who_leaves_takes_nothing_from_the_others() -> None:
    together, work = Together(), Work()
    first, second = (asyncio.create_task(together.do("a", work)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    work.go.set()

    assert await second == b"1"
    assert not together._doing


async def test_a_failure_is_told_to_everyone_and_kept_for_nobody() -> None:
    together = Together()

    async def fail() -> bytes:
        await asyncio.sleep(0)
        raise PortDown("The disk is gone.", do="Plug it in.")

    told = await asyncio.gather(*(together.do("a", fail) for _ in range(3)), return_exceptions=True)
    assert [type(error) for error in told] == [PortDown] * 3

    with pytest.raises(PortDown):
        await together.do("a", fail)
