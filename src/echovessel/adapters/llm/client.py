"""One connected endpoint: implements `ports.llm.LLM`."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cached_property
from itertools import count

from echovessel.adapters.llm import failures
from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.deadlines import Deadlines, in_time
from echovessel.adapters.llm.dialect import Dialect
from echovessel.adapters.llm.failures import Refusal
from echovessel.adapters.llm.line import Line, Listed
from echovessel.adapters.llm.thinking import ThinkFilter
from echovessel.adapters.llm.wire import CutOff, ErrorInside, NotTheProtocol, Piece, read_pieces
from echovessel.core.errors import ModelBusy, ModelCut, ModelDown, ModelTimeout, ModelUnreachable
from echovessel.core.usage import estimate_usage
from echovessel.ports.clock import Clock
from echovessel.ports.llm import ChatRequest, Delta, Finished, Role
from echovessel.ports.settings import ModelSettings

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 10.0
LONGEST_ANSWER = 100_000


class Endpoint:
    """A model endpoint as the settings describe it. One instance serves many requests at once."""

    def __init__(self, *, profile: str, settings: ModelSettings, clock: Clock) -> None:
        self._profile = profile
        self._settings = settings
        self._clock = clock
        self._deadlines = Deadlines.of(settings)
        self._dialects: dict[str, Dialect] = {}
        self._context_known = False
        self._context_tokens: int | None = None

    @cached_property
    def _address(self) -> Address:
        """Read when it is first needed, so that a wrong one fails the request and not the start."""
        return Address.parse(self._settings.base_url)

    @cached_property
    def _line(self) -> Line:
        return Line(
            address=self._address, settings=self._settings, connect_s=self._deadlines.connect_s, clock=self._clock
        )

    @property
    def profile(self) -> str:
        """The name of the connection."""
        return self._profile

    @property
    def settings(self) -> ModelSettings:
        """What it was made with."""
        return self._settings

    async def prepare(self) -> None:
        """Import the SDK, which takes about a second."""
        await self._line.ready()

    async def context_tokens(self) -> int | None:
        """The setting, else what the endpoint's list says of the model that speaks; asked again while nothing answers."""
        if self._settings.context_tokens:
            return self._settings.context_tokens
        if not self._context_known:
            try:
                listed = await self._listed()
            except (ModelUnreachable, ModelTimeout, ModelBusy):
                return None
            except ModelDown:
                listed = ()
            model = self.name(Role.MAIN)
            self._context_tokens = next((one.context_tokens for one in listed if one.id == model), None)
            self._context_known = True
        return self._context_tokens

    def close(self) -> None:
        """Nothing to free: no connection is kept between two requests."""

    def name(self, role: Role) -> str:
        """The model's name for this role."""
        return (self._settings.small_model if role is Role.SMALL else "") or self._settings.model

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Delta | Finished, None]:
        """Stream the answer; tries again, after a pause, what failed before the first piece and may do better."""
        model, address = self.name(request.role), self._address
        if not model:
            raise failures.no_model_named(address)
        await self._line.ready()
        for attempt in count():
            answer = _Answer(request, model)
            try:
                async with aclosing(self._attempt(request, model, answer)) as events:
                    async for event in events:
                        yield event
            except ModelDown as failure:
                pause = _pause(failure, attempt)
                if answer.length or attempt >= self._settings.retries or pause is None:
                    raise
                await asyncio.sleep(pause)
            else:
                return

    async def models(self) -> tuple[str, ...]:
        """The models the endpoint lists. Raises a ModelDown."""
        return tuple(listed.id for listed in await self._listed())

    async def _listed(self) -> tuple[Listed, ...]:
        await self._line.ready()
        try:
            async with asyncio.timeout(self._deadlines.connect_s):
                return await self._line.models()
        except TimeoutError:
            raise failures.silent(self._address, self._deadlines.connect_s) from None
        except Refusal as it:
            raise failures.refused(self._address, "", it) from it
        except NotTheProtocol as it:
            raise failures.garbage(self._address, it.what) from it
        except CutOff as it:
            raise failures.cut(self._address) from it

    async def _attempt(
        self, request: ChatRequest, model: str, answer: "_Answer"
    ) -> AsyncGenerator[Delta | Finished, None]:
        async with aclosing(self._pieces(request, model)) as pieces:
            async for piece in pieces:
                for delta in answer.hear(piece):
                    yield delta
                if answer.length > LONGEST_ANSWER:
                    answer.cut_short = True
                    break
        for delta in answer.end():
            yield delta
        if not answer.spoke:
            raise failures.empty(self._address, answer.finish)
        yield answer.finished()

    async def _pieces(self, request: ChatRequest, model: str) -> AsyncGenerator[Piece, None]:
        """One attempt: everything that goes wrong on the line, as a ModelDown."""
        heard = False
        try:
            async with aclosing(in_time(self._answer(request, model), self._deadlines, self._address)) as pieces:
                async for piece in pieces:
                    heard = heard or bool(piece.speech or piece.thought)
                    yield piece
        except Refusal as it:
            raise failures.refused(self._address, model, it) from it
        except ErrorInside as it:
            told = failures.refusal(it.error)
            if heard:
                raise failures.cut(self._address, told.words) from it
            raise failures.refused(self._address, model, told) from it
        except NotTheProtocol as it:
            raise failures.garbage(self._address, it.what) from it
        except CutOff as it:
            raise failures.cut(self._address) from it

    async def _answer(self, request: ChatRequest, model: str) -> AsyncGenerator[Piece, None]:
        """Ask, leaving out what this model's endpoint turns out not to accept."""
        while True:
            dialect = self._dialects.get(model, Dialect())
            try:
                async with (
                    self._line.ask(model, request.messages, dialect.parameters(request)) as body,
                    aclosing(read_pieces(body)) as pieces,
                ):
                    async for piece in pieces:
                        yield piece
            except Refusal as it:
                simpler = dialect.after(f"{it.code} {it.words}") if it.status in {400, 422} else None
                if simpler is None:
                    raise
                self._dialects[model] = simpler
            else:
                return


