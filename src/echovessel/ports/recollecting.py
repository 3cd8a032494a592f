"""Asking a pair's memory: what a turn and the page have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from echovessel.core.ids import MessageId
from echovessel.core.pair import Pair
from echovessel.memory.recall import Candidates


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What memory is asked with: `text`, and the messages of the live talk before it, the oldest first.

    `at`: when, aware, in the zone of the user. `user_name`, `persona_name`: the two who talk. `exclude`: messages that stand in
    the prompt anyway. `until`: nothing that was said after it comes up.
    """

    text: str
    before: Sequence[str] = ()
    at: datetime
    user_name: str
    persona_name: str
    exclude: frozenset[MessageId] = frozenset()
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Recollected:
    """What might come to mind; `lost` names the arms that were down."""

    candidates: Candidates
    lost: tuple[str, ...]


class Recollect(Protocol):
    """Reads what was said, embeds it, and lets the index name candidates."""

    async def __call__(self, pair: Pair, said: Said) -> Recollected:
        """Finds by keywords alone when the embedder is down."""
        ...
