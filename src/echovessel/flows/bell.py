"""The bells wake this process's loops when there is something to do, so that nobody has to poll."""

import asyncio
from dataclasses import dataclass, field


class Bell:
    """Rung after a write that leaves work behind; each listener hears every ring made since it last listened."""

    def __init__(self) -> None:
        self._rings = 0
        self._rung = asyncio.Event()

    def ring(self) -> int:
        """Wake every listener; returns the number of rings so far."""
        self._rings += 1
        self._rung.set()
        self._rung = asyncio.Event()
        return self._rings

    @property
    def rings(self) -> int:
        """How often it was rung; pass it to `heard` later to learn of rings in between."""
        return self._rings

    async def heard(self, after: int) -> None:
        """Return as soon as it has been rung more than `after` times."""
        while self._rings <= after:
            await self._rung.wait()


@dataclass(frozen=True, slots=True)
class Bells:
    """One for each loop: `turns` after what makes a turn due, `texts` after what leaves texts without vectors, `jobs` after a
    job was queued."""

    turns: Bell = field(default_factory=Bell)
    texts: Bell = field(default_factory=Bell)
    jobs: Bell = field(default_factory=Bell)

    def ring(self) -> None:
        """Ring them all: nobody knows what has become due."""
        for bell in (self.turns, self.texts, self.jobs):
            bell.ring()
