import asyncio

from echovessel.flows.bell import Bell, Bells


async def test_every_listener_is_woken() -> None:
    bell = Bell()
    listeners = [asyncio.create_task(bell.heard(bell.rings)) for _ in range(3)]
    await asyncio.sleep(0)
    bell.ring()
    await asyncio.wait_for(asyncio.gather(*listeners), 1)


async def test_a_ring_between_two_listenings_is_heard() -> None:
    bell = Bell()
    before = bell.rings
    bell.ring()
    await asyncio.wait_for(bell.heard(before), 1)


async def test_an_old_ring_wakes_nobody() -> None:
    bell = Bell()
    bell.ring()
    listening = asyncio.create_task(bell.heard(bell.rings))
    await asyncio.sleep(0.01)
    assert not listening.done()
    listening.cancel()


def test_each_loop_has_its_own_bell_and_all_can_be_rung_at_once() -> None:
    bells = Bells()
    bells.turns.ring()
    bells.ring()

    assert (bells.turns.rings, bells.texts.rings, bells.jobs.rings) == (2, 1, 1)
