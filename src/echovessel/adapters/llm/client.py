"""An OpenAI-compatible endpoint: implements `ports.llm.LLM`."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from functools import cached_property
from typing import ClassVar

from typing_extensions import override

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.deadlines import Deadlines
from echovessel.adapters.llm.dialect import Dialect
from echovessel.adapters.llm.learning import Learning
from echovessel.adapters.llm.line import Line
from echovessel.adapters.llm.listed import Listed
from echovessel.adapters.llm.piece import Piece
from echovessel.adapters.llm.remote import RemoteModel
from echovessel.adapters.llm.window import Window
from echovessel.adapters.llm.wire import read_pieces
from echovessel.core.errors import ModelUnreachable
from echovessel.ports.clock import Clock
from echovessel.ports.llm import ChatRequest, Role
from echovessel.ports.settings import ModelSettings

_OF_THE_REQUEST = frozenset({0, 400, 422, 500, 501})
"""HTTP statuses (0: none) under which a request is refused for what stands in it: llama.cpp says 500 when a chat template does
not take the roles, others send the error as a part of the answer."""


class Endpoint(RemoteModel):
    """A model endpoint as the settings describe it, spoken to in chat completions."""

    SENT_ALWAYS: ClassVar[Mapping[str, object]] = {}
    """Fields of every request, beside those that all endpoints know."""

    def __init__(self, *, profile: str, settings: ModelSettings, clock: Clock) -> None:
        super().__init__(profile=profile, settings=settings)
        self._clock = clock
        self._learning = Learning(Dialect(), _OF_THE_REQUEST)

    @override
    def _parse_address(self) -> Address:
        return Address.parse(self._settings.base_url)

    @cached_property
    def _line(self) -> Line:
        connect_s = Deadlines.of(self._settings).connect_s
        return Line(address=self._address, settings=self._settings, connect_s=connect_s, clock=self._clock)

    @override
    async def prepare(self) -> None:
        await self._line.ready()

    @cached_property
    def _window(self) -> Window:
        return Window(self._address, self.name(Role.MAIN))

    @override
    async def context_tokens(self) -> int | None:
        """The setting, else the window that a server of one's own runs the model with, else what the list says."""
        with suppress(ModelUnreachable):  # an address that is none
            if not self._settings.context_tokens and (told := await self._window.tokens()):
                return told
        return await super().context_tokens()

    @override
    async def _list(self) -> tuple[Listed, ...]:
        return await self._line.models()

    @override
    def _ask(self, request: ChatRequest, model: str) -> AsyncGenerator[Piece, None]:
        """Ask, leaving out what this model's endpoint turns out not to accept."""
        return self._learning.pieces(request, model, lambda dialect: self._ask_in(dialect, request, model))

    async def _ask_in(self, dialect: Dialect, request: ChatRequest, model: str) -> AsyncGenerator[Piece, None]:
        if request.schema is not None:
            yield Piece(json_mode=dialect.json)
        fields = {**self.SENT_ALWAYS, **dialect.parameters(request)}
        async with (
            self._line.ask(model, dialect.messages(request), fields) as body,
            aclosing(read_pieces(body)) as pieces,
        ):
            async for piece in pieces:
                yield piece
