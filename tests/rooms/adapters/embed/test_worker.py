"""One piece at a time, the urgent ones first, and nobody's failure is another's."""

import asyncio
import threading

import pytest

from echovessel.adapters.embed.worker import Worker


async def test_a_live_question_overtakes_what_waits() -> None:
    worker, order, gate = Worker("test"), list[str](), threading.Event()

    def piece(name: str) -> None:
        order.append(name)

    first = asyncio.create_task(worker.run(lambda: gate.wait(10), urgency=1))
    await asyncio.sleep(0.01)
    waiting = [asyncio.create_task(worker.run(lambda n=n: piece(f"batch {n}"), urgency=1)) for n in range(3)]
    await asyncio.sleep(0)
    live = asyncio.create_task(worker.run(lambda: piece("live"), urgency=0))
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(first, live, *waiting)

    assert order == ["live", "batch 0", "batch 1", "batch 2"]


async def test_all_work_is_done_on_one_thread_that_is_not_the_loops() -> None:
    worker = Worker("test")

    threads = await asyncio.gather(*(worker.run(threading.get_ident, urgency=1) for _ in range(5)))

    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()


async def test_a_failure_goes_to_the_one_who_asked_and_the_next_piece_is_done() -> None:
    worker = Worker("test")

    def fail() -> None:
        raise ValueError("no")

    failing = asyncio.create_task(worker.run(fail, urgency=1))
    following = asyncio.create_task(worker.run(lambda: "done", urgency=1))

    with pytest.raises(ValueError, match="no"):
        await failing
    assert await following == "done"


async def test_who_gives_up_waiting_holds_nobody_up() -> None:
    worker, gate, done = Worker("test"), threading.Event(), list[str]()
    first = asyncio.create_task(worker.run(lambda: gate.wait(10), urgency=1))
    await asyncio.sleep(0.01)
    given_up = asyncio.create_task(worker.run(lambda: done.append("given up"), urgency=1))
    last = asyncio.create_task(worker.run(lambda: done.append("last"), urgency=1))
    await asyncio.sleep(0)

    given_up.cancel()
    gate.set()
    await asyncio.gather(first, last)

    assert done == ["last"]


async def test_who_is_called_and_cancelled_in_the_same_moment_passes_the_turn_on() -> None:
    worker, done = Worker("test"), list[str]()
    running = asyncio.create_task(worker.run(lambda: done.append("running"), urgency=1))
    await asyncio.sleep(0)
    called = asyncio.create_task(worker.run(lambda: done.append("called"), urgency=1))
    last = asyncio.create_task(worker.run(lambda: done.append("last"), urgency=1))
    running.add_done_callback(lambda _: called.cancel())

    await asyncio.wait_for(asyncio.gather(running, called, last, return_exceptions=True), 10)

    assert done[0] == "running"
    assert done[-1] == "last"
