from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select

from echovessel.adapters.store import tables as t
from echovessel.core.talk import Trouble
from echovessel.testing.contracts.store_forgetting import ASIDE, delete, quoting, told, worded
from echovessel.testing.contracts.store_house import StoreHouse


@pytest.mark.parametrize("trouble", [None, ASIDE], ids=["reply", "aside"])
async def test_a_quote_leaves_the_file_with_what_it_quotes(
    house: StoreHouse, path: Path, trouble: Trouble | None
) -> None:
    secret = await told(house)
    turn, fence = await house.running("what was it called?")
    await worded(house, quoting(house, turn, secret, trouble), fence)

    await house.do(delete(house, secret))
    await house.store.scrub()

    files = b"".join(file.read_bytes() for file in path.parent.glob("memory.db*"))
    assert b"Shelly" not in files
    assert b"shelli" not in files  # as its stem stood in the search index


@pytest.mark.parametrize("which", ["quoted", "quoting"])
async def test_nothing_is_kept_for_a_message_that_is_gone(house: StoreHouse, conn: Connection, which: str) -> None:
    secret = await told(house)
    turn, fence = await house.running("what was it called?")
    quoter, _ = await worded(house, quoting(house, turn, secret, None), fence)

    await house.do(delete(house, secret if which == "quoted" else quoter))

    assert conn.scalar(select(func.count()).select_from(t.quote)) == 0


async def test_of_a_reply_worded_again_only_its_own_trouble_is_changed(house: StoreHouse) -> None:
    secret = await told(house)
    turn, fence = await house.running("what was it called?")
    message, _ = await worded(house, quoting(house, turn, secret, ASIDE), fence)
    other = await house.answered()
    again, fence = await house.rerolling(message)
    later = Trouble(code="model-busy", message="Busy.", do="Wait.", aside="Kept as well.")
    await house.do(quoting(house, again, other, later), fence)

    await house.do(delete(house, secret))

    assert (await house.message(message.id)).trouble == later
