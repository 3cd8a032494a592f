import json
from collections.abc import AsyncIterator

import pytest

from echovessel.adapters.llm.anthropic.wire import read_pieces
from echovessel.adapters.llm.piece import CutOff, ErrorInside, NotTheProtocol, Piece
from echovessel.core.talk import Usage


async def _read(*chunks: bytes, tool: bool = False) -> list[Piece]:
    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return [piece async for piece in read_pieces(body(), tool=tool)]


def _event(kind: str, **fields: object) -> bytes:
    value = json.dumps({"type": kind, **fields}, ensure_ascii=False)
    return f"event: {kind}\ndata: {value}\n\n".encode()


def _start(**usage: object) -> bytes:
    return _event("message_start", message={"model": "claude", "content": [], "usage": usage})


def _delta(**delta: object) -> bytes:
    return _event("content_block_delta", index=0, delta=delta)


def _stop(reason: str | None, **usage: object) -> bytes:
    return _event("message_delta", delta={"stop_reason": reason}, usage=usage)


END = _event("message_stop")


def _speech(pieces: list[Piece]) -> str:
    return "".join(piece.speech for piece in pieces)


async def test_text_is_speech_wherever_the_bytes_are_cut() -> None:
    stream = (
        _start()
        + _delta(type="text_delta", text="晚上好\0")
        + _delta(type="text_delta", text="🌙")
        + _stop("end_turn")
        + END
    )
    pieces = await _read(*(stream[i : i + 1] for i in range(len(stream))))
    assert _speech(pieces) == "晚上好🌙"
    assert pieces[0].model == "claude"
    assert [piece.finish for piece in pieces if piece.finish] == ["stop"]


async def test_the_first_words_may_come_with_the_start_of_their_block() -> None:
    stream = _event("content_block_start", index=0, content_block={"type": "text", "text": "Well, "})
    assert _speech(await _read(stream + _delta(type="text_delta", text="yes.") + END)) == "Well, yes."


@pytest.mark.parametrize(
    "event",
    [
        _delta(type="thinking_delta", thinking="who is it?"),
        _event("content_block_start", index=0, content_block={"type": "redacted_thinking", "data": "c2VjcmV0"}),
        _event("content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""}),
    ],
)
async def test_thinking_is_a_sign_of_life_and_never_speech(event: bytes) -> None:
    pieces = await _read(event + END)
    assert pieces[0].thought
    assert pieces[0].speech == ""


async def test_while_thinking_is_held_back_a_ping_is_a_sign_of_life_and_otherwise_it_is_not() -> None:
    start = _event("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""})
    ping, over = _event("ping"), _event("content_block_stop", index=0)
    pieces = await _read(ping + start + ping + over + ping + END)
    assert [bool(piece.thought) for piece in pieces] == [False, True, True, False, False, False]


@pytest.mark.parametrize(
    "event",
    [
        _delta(type="input_json_delta", partial_json='{"a": 1}'),
        _delta(type="signature_delta", signature="c2ln"),
        _delta(type="citations_delta", citation={"type": "char_location"}),
        _event("content_block_start", index=0, content_block={"type": "tool_use", "id": "t", "name": "n", "input": {}}),
        _event("content_block_start", index=0, content_block={"type": "web_search_tool_result", "content": []}),
        _event("something_new", novelty={"deep": [1, 2]}),
        b": comment\n\n",
    ],
)
async def test_other_blocks_and_unknown_events_are_passed_over(event: bytes) -> None:
    pieces = await _read(_start(input_tokens=3) + event + _stop("end_turn", output_tokens=1) + END)
    assert _speech(pieces) == ""
    assert not any(piece.thought for piece in pieces)


async def test_a_forced_tools_input_is_the_answer_and_text_beside_it_is_not() -> None:
    stream = _delta(type="text_delta", text="Here:") + _delta(type="input_json_delta", partial_json='{"a": 1}')
    assert _speech(await _read(stream + _stop("tool_use") + END, tool=True)) == '{"a": 1}'


async def test_where_a_forced_tool_was_not_used_the_text_is_the_answer() -> None:
    stream = _delta(type="text_delta", text='{"a"') + _delta(type="text_delta", text=": 1}") + _stop("end_turn")
    assert _speech(await _read(stream + END, tool=True)) == '{"a": 1}'


@pytest.mark.parametrize("used", [True, False])
async def test_a_whole_message_may_use_the_tool_or_not(used: bool) -> None:
    text, tool = {"type": "text", "text": '{"a": 2}'}, {"type": "tool_use", "id": "t", "name": "n", "input": {"a": 1}}
    whole = {"type": "message", "content": [text, tool] if used else [text], "stop_reason": "end_turn"}
    assert _speech(await _read(json.dumps(whole).encode(), tool=True)) == ('{"a": 1}' if used else '{"a": 2}')


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("pause_turn", "stop"),
        ("tool_use", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "content_filter"),
        ("something_new", "stop"),
    ],
)
async def test_stop_reasons_are_the_houses_own(reason: str, finish: str) -> None:
    assert (await _read(_stop(reason) + END))[0].finish == finish