class _Answer:
    """One answer as it grows: what was said aloud, and what the ledger wants to know at its end."""

    def __init__(self, request: ChatRequest, model: str) -> None:
        self._request = request
        self._model = model
        self._thinking = ThinkFilter()
        self._usage = None
        self._heard: list[str] = []
        self.length = 0
        self.spoke = False
        self.cut_short = False
        self.finish = ""

    def hear(self, piece: Piece) -> list[Delta]:
        """Take in a piece; what of it is to be said, if anything."""
        self._model = piece.model or self._model
        self._usage = piece.usage or self._usage
        self.finish = piece.finish or self.finish
        self.length += len(piece.speech) + len(piece.thought)
        self._heard += (piece.thought, piece.speech)
        return self._say(self._thinking.feed(piece.speech))

    def end(self) -> list[Delta]:
        """What is left to say at the end."""
        return self._say(self._thinking.finish())

    def _say(self, text: str) -> list[Delta]:
        self.spoke = self.spoke or bool(text)
        return [Delta(text)] if text else []

    def finished(self) -> Finished:
        usage = self._usage or estimate_usage(self._request.messages, "".join(self._heard))
        return Finished(model=self._model, usage=usage, cut_short=self.cut_short or self.finish == "length")


def _pause(failure: ModelDown, attempt: int) -> float | None:
    """Seconds before another try may do better: what the endpoint asked for, else doubling; None: not worth it."""
    passing = isinstance(failure, ModelUnreachable | ModelBusy | ModelCut) or type(failure) is ModelDown
    if not passing:
        return None
    if failure.retry_after is None:
        return FIRST_PAUSE_S * 2**attempt
    return failure.retry_after if failure.retry_after <= LONGEST_PAUSE_S else None
