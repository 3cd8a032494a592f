"""What both lines share; what each sends is in the tests of its own."""

import pytest
from typing_extensions import override

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.failures import Refusal
from echovessel.adapters.llm.http_line import HttpLine
from echovessel.adapters.llm.piece import CutOff, ErrorInside
from echovessel.testing.clock import StoppedClock
from tests.support.settings import llm_settings


class _Line(HttpLine[object]):
    def __init__(self) -> None:
        address = Address.parse("http://127.0.0.1:9/v1")
        super().__init__(address=address, settings=llm_settings(proxy="http://p:1"), connect_s=2, clock=StoppedClock())
        self.made: list[tuple[str, float, str]] = []

    @override
    def _make_client(self, url: str, connect_s: float, proxy: str) -> object:
        self.made.append((url, connect_s, proxy))
        return object()

    def fail_with(self, error: Exception) -> None:
        import openai

        with self._failing("k-secret", openai.APIStatusError, ConnectionError):
            raise error


async def test_the_client_is_made_once() -> None:
    line = _Line()
    assert await line.ready() is await line.ready()
    assert line.made == [("http://127.0.0.1:9/v1", 2, "http://p:1")]


async def test_an_error_inside_an_answer_is_a_refusal_that_does_not_tell_the_key() -> None:
    with pytest.raises(Refusal) as caught:
        _Line().fail_with(ErrorInside({"message": "Bad key k-secret", "code": "no k-secret"}))
    assert (caught.value.words, caught.value.code) == ("Bad key …", "no …")


async def test_a_connection_that_broke_is_cut_off_and_a_defect_stays_one() -> None:
    with pytest.raises(CutOff):
        _Line().fail_with(ConnectionError())
    with pytest.raises(ZeroDivisionError):
        _Line().fail_with(ZeroDivisionError())
