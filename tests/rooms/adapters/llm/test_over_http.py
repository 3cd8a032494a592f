import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import httpx2
import pytest

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.over_http import bytes_of, json_or_nothing, no_answer, refused_with, seconds_to_wait
from echovessel.adapters.llm.piece import CutOff
from echovessel.core.errors import ModelUnreachable

ADDRESS = Address.parse("http://127.0.0.1:9/v1")
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize("failure", [httpx2.ReadError("gone"), httpx2.DecodingError("gzip"), ssl.SSLError("EOF")])
async def test_bytes_that_stop_coming_are_cut_off(failure: Exception) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        yield b"half"
        raise failure

    got = bytes_of(chunks())
    assert await anext(got) == b"half"
    with pytest.raises(CutOff):
        await anext(got)


def test_an_error_answer_is_a_refusal_without_the_key() -> None:
    told = refused_with(429, '{"error": {"message": "slow down, k-1"}}', "7", now=NOON, key="k-1")
    assert (told.status, told.words, told.retry_after) == (429, "slow down, …", 7)


@pytest.mark.parametrize(
    ("cause", "kind"),
    [(httpx2.ConnectError("refused"), ModelUnreachable), (httpx2.RemoteProtocolError("hung up"), CutOff)],
)
def test_a_connection_that_never_stood_is_told_from_one_that_broke(cause: Exception, kind: type[Exception]) -> None:
    error = RuntimeError("Connection error.")
    error.__cause__ = cause
    assert type(no_answer(ADDRESS, error)) is kind


@pytest.mark.parametrize(("text", "value"), [('{"a": 1}', {"a": 1}), ("<html>", None), ('{"a":' * 100_000, None)])
def test_a_body_that_is_no_json_is_nothing(text: str, value: object) -> None:
    assert json_or_nothing(text) == value


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        ("Mon, 02 Mar 2026 12:00:30 GMT", 30),
        ("Mon, 02 Mar 2026 11:00:00 GMT", 0),
        ("soon", None),
        ("-5", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(header: str | None, seconds: float | None) -> None:
    assert seconds_to_wait(header, NOON) == seconds
