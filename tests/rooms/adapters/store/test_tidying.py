"""What goes is in the store's contract; here, that it goes bit by bit."""

from echovessel.ports.changes import Tidy
from echovessel.testing.contracts.store_house import StoreHouse


async def test_no_more_than_so_much_at_a_time(house: StoreHouse) -> None:
    for _ in range(3):
        await house.hears()
    before = len(await house.store.changes(house.user_id, 0))
    some = Tidy(traces_before=house.clock.now(), jobs_before=house.clock.now(), changes_kept=0, limit=1)

    assert (await house.do(some)).fresh

    assert len(await house.store.changes(house.user_id, 0)) == before - 1
