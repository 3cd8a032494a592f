"""Learning what an endpoint takes: a request that is refused for what stands in it is sent again in a simpler way."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Generic, Protocol, Self, TypeVar

from echovessel.adapters.llm.failures import Refusal
from echovessel.adapters.llm.piece import Piece
from echovessel.ports.llm import ChatRequest


class _Dialect(Protocol):
    def after(self, rejection: str, request: ChatRequest) -> Self | None: ...


D = TypeVar("D", bound=_Dialect)


class Learning(Generic[D]):
    """The dialect of each model, by its name. `statuses`: the HTTP statuses under which what stands in a request is refused."""

    def __init__(self, start: D, statuses: frozenset[int]) -> None:
        self._start = start
        self._statuses = statuses
        self._learned: dict[str, D] = {}

    async def pieces(
        self, request: ChatRequest, model: str, ask: Callable[[D], AsyncGenerator[Piece, None]]
    ) -> AsyncGenerator[Piece, None]:
        """The pieces of the answer that `ask` brings in the first dialect that is taken; only that one is kept.

        Raises the last Refusal when nothing could be left out any more, and what else `ask` raises.
        """
        dialect = self._learned.get(model, self._start)
        while True:
            taken = False
            try:
                async with aclosing(ask(dialect)) as pieces:
                    async for piece in pieces:
                        if not taken and (piece.speech or piece.thought or piece.finish):
                            taken, self._learned[model] = True, dialect
                        yield piece
            except Refusal as it:
                simpler = self._simpler(dialect, it, request) if not taken else None
                if simpler is None:
                    raise
                dialect = simpler
            else:
                return

    def _simpler(self, dialect: D, it: Refusal, request: ChatRequest) -> D | None:
        return dialect.after(f"{it.code} {it.words}", request) if it.status in self._statuses else None
