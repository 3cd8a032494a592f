"""Uploads are put aside whole and read back as lines."""

from collections.abc import AsyncIterator

import pytest

from echovessel.api import upload
from echovessel.api.upload import spooled, text_lines
from echovessel.core.errors import BadInput


async def pieces(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def lines_of(*parts: bytes) -> list[str | BadInput]:
    async with spooled(pieces(*parts)) as file:
        return [line async for line in text_lines(file)]


async def test_lines_are_found_across_pieces_and_whatever_ends_them() -> None:
    text = '{"a":"雨"}\r\n\n  \n{"b":2}\n{"c":3}'.encode()

    for cut in range(len(text)):
        assert await lines_of(text[:cut], text[cut:]) == ['{"a":"雨"}', "", "", '{"b":2}', '{"c":3}']


async def test_nothing_is_no_lines() -> None:
    assert await lines_of() == []


async def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert await lines_of(b"\xef\xbb\xbf{}\n") == ["{}"]


async def test_a_line_that_is_not_utf8_stands_as_a_reason_and_the_rest_as_text() -> None:
    one, blank, bad, last = await lines_of(b"{}\n\n\xff\xfe\n{}\n")

    assert (one, blank, last) == ("{}", "", "{}")
    assert isinstance(bad, BadInput)
    assert "UTF-8" in bad.message


@pytest.mark.parametrize("length", [101, 102, 201, 202, 203, 505])
async def test_a_line_that_is_too_long_stands_as_one_reason(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    monkeypatch.setattr(upload, "LONGEST_LINE", 100)

    assert await lines_of(b"x" * 99 + b"\n") == ["x" * 99]
    first, long, last = await lines_of(b"{}\n", b"x" * length, b"\n{}")
    assert (first, last) == ("{}", "{}")
    assert isinstance(long, BadInput)
    assert "longer" in long.message


async def test_more_than_memory_should_hold_is_read_back_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "IN_MEMORY", 1000)
    monkeypatch.setattr(upload, "LINES_AT_ONCE", 500)
    sent = [f"line {n}" for n in range(1000)]

    assert await lines_of(*[f"{line}\n".encode() for line in sent]) == sent
