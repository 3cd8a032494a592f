"""An endpoint of the Messages API: implements `ports.llm.LLM`."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cached_property

from typing_extensions import override

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.anthropic.address import address_of, is_anthropic_itself
from echovessel.adapters.llm.anthropic.dialect import Dialect
from echovessel.adapters.llm.anthropic.line import Line
from echovessel.adapters.llm.anthropic.wire import read_pieces
from echovessel.adapters.llm.deadlines import Deadlines
from echovessel.adapters.llm.learning import Learning
from echovessel.adapters.llm.listed import Listed
from echovessel.adapters.llm.piece import Piece
from echovessel.adapters.llm.remote import RemoteModel
from echovessel.ports.clock import Clock
from echovessel.ports.llm import ChatRequest
from echovessel.ports.settings import ModelSettings

_OF_THE_REQUEST = frozenset({400, 422})
"""HTTP statuses under which a request is refused for what stands in it."""


class AnthropicEndpoint(RemoteModel):
    """Claude, or what speaks like it; without an address in the settings, Anthropic itself."""

    def __init__(self, *, profile: str, settings: ModelSettings, clock: Clock) -> None:
        super().__init__(profile=profile, settings=settings)
        self._clock = clock

    @override
    def _parse_address(self) -> Address:
        return address_of(self._settings.base_url)

    @cached_property
    def _line(self) -> Line:
        connect_s = Deadlines.of(self._settings).connect_s
        return Line(address=self._address, settings=self._settings, connect_s=connect_s, clock=self._clock)

    @override
    async def prepare(self) -> None:
        await self._line.ready()

    @override
    async def _list(self) -> tuple[Listed, ...]:
        return await self._line.models()

    @cached_property
    def _learning(self) -> Learning[Dialect]:
        return Learning(Dialect(told=not is_anthropic_itself(self._address)), _OF_THE_REQUEST)

    @override
    def _ask(self, request: ChatRequest, model: str) -> AsyncGenerator[Piece, None]:
        """Ask, leaving out what this model's endpoint turns out not to accept."""
        return self._learning.pieces(request, model, lambda dialect: self._ask_in(dialect, request, model))

    async def _ask_in(self, dialect: Dialect, request: ChatRequest, model: str) -> AsyncGenerator[Piece, None]:
        async with (
            self._line.ask(model, dialect.body(request, self._settings.max_reply_tokens)) as body,
            aclosing(read_pieces(body, tool=dialect.answers_by_tool(request))) as pieces,
        ):
            yield Piece(json_mode=dialect.json_mode(request))
            async for piece in pieces:
                yield piece
