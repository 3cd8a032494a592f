import json
from collections.abc import AsyncIterator

import pytest

from echovessel.adapters.llm.piece import CutOff, ErrorInside, NotTheProtocol, Piece
from echovessel.adapters.llm.wire import read_pieces
from echovessel.core.talk import Usage


async def _read(*chunks: bytes) -> list[Piece]:
    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return [piece async for piece in read_pieces(body())]


def _event(delta: object = None, finish: str | None = None, **more: object) -> bytes:
    chunk = {"model": "m", "choices": [{"delta": delta or {}, "finish_reason": finish}], **more}
    return b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def _speech(pieces: list[Piece]) -> str:
    return "".join(piece.speech for piece in pieces)


async def test_one_json_object_is_a_whole_answer() -> None:
    whole = {"model": "m", "choices": [{"message": {"content": "Whole."}, "finish_reason": "stop"}]}
    pieces = await _read(b"\n" + json.dumps(whole).encode())
    assert [(p.speech, p.finish) for p in pieces] == [("Whole.", "stop")]


@pytest.mark.parametrize(
    "delta",
    [
        {"reasoning_content": "hm"},
        {"reasoning": "hm"},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]},
    ],
)
async def test_reasoning_is_thought_and_never_speech(delta: object) -> None:
    pieces = await _read(_event(delta) + DONE)
    assert [(p.thought, p.speech) for p in pieces] == [("hm", "")]


async def test_parts_of_text_are_speech_and_nul_is_dropped() -> None:
    pieces = await _read(_event({"content": [{"type": "text", "text": "a\0b"}]}) + _event({"content": "\0c"}) + DONE)
    assert _speech(pieces) == "abc"


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 2}, Usage(tokens_in=9, tokens_out=2)),
        (
            {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 8}},
            Usage(tokens_in=9, tokens_out=2, cached_in=8),
        ),
        (
            {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 3},
            Usage(tokens_in=9, tokens_out=2, cached_in=3),
        ),
        ({"prompt_tokens": 0, "completion_tokens": 0}, None),
        ({"prompt_tokens": -1, "completion_tokens": 2}, None),
        ({"prompt_tokens": 2**63, "completion_tokens": 2}, None),
        ({"prompt_tokens": 9, "completion_tokens": 10**30}, None),
        ({"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 10**25}}, None),
        ("many", None),
        (None, None),
    ],
)
async def test_usage_is_read_or_counts_as_missing(usage: object, counted: Usage | None) -> None:
    pieces = await _read(_event(finish="stop", usage=usage) + DONE)
    assert pieces[0].usage == counted


@pytest.mark.parametrize(
    "stream", [b"", b"  \n", _event({"content": "I was"}), _event({"content": "I"})[:-9], b": hi\n\n"]
)
async def test_bytes_that_end_too_early_are_a_cut(stream: bytes) -> None:
    with pytest.raises(CutOff):
        await _read(stream)


async def test_a_finish_reason_or_the_end_mark_alone_is_an_end() -> None:
    assert _speech(await _read(_event({"content": "A"}) + _event(finish="stop"))) == "A"
    assert _speech(await _read(_event({"content": "B"}) + DONE)) == "B"


@pytest.mark.parametrize(
    ("stream", "what"),
    [
        (b"data: {broken\n\n", "no answer"),
        (b"data: [1, 2]\n\n", "no answer"),
        (b'data: {"choices": "none"}\n\n', "no answer"),
        (b'data: {"choices": [{"delta": {"content": 5}}]}\n\n', "no answer"),
        (b'data: {"choices": [{"delta": {"content": "\\ud800"}}]}\n\n', "no answer"),
        (b'{"choices": [{"message": ', "no answer"),
    ],
)
async def test_what_is_not_the_protocol_is_called_what_it_is(stream: bytes, what: str) -> None:
    with pytest.raises(NotTheProtocol) as caught:
        await _read(stream)
    assert what in caught.value.what


@pytest.mark.parametrize(
    "stream",
    [
        b'event: error\ndata: {"error": {"message": "out of memory"}}\n\n',
        b'{"error": "out of memory"}',
        b'data: {"object": "error", "message": "out of memory"}\n\n',
    ],
)
async def test_an_error_object_is_handed_up(stream: bytes) -> None:
    with pytest.raises(ErrorInside) as caught:
        await _read(stream)
    assert "out of memory" in str(caught.value.error)
