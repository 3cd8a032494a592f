"""A zip archive that is sent while it is made."""

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from echovessel.api.zipped import zipped

AT = datetime(2026, 3, 2, 9, 30, 6, tzinfo=UTC)


async def test_it_is_an_archive_of_every_file_whole() -> None:
    async def files() -> AsyncIterator[tuple[str, bytes]]:
        yield "a.json", b"{}"
        yield "empty", b""
        yield "b.jsonl", b"1\n"
        yield "b.jsonl", b"2\n"

    sent = b"".join([piece async for piece in zipped(files(), AT)])

    with zipfile.ZipFile(io.BytesIO(sent)) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "a.json": b"{}",
            "empty": b"",
            "b.jsonl": b"1\n2\n",
        }
        assert archive.getinfo("a.json").date_time == (2026, 3, 2, 9, 30, 6)


async def test_it_is_sent_before_it_is_whole() -> None:
    asked = 0

    async def files() -> AsyncIterator[tuple[str, bytes]]:
        nonlocal asked
        for n in range(200):
            asked = n
            yield "big", bytes(str(n), "ascii") * 20_000

    async for _ in zipped(files(), AT):
        break

    assert asked < 100


async def test_others_have_their_turn_while_one_large_piece_is_packed() -> None:
    turns = 0

    async def files() -> AsyncIterator[tuple[str, bytes]]:
        yield "card.png", bytes(2_000_000)

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    others = asyncio.create_task(other())
    async for _ in zipped(files(), AT):
        pass
    others.cancel()

    assert turns > 20


@pytest.mark.parametrize(("year", "written"), [(1970, 1980), (2400, 2107)])
async def test_a_clock_that_is_far_off_hinders_nothing(year: int, written: int) -> None:
    async def files() -> AsyncIterator[tuple[str, bytes]]:
        yield "a.json", b"{}"

    sent = b"".join([piece async for piece in zipped(files(), AT.replace(year=year))])

    with zipfile.ZipFile(io.BytesIO(sent)) as archive:
        assert archive.getinfo("a.json").date_time[0] == written
