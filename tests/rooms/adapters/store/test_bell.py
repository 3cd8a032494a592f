import asyncio
import threading

from echovessel.adapters.store.bell import Bell
from echovessel.core.ids import UserId

ADA, BO = UserId("ada"), UserId("bo")


async def test_a_ring_from_another_thread_wakes_every_waiter_of_that_user() -> None:
    bell = Bell()
    tickets = [bell.take_ticket(ADA), bell.take_ticket(ADA), bell.take_ticket(BO)]

    thread = threading.Thread(target=bell.ring, args=([ADA],))
    thread.start()
    thread.join()
    await asyncio.wait_for(asyncio.gather(*tickets[:2]), 5)

    assert not tickets[2].done()


async def test_a_ring_before_anyone_looks_is_not_missed() -> None:
    bell = Bell()
    ticket = bell.take_ticket(ADA)
    bell.ring([ADA])

    await asyncio.wait_for(ticket, 5)


async def test_a_ticket_given_back_is_not_rung() -> None:
    bell = Bell()
    ticket = bell.take_ticket(ADA)
    bell.give_back(ADA, ticket)
    bell.ring([ADA])
    await asyncio.sleep(0)

    assert not ticket.done()
    assert not bell._waiting


async def test_a_cancelled_ticket_does_no_harm() -> None:
    bell = Bell()
    cancelled, waiting = bell.take_ticket(ADA), bell.take_ticket(ADA)
    cancelled.cancel()
    bell.ring_all()

    await asyncio.wait_for(waiting, 5)


def test_a_ring_for_a_loop_that_has_ended_is_no_error() -> None:
    bell = Bell()

    async def leave_without_a_word() -> None:
        bell.take_ticket(ADA)

    asyncio.run(leave_without_a_word())

    bell.ring([ADA])
