"""From the change feed to what the page is told: each stored change is looked up as it stands now."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

from echovessel.api.doors import Doors
from echovessel.api.dto.base import View
from echovessel.api.dto.events import (
    CoreEvent,
    JobEvent,
    MessageEvent,
    PersonaEvent,
    ReplyDeltaEvent,
    ReplyDoneEvent,
    ReplyFailedEvent,
    ResetEvent,
    TurnEvent,
    UserEvent,
)
from echovessel.api.dto.people import Me, PersonaView
from echovessel.api.dto.talk import MessageView, TroubleView, TurnView
from echovessel.api.stream import Frame
from echovessel.core.ids import MessageId, PersonaId, TurnId, UserId
from echovessel.core.talk import Message, Turn
from echovessel.ports.front import AlsoSaid, ReplyDelta, ReplyDone, ReplyFailed
from echovessel.ports.records import ChangeRow
from echovessel.ports.store import Store

_OF_A_MESSAGE = frozenset({"message.created", "message.edited", "message.deleted"})


async def frames(doors: Doors, user_id: UserId, after: int | None) -> AsyncGenerator[bytes]:
    """Everything that happens to a user: stored changes after `after` (None: from now on), and replies growing.

    Streams that are at the same place are told together: what a change is about is looked up once for all of them.
    """
    if after is not None and not await _can_be_told(doors.store, user_id, after):
        yield Frame("feed.reset", _data(ResetEvent())).encode()
        after = None
    teller = _Teller(doors.store, user_id)
    with doors.meter.listening():
        async with aclosing(doors.front.feed(user_id, after)) as feed:
            async for look in feed:
                told = [await _growing(teller, piece) for piece in look.growing]
                if rows := look.stored:
                    place = (user_id, rows[0].seq, rows[-1].seq)
                    told.append(await doors.together.do(place, lambda rows=rows: _stored(doors.store, user_id, rows)))
                if whole := b"".join(told):
                    yield whole


async def _can_be_told(store: Store, user_id: UserId, after: int) -> bool:
    """Whether nothing is missing after this entry: it is of this database, and what follows it is still kept."""
    head = await store.head(user_id)
    following = await store.changes(user_id, after, limit=1)
    return following[0].seq == after + 1 if following else after == head


async def turn_frames(doors: Doors, turn: Turn, after: int) -> AsyncGenerator[bytes]:
    """One turn's reply from character `after` on, until it has ended; what the program itself says in it comes before."""
    user_id = turn.pair.user_id
    teller = _Teller(doors.store, user_id)
    async with aclosing(doors.front.follow(user_id, turn.id, after)) as events:
        async for event in events:
            match event:
                case AlsoSaid():
                    name, told = "message.created", await teller.message(event.message_id)
                case ReplyDelta():
                    name, told = "reply.delta", await teller.delta(event)
                case ReplyDone():
                    name, told = "reply.done", await teller.ending(turn.id, failed=False)
                case ReplyFailed():
                    name, told = "reply.failed", await teller.ending(turn.id, failed=True)
            if told is not None:
                yield Frame(name, _data(told)).encode()


async def _growing(teller: "_Teller", piece: ReplyDelta) -> bytes:
    told = await teller.delta(piece)
    return b"" if told is None else Frame("reply.delta", _data(told)).encode()


async def _stored(store: Store, user_id: UserId, rows: Sequence[ChangeRow]) -> bytes:
    """The frames of some rows of the feed, one after another."""
    teller = _Teller(store, user_id)
    await teller.expect([MessageId(row.ref) for row in rows if row.kind in _OF_A_MESSAGE])
    told = [(row, await teller.stored(row)) for row in rows]
    return b"".join(Frame(row.kind, _data(view), id=row.seq).encode() for row, view in told if view is not None)


class _Teller:
    """Looks up what a change is about. A row that is gone meanwhile is not told: its own deletion is."""

    def __init__(self, store: Store, user_id: UserId) -> None:
        self._store = store
        self._user_id = user_id
        self._persona_of: dict[TurnId, PersonaId] = {}
        self._expected: dict[MessageId, Message] = {}

    async def expect(self, ids: Sequence[MessageId]) -> None:
        """Look up at once the messages that will be told of."""
        self._expected = {m.id: m for m in await self._store.messages_by_id(self._user_id, ids)} if ids else {}

    async def delta(self, piece: ReplyDelta) -> View | None:
        persona_id = self._persona_of.get(piece.turn_id)
        if persona_id is None:
            turn = await self._store.turn(self._user_id, piece.turn_id)
            if turn is None:
                return None
            persona_id = self._persona_of[piece.turn_id] = turn.pair.persona_id
        return ReplyDeltaEvent(
            turn_id=piece.turn_id, persona_id=persona_id, offset=piece.offset, text=piece.text, reset=piece.reset
        )

    async def stored(self, change: ChangeRow) -> View | None:
        if change.kind in _OF_A_MESSAGE:
            return await self.message(MessageId(change.ref))
        match change.kind:
            case "turn.changed":
                turn = await self._store.turn(self._user_id, TurnId(change.ref))
                return TurnEvent(turn=TurnView.of(turn)) if turn else None
            case "reply.done" | "reply.failed":
                return await self.ending(TurnId(change.ref), failed=change.kind == "reply.failed")
            case "persona.changed":
                persona = await self._store.persona(PersonaId(change.ref))
                return PersonaEvent(persona=PersonaView.of(persona)) if persona else None
            case "user.changed":
                user = await self._store.user(self._user_id)
                return UserEvent(user=Me.of(user)) if user else None
            case "core.changed":
                return CoreEvent(ref=change.ref)
            case "job.changed":
                return JobEvent(job_id=change.ref)
            case "feed.reset":
                return ResetEvent()
            case _:
                return None

    async def message(self, message_id: MessageId) -> View | None:
        """A message as it now stands."""
        message = self._expected.get(message_id) or await self._store.message(self._user_id, message_id)
        if message is None:
            return None
        return MessageEvent(persona_id=message.pair.persona_id, message=MessageView.of(message))

    async def ending(self, turn_id: TurnId, *, failed: bool) -> View | None:
        """How a turn ended, with its reply as it stands now."""
        self._persona_of.pop(turn_id, None)
        so_far = await self._store.turn_so_far(self._user_id, turn_id)
        if so_far is None:
            return None
        turn = so_far.turn
        view = MessageView.of(so_far.reply) if so_far.reply else None
        if failed and turn.trouble is not None:
            return ReplyFailedEvent(
                turn_id=turn.id,
                persona_id=turn.pair.persona_id,
                message=view,
                trouble=TroubleView.of(turn.trouble),
            )
        return ReplyDoneEvent(turn_id=turn.id, persona_id=turn.pair.persona_id, message=view)


def _data(view: View) -> dict[str, Any]:
    return view.model_dump(mode="json")
