"""What was deleted here is found in other copies of the database, and leaves them."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from echovessel.adapters.store.forgetting import deleted_in, erase_from, holds
from echovessel.adapters.store.standalone import copy_whole, examine
from echovessel.core.ids import MessageId
from echovessel.ports.changes import DeleteMessage
from echovessel.testing.contracts.store_forgetting import ASIDE, quoting, told
from echovessel.testing.contracts.store_house import StoreHouse

Copy = Callable[[str], Path]


@pytest.fixture
def copied(path: Path) -> Copy:
    """Makes a copy of the house's database as it is now."""

    def copy(name: str) -> Path:
        copy_whole(path, path.with_name(name), Event())
        return path.with_name(name)

    return copy


async def delete(house: StoreHouse, message_id: MessageId | None) -> None:
    assert message_id is not None
    await house.do(DeleteMessage(user_id=house.user_id, message_id=message_id))


async def test_a_copy_made_before_holds_it_and_one_made_after_does_not(
    house: StoreHouse, path: Path, copied: Copy
) -> None:
    await house.do(house.hearing("kept"))
    heard = await house.do(house.hearing("qoxvathu"))
    before = copied("before")
    await delete(house, heard.message_id)
    gone = deleted_in(path)

    assert [one.message_id for one in gone] == [heard.message_id]
    assert (holds(before, gone), holds(copied("after"), gone), holds(before, ())) == (True, False, False)


async def test_it_leaves_a_copy_as_it_left_here(house: StoreHouse, path: Path, copied: Copy) -> None:
    await house.do(house.hearing("kept"))
    heard = await house.do(house.hearing("qoxvathu"))
    copy = copied("copy")
    await delete(house, heard.message_id)

    erase_from(copy, deleted_in(path), house.clock.now())

    assert (examine(copy).messages, holds(copy, deleted_in(path))) == (1, False)
    assert deleted_in(copy, alone=True) == deleted_in(path)


@pytest.mark.parametrize("trouble", [None, ASIDE], ids=["reply", "aside"])
async def test_what_repeats_it_in_a_copy_loses_its_words(house: StoreHouse, path: Path, copied: Copy, trouble) -> None:
    secret = await told(house)
    turn, fence = await house.running("what was it called?")
    await house.do(quoting(house, turn, secret, trouble), fence)
    draft = copied("draft")
    await delete(house, secret.id)

    erase_from(draft, deleted_in(path), house.clock.now())

    copy_whole(draft, path.with_name("copy"), Event())
    assert b"Shelly" not in path.with_name("copy").read_bytes()


async def test_a_draft_of_a_rerolled_reply_is_words_of_it_too(house: StoreHouse, path: Path, copied: Copy) -> None:
    reply = await house.answered("tell me", "well")
    rerolling, fence = await house.rerolling(reply)
    await house.do(house.drafting(rerolling, "yiffronta"), fence)
    copy = copied("copy")
    await house.do(house.finishing(rerolling, "yiffronta it is"), fence)
    await delete(house, reply.id)
    gone = deleted_in(path)
    assert holds(copy, gone)

    erase_from(copy, gone, house.clock.now())

    assert b"yiffronta" not in copy.read_bytes()
