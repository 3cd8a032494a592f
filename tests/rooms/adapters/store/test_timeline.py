from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from echovessel.adapters.store import timeline
from echovessel.testing.contracts.store_house import StoreHouse


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(1, 5))
async def test_pages_put_together_are_the_timeline(house: StoreHouse, seconds: list[int], size: int) -> None:
    """Messages with equal and unordered times, in pages of any size, both ways."""
    thread = await house.opens(house.user_id, await house.shelves())
    for second in seconds:
        house.clock.advance(second)
        await house.do(house.hearing(str(second), thread=thread))
        house.clock.advance(-second)

    whole = [m.id for m in await house.store.messages(thread.pair, limit=100)]
    back = list(await house.store.messages(thread.pair, limit=size))
    while page := await house.store.messages(thread.pair, before=back[-1].id, limit=size):
        back += page
    forth = [back[-1]]
    while page := await house.store.messages(thread.pair, after=forth[0].id, limit=size):
        forth = [*page, *forth]

    assert len(whole) == len(seconds)
    assert [m.id for m in back] == whole
    assert [m.id for m in forth] == whole
    assert [(m.sent_at, m.id) for m in back] == sorted(((m.sent_at, m.id) for m in back), reverse=True)


async def test_many_messages_are_read_in_batches(house: StoreHouse) -> None:
    changes = [house.hearing(str(number)) for number in range(timeline._BATCH + 10)]
    await house.store.apply(changes)

    found = await house.store.messages_by_id(house.user_id, [change.message_id for change in changes])

    assert [message.text for message in found] == [change.text for change in changes]
    assert found[-1].sent_at - found[0].sent_at == timedelta(0)
