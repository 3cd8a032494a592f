"""What is kept of a refusal; what the endpoints refuse is in the contract of the dialects."""

from collections.abc import AsyncGenerator

import pytest

from echovessel.adapters.llm.dialect import Dialect
from echovessel.adapters.llm.failures import Refusal, refusal
from echovessel.adapters.llm.learning import Learning
from echovessel.adapters.llm.piece import Piece
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.llm import ChatRequest, Role

REQUEST = ChatRequest(
    role=Role.MAIN,
    messages=(ChatMessage(ChatRole.SYSTEM, "You are 小满."), ChatMessage(ChatRole.USER, "在吗？")),
    temperature=0.5,
)
SAID = (Piece(speech="在。", finish="stop"),)
NO_TEMPERATURE = refusal("temperature is not allowed", status=400)
OTHER_SYSTEM = refusal("the operating system does not support this", status=500)

Try = tuple[Piece | Exception, ...]


class _Endpoint:
    def __init__(self, *tries: Try) -> None:
        self.asked: list[Dialect] = []
        self._tries = list(tries)
        self._learning = Learning(Dialect(), frozenset({400, 500}))

    async def answer(self) -> str:
        return "".join([piece.speech async for piece in self._learning.pieces(REQUEST, "luna", self._ask)])

    async def _ask(self, dialect: Dialect) -> AsyncGenerator[Piece, None]:
        self.asked.append(dialect)
        for step in self._tries.pop(0):
            if isinstance(step, Exception):
                raise step
            yield step


async def test_what_helped_is_kept() -> None:
    endpoint = _Endpoint((NO_TEMPERATURE,), SAID, SAID)
    assert [await endpoint.answer(), await endpoint.answer()] == ["在。", "在。"]
    assert [dialect.temperature for dialect in endpoint.asked] == [True, False, False]


async def test_what_did_not_help_is_not_kept() -> None:
    endpoint = _Endpoint((OTHER_SYSTEM,), (OTHER_SYSTEM,), SAID)
    with pytest.raises(Refusal):
        await endpoint.answer()
    assert await endpoint.answer() == "在。"
    assert [dialect.system for dialect in endpoint.asked] == [True, False, True]


@pytest.mark.parametrize(
    "tries", [(refusal("temperature", status=429),), (Piece(speech="I was "), NO_TEMPERATURE)], ids=["status", "began"]
)
async def test_what_no_simpler_request_would_change_is_raised(tries: Try) -> None:
    endpoint = _Endpoint(tries)
    with pytest.raises(Refusal):
        await endpoint.answer()
    assert len(endpoint.asked) == 1
