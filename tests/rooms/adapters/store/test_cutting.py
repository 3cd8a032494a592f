from collections.abc import Sequence
from dataclasses import replace

import pytest

from echovessel.adapters.store import cutting, search
from echovessel.adapters.store.cutting import LONG, cut, long_texts
from echovessel.adapters.store.search import kept_tokens
from echovessel.ports.changes import AskToStop
from echovessel.testing.contracts.store_house import StoreHouse


async def test_short_texts_are_left_to_the_writer(house: StoreHouse) -> None:
    turn, _ = await house.running()

    assert long_texts([house.hearing("short"), house.saying("too"), house.finishing(turn, None)]) == ()
    assert long_texts([AskToStop(user_id=house.user_id, turn_id=turn.id)]) == ()


async def test_every_change_that_says_something_is_looked_at(house: StoreHouse) -> None:
    turn, _ = await house.running()
    long = "词" * LONG
    changes = [
        house.hearing(long),
        house.saying(long),
        house.importing(long, "x1"),
        house.finishing(turn, long),
    ]

    assert [long_texts([change]) for change in changes] == [[long]] * 4
    assert len(long_texts([replace(house.hearing("x"), text="a" * (LONG // 2 + 1)), house.saying("b" * LONG)])) == 2


def test_the_tokens_are_those_that_would_be_kept() -> None:
    assert cut(["the cat and the cat", "猫"]) == {
        "the cat and the cat": kept_tokens("the cat and the cat"),
        "猫": ["猫"],
    }


async def test_a_long_text_is_not_cut_while_the_writer_holds_the_database(
    house: StoreHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_late: list[str] = []

    def late(said: str) -> Sequence[str]:
        cut_late.append(said)
        return kept_tokens(said)

    monkeypatch.setattr(search, "kept_tokens", late)
    long = "龟背竹 " * LONG

    await house.do(house.hearing(long))
    await house.do(house.hearing("short"))

    assert cut_late == ["short"]
    assert cutting.kept_tokens is not late
    assert await house.texts(q="龟背竹") == [long]
