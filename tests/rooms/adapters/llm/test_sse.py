from collections.abc import AsyncIterator

import pytest

from echovessel.adapters.llm.piece import CutOff, NotTheProtocol
from echovessel.adapters.llm.sse import MAX_LINE_BYTES, MAX_OBJECT_BYTES, Data, read_data


async def _read(*chunks: bytes) -> list[Data]:
    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return [data async for data in read_data(body())]


async def test_bytes_may_be_cut_anywhere_even_inside_a_character() -> None:
    stream = 'event: a\ndata: {"t": "晚上好"}\n\ndata: 🌙\n\n'.encode()
    assert await _read(*(stream[i : i + 1] for i in range(len(stream)))) == [Data('{"t": "晚上好"}'), Data("🌙")]


async def test_comments_other_fields_bom_and_crlf_are_taken_as_the_format_says() -> None:
    stream = b"\xef\xbb\xbf: hello\r\n\r\nevent: message\r\nid: 7\r\nretry: 10\r\ndata:{}\r\n\r\ndata:\r\n\r\n"
    assert await _read(stream) == [Data("{}")]


async def test_one_object_stands_alone() -> None:
    assert await _read(b"\n {", b'"a"', b": 1}") == [Data('{"a": 1}', alone=True)]


async def test_a_line_without_its_end_was_cut_and_is_left_out() -> None:
    assert await _read(b"data: 1\n\ndata: 2") == [Data("1")]


async def test_no_bytes_are_a_cut() -> None:
    with pytest.raises(CutOff):
        await _read(b" ", b"\n")


@pytest.mark.parametrize(
    ("stream", "what"),
    [
        ([b"<!DOCTYPE html><html>"], "web page"),
        ([b"Welcome to my server"], "no answer"),
        ([b"\xff\xfe\x00\x01\x02\x03"], "no answer"),
        ([b"data: \xff\xfe\n\n"], "UTF-8"),
        ([b"data: " + b"x" * (MAX_LINE_BYTES + 1)], "1 MB"),
        ([b"{" + b"x" * (1 << 20)] * (MAX_OBJECT_BYTES >> 20), "8 MB"),
    ],
)
async def test_what_is_no_answer_is_called_what_it_is(stream: list[bytes], what: str) -> None:
    with pytest.raises(NotTheProtocol) as caught:
        await _read(*stream)
    assert what in caught.value.what
