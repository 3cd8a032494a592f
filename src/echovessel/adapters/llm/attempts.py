"""Asking until an answer comes, whichever protocol is spoken: tries, deadlines, and what goes wrong as a ModelDown."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from itertools import count
from typing import TypeVar

from echovessel.adapters.llm import failures
from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.answer import Answer
from echovessel.adapters.llm.deadlines import Deadlines, in_time
from echovessel.adapters.llm.failures import Refusal
from echovessel.adapters.llm.piece import CutOff, NotTheProtocol, Piece
from echovessel.adapters.llm.quoting import before_the_quote
from echovessel.adapters.llm.thinking import leaves_out_the_opening
from echovessel.core.errors import ModelBusy, ModelCut, ModelDown, ModelUnreachable
from echovessel.ports.llm import ChatRequest, Delta, Finished, Thought
from echovessel.ports.settings import ModelSettings

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 10.0

T = TypeVar("T")


class Attempts:
    """The tries at one endpoint. `pieces` is one try: it raises what `read_pieces` of a protocol and its line raise."""

    def __init__(self, *, address: Address, settings: ModelSettings) -> None:
        self._address = address
        self._retries = settings.retries
        self._deadlines = Deadlines.of(settings)
        self._think_unopened: set[str] = set()

    async def stream(
        self, request: ChatRequest, model: str, pieces: Callable[[], AsyncGenerator[Piece, None]]
    ) -> AsyncGenerator[Delta | Thought | Finished, None]:
        """Stream the answer; tries again, after a pause, what failed before the first piece and may do better."""
        for attempt in count():
            unopened = model in self._think_unopened or leaves_out_the_opening(model)
            answer = Answer(request, model, unopened=unopened)
            try:
                async with aclosing(self._attempt(answer, model, pieces)) as events:
                    async for event in events:
                        yield event
            except ModelDown as failure:
                pause = _pause(failure, attempt)
                if answer.began or attempt >= self._retries or pause is None:
                    raise
                await asyncio.sleep(pause)
            else:
                if answer.showed_thinking:
                    self._think_unopened.add(model)
                return

    async def listed(self, listing: Awaitable[T]) -> T:
        """What `listing` brings, within the time to connect; raises a ModelDown for all that goes wrong."""
        try:
            async with asyncio.timeout(self._deadlines.connect_s):
                return await listing
        except TimeoutError:
            raise failures.silent(self._address, self._deadlines.connect_s) from None
        except Refusal as it:
            raise failures.refused(self._address, "", it) from it
        except NotTheProtocol as it:
            raise failures.garbage(self._address, it.what) from it
        except CutOff as it:
            raise failures.cut(self._address) from it

    async def _attempt(
        self, answer: Answer, model: str, pieces: Callable[[], AsyncGenerator[Piece, None]]
    ) -> AsyncGenerator[Delta | Thought | Finished, None]:
        async with aclosing(self._heard(pieces, model, answer.prompt)) as heard:
            async for piece in heard:
                for event in answer.hear(piece):
                    yield event
                if answer.too_long:
                    answer.cut_short = True
                    break
        for delta in answer.end():
            yield delta
        yield answer.finished()
        if not answer.spoke:
            raise failures.empty(self._address, answer.finish)

    async def _heard(
        self, pieces: Callable[[], AsyncGenerator[Piece, None]], model: str, prompt: Sequence[str]
    ) -> AsyncGenerator[Piece, None]:
        """One attempt: everything that goes wrong on the line, as a ModelDown that repeats nothing of the prompt."""
        heard = False
        try:
            async with aclosing(in_time(pieces(), self._deadlines, self._address)) as timely:
                async for piece in timely:
                    heard = heard or bool(piece.speech or piece.thought)
                    yield piece
        except Refusal as it:
            if heard:
                raise failures.cut(self._address, before_the_quote(it.words, prompt)) from it
            raise failures.refused(self._address, model, it, prompt) from it
        except NotTheProtocol as it:
            raise failures.garbage(self._address, it.what) from it
        except CutOff as it:
            raise failures.cut(self._address) from it


def _pause(failure: ModelDown, attempt: int) -> float | None:
    """Seconds before another try may do better: what the endpoint asked for, else doubling; None: not worth it."""
    passing = isinstance(failure, ModelUnreachable | ModelBusy | ModelCut) or type(failure) is ModelDown
    if not passing:
        return None
    if failure.retry_after is None:
        return FIRST_PAUSE_S * 2**attempt
    return failure.retry_after if failure.retry_after <= LONGEST_PAUSE_S else None
