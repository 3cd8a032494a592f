"""Replies that are being worded right now, in this process's memory only.

Followers do not get a queue of deltas: each remembers how many characters it has seen and takes what is new. A slow reader
therefore costs nothing and misses nothing, and a late one gets a snapshot.
"""

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from echovessel.core.ids import TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.flows.bell import Bell
from echovessel.ports.clock import Clock
from echovessel.ports.front import ReplyDelta
from echovessel.ports.meter import Meter


@dataclass(slots=True)
class LiveReply:
    """A reply so far. `attempt` tells a follower that the text began anew."""

    turn_id: TurnId
    pair: Pair
    attempt: int
    began: float
    text: str = ""
    stop: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class Seen:
    """How much of one reply a follower has seen."""

    attempt: int
    characters: int


class LiveReplies:
    """The board of replies being worded. Used from the event loop only. How long they take is counted by `meter`."""

    def __init__(self, clock: Clock, meter: Meter) -> None:
        self._clock = clock
        self._meter = meter
        self._replies: dict[TurnId, LiveReply] = {}
        self._bells: WeakValueDictionary[UserId, Bell] = WeakValueDictionary()
        self.ends = Bell()
        """Rung when a reply has ended."""

    @property
    def busy(self) -> bool:
        """Whether any reply is being worded here."""
        return bool(self._replies)

    def begin(self, turn_id: TurnId, pair: Pair, attempt: int) -> LiveReply:
        """Put a reply on the board, replacing an earlier attempt at the same turn."""
        reply = LiveReply(turn_id, pair, attempt, began=self._clock.monotonic())
        self._replies[turn_id] = reply
        return reply

    def bell_of(self, user_id: UserId) -> Bell:
        """The bell that this user's replies ring as they grow; it is there while someone holds it."""
        return self._bells.setdefault(user_id, Bell())

    def say(self, reply: LiveReply, piece: str) -> None:
        """Add a piece and wake who follows this user."""
        if not reply.text:
            self._meter.first_token.took(self._clock.monotonic() - reply.began)
        reply.text += piece
        self._ring(reply)

    def end(self, reply: LiveReply) -> None:
        """Take it off the board: its words are in the store now."""
        if self._replies.get(reply.turn_id) is reply:
            del self._replies[reply.turn_id]
            self._meter.reply.took(self._clock.monotonic() - reply.began)
        self._ring(reply)
        self.ends.ring()

    def ask_to_stop(self, turn_id: TurnId) -> None:
        """Stop the wording of a turn that runs in this process; others are reached through the store."""
        if reply := self._replies.get(turn_id):
            reply.stop.set()

    def of_turn(self, turn_id: TurnId) -> LiveReply | None:
        """The reply of one turn, while it is being worded here."""
        return self._replies.get(turn_id)

    def of_user(self, user_id: UserId) -> list[LiveReply]:
        """Every reply being worded for this user."""
        return [r for r in self._replies.values() if r.pair.user_id == user_id]

    def _ring(self, reply: LiveReply) -> None:
        if bell := self._bells.get(reply.pair.user_id):
            bell.ring()


def unseen(reply: LiveReply, seen: Seen | None) -> ReplyDelta | None:
    """What a follower has not seen yet; a snapshot when it saw nothing of this attempt."""
    if seen is None or seen.attempt != reply.attempt:
        return ReplyDelta(reply.turn_id, 0, reply.text, reset=True) if reply.text or seen else None
    if len(reply.text) > seen.characters:
        return ReplyDelta(reply.turn_id, seen.characters, reply.text[seen.characters :])
    return None
