"""A zip archive that is sent while it is made."""

import io
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime

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