@pytest.mark.parametrize(
    ("first", "last", "counted"),
    [
        ({"input_tokens": 9}, {"output_tokens": 2}, Usage(tokens_in=9, tokens_out=2)),
        (
            {"input_tokens": 9, "cache_read_input_tokens": 80, "cache_creation_input_tokens": 10, "output_tokens": 1},
            {"output_tokens": 5},
            Usage(tokens_in=99, tokens_out=5, cached_in=80, cache_written_in=10),
        ),
        (
            {"input_tokens": 1, "output_tokens": 1},
            {"input_tokens": 9, "cache_read_input_tokens": 4, "output_tokens": 5, "server_tool_use": None},
            Usage(tokens_in=13, tokens_out=5, cached_in=4),
        ),
        ({"input_tokens": 0, "output_tokens": 0}, {"output_tokens": 0}, None),
    ],
)
async def test_usage_is_a_running_total_of_the_whole_prompt(
    first: dict[str, object], last: dict[str, object], counted: Usage | None
) -> None:
    pieces = await _read(_start(**first) + _stop("end_turn", **last) + END)
    assert pieces[1].usage == counted


async def test_a_count_of_the_answer_alone_is_missing() -> None:
    pieces = await _read(_stop("max_tokens", output_tokens=4) + END)
    assert pieces[0].usage is None


@pytest.mark.parametrize("usage", [{"input_tokens": -1}, {"input_tokens": 10**30}, {"output_tokens": "many"}])
async def test_a_count_that_is_none_is_missing(usage: dict[str, object]) -> None:
    assert (await _read(_start(**usage) + END))[0].usage is None


async def test_one_message_is_a_whole_answer() -> None:
    content = [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "Whole."}]
    usage = {"input_tokens": 9, "output_tokens": 2}
    whole = {"type": "message", "model": "claude", "content": content, "stop_reason": "max_tokens", "usage": usage}
    assert await _read(json.dumps(whole).encode()) == [
        Piece(speech="Whole.", thought="hm", finish="length", model="claude", usage=Usage(tokens_in=9, tokens_out=2))
    ]


async def test_a_stop_reason_or_an_end_mark_alone_is_an_end() -> None:
    said = _delta(type="text_delta", text="A")
    for end in (_stop("end_turn"), END, b"data: [DONE]\n\n"):
        assert _speech(await _read(said + end)) == "A"


@pytest.mark.parametrize("stream", [b"", _start(input_tokens=1), _delta(type="text_delta", text="I was"), _stop(None)])
async def test_bytes_that_end_too_early_are_a_cut(stream: bytes) -> None:
    with pytest.raises(CutOff):
        await _read(stream)


@pytest.mark.parametrize(
    ("stream", "what"),
    [
        (b"data: {broken\n\n", "no answer"),
        (b"data: [1, 2]\n\n", "no answer"),
        (b'{"hello": 1}', "no answer"),
        (b'{"choices": [], "object": "chat.completion"}', "chat completion"),
        (_delta(type="text_delta", text=5), "no answer"),
        (_event("message_start", message="none"), "no answer"),
        (b'data: {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "\\ud800"}}\n\n', "no answer"),
    ],
)
async def test_what_is_not_the_protocol_is_called_what_it_is(stream: bytes, what: str) -> None:
    with pytest.raises(NotTheProtocol) as caught:
        await _read(stream)
    assert what in caught.value.what


@pytest.mark.parametrize(
    "stream",
    [
        _event("error", error={"type": "overloaded_error", "message": "Overloaded"}),
        b'{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}',
        b'data: {"error": "Overloaded"}\n\n',
    ],
)
async def test_an_error_is_handed_up(stream: bytes) -> None:
    with pytest.raises(ErrorInside) as caught:
        await _read(stream)
    assert "Overloaded" in str(caught.value.error)
