"""What a channel in a process of its own is handed: a desk that opens talks, and a talk with one persona.

It sees the whole timeline, so it asks for more than `ports.front`; it speaks for the one who owns the home.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from echovessel.core.ids import MessageId
from echovessel.core.talk import Trouble, Voice
from echovessel.ports.front import TurnEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing said, as the timeline shows it; `at` is in the user's zone."""

    id: MessageId
    voice: Voice
    text: str
    at: datetime
    trouble: Trouble | None


Reply = AbstractContextManager[Iterator[TurnEvent]]
"""A turn to follow: its events, ending with ReplyDone or ReplyFailed. Leaving early lets it go on by itself."""


class Talk(Protocol):
    """One persona's timeline."""

    @property
    def persona(self) -> str:
        """The persona's name."""
        ...

    @property
    def greeted(self) -> Sequence[Line]:
        """What the persona greeted with when this talk was opened; empty when they had talked before."""
        ...

    def recent(self, limit: int) -> Sequence[Line]:
        """The last things said, on any channel, the oldest first."""
        ...

    def say(self, text: str) -> Reply: ...

    def regenerate(self, message_id: MessageId) -> Reply:
        """Word an answer again, or retry a failed one."""
        ...

    def stop(self) -> None:
        """Ask the reply that is being followed to stop."""
        ...


class Desk(Protocol):
    """Whom one may talk with."""

    @property
    def locale(self) -> str:
        """The user's language, `zh` or `en`."""
        ...

    def names(self) -> Sequence[str]: ...

    def open(self, name: str) -> Talk:
        """A talk with this persona; NotFound names those there are. A persona that has a greeting says it once."""
        ...
