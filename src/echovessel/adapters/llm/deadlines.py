"""How long we wait for a model, in real seconds: what happens on the network never runs on the clock of a story."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.failures import endless, silent, stalled
from echovessel.adapters.llm.piece import Piece
from echovessel.core.errors import ModelTimeout
from echovessel.ports.settings import ModelSettings

LONGEST_CONNECT_S = 10.0
AFTER_FINISH_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines:
    """Seconds to the first token, between two pieces of an answer, and to its end. Thinking aloud counts as a piece."""

    first_s: float
    idle_s: float
    whole_s: float

    @classmethod
    def of(cls, settings: ModelSettings) -> "Deadlines":
        return cls(
            first_s=settings.first_token_timeout_s,
            idle_s=settings.idle_timeout_s,
            whole_s=settings.reply_timeout_s,
        )

    @property
    def connect_s(self) -> float:
        """Seconds in which a connection must stand."""
        return min(LONGEST_CONNECT_S, self.first_s)


async def in_time(
    pieces: AsyncGenerator[Piece, None], deadlines: Deadlines, address: Address
) -> AsyncGenerator[Piece, None]:
    """The same pieces, or ModelTimeout when the next word, or the end, does not come in time.

    Pieces without words (keep-alives) do not extend the wait, except those that say how far the question was read. After the
    finish reason only a moment is left for the usage and the end mark, and their absence costs nothing.
    """
    now = asyncio.get_running_loop().time
    until, overdue = now() + deadlines.first_s, silent(address, deadlines.first_s)
    end = now() + deadlines.whole_s
    finished = False
    async with aclosing(pieces):
        while True:
            try:
                async with asyncio.timeout_at(until):
                    piece = await anext(pieces, None)
            except TimeoutError:
                if finished:
                    return
                raise overdue from None
            if piece is None:
                return
            yield piece
            if piece.finish:
                finished, until = True, now() + AFTER_FINISH_S
            elif not finished and (wait := _wait_after(piece, deadlines, address)):
                until, overdue = now() + wait[0], wait[1]
                if end < until:
                    until, overdue = end, endless(address, deadlines.whole_s)


def _wait_after(piece: Piece, deadlines: Deadlines, address: Address) -> tuple[float, ModelTimeout] | None:
    """Seconds in which the next piece must come, and the error if it does not; None: this one changes nothing."""
    if piece.speech or piece.thought:
        return deadlines.idle_s, stalled(address, deadlines.idle_s)
    if piece.reading:
        return deadlines.first_s, silent(address, deadlines.first_s)
    return None
