"""The front door: a message is stored before it is acknowledged; a follower sees the answer grow."""

from collections.abc import AsyncGenerator
from datetime import timedelta

from echovessel.core.errors import NotFound
from echovessel.core.ids import ConversationId, MessageId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import TurnState, Voice, voice_of
from echovessel.core.text import clean_input
from echovessel.core.time import zone
from echovessel.flows.deps import Deps
from echovessel.flows.live import Seen, unseen
from echovessel.flows.news import News
from echovessel.ports.changes import AskToStop, HearMessage, OpenConversation
from echovessel.ports.front import (
    AlsoSaid,
    Incoming,
    Look,
    Receipt,
    ReplyDelta,
    ReplyDone,
    ReplyFailed,
    TurnEvent,
)
from echovessel.ports.records import ChangeRow, TurnSoFar

_FINAL = frozenset({TurnState.DONE, TurnState.FAILED, TurnState.STOPPED})
_ENDINGS = frozenset({"reply.done", "reply.failed"})


class FlowFront:
    """Implements `ports.front.Front`."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        self._news = News(deps.store, deps.live)

    async def hear(self, incoming: Incoming) -> Receipt:
        """Store the message, then acknowledge it."""
        deps = self._deps
        text = clean_input(incoming.text, "text")
        zone(incoming.zone)
        conversation_id = await open_conversation(deps, incoming.pair, incoming.channel, incoming.conversation)
        now = deps.clock.now()
        applied = await deps.store.apply(
            [
                HearMessage(
                    message_id=MessageId(deps.ids.ulid(now)),
                    text_id=TextId(deps.ids.ulid(now)),
                    turn_id=TurnId(deps.ids.ulid(now)),
                    conversation_id=conversation_id,
                    pair=incoming.pair,
                    channel=incoming.channel,
                    text=text,
                    sent_at=now,
                    zone=incoming.zone,
                    due_at=now + timedelta(seconds=deps.settings.current().turn.debounce_s),
                    client_id=incoming.client_id,
                    external_id=incoming.external_id,
                )
            ]
        )
        outcome = applied.outcomes[0]
        assert outcome.turn_id is not None
        assert outcome.message_id is not None
        deps.bells.turns.ring()
        return Receipt(outcome.turn_id, outcome.message_id, outcome.fresh)

    async def stop(self, user_id: UserId, turn_id: TurnId) -> None:
        """Keep what was said so far and end the turn."""
        await self._so_far(user_id, turn_id)
        await self._deps.store.apply([AskToStop(user_id=user_id, turn_id=turn_id)])
        self._deps.live.ask_to_stop(turn_id)
        self._deps.bells.turns.ring()

    async def follow(self, user_id: UserId, turn_id: TurnId, after: int = 0) -> AsyncGenerator[TurnEvent]:
        """The events of one turn from character `after` on."""
        seen: Seen | None = None
        told: set[MessageId] = set()
        async with self._news.of(user_id) as news:
            seq, attempt = news.head, 0
            so_far = await self._so_far(user_id, turn_id)
            while True:
                rings, growing = news.rings, self._deps.live.of_turn(turn_id)
                rows = await news.since(seq)
                # Care text is stored before the reply begins: looked for at the first piece, it comes before it.
                if any(_concerns(row, turn_id) for row in rows) or (growing and growing.attempt != attempt):
                    so_far = await self._so_far(user_id, turn_id)
                for said in _beside_the_reply(so_far, told):
                    yield said
                if growing:
                    attempt = growing.attempt
                    delta = unseen(growing, seen or Seen(attempt, after))
                    seen = Seen(attempt, len(growing.text))
                    if delta:
                        yield delta
                if so_far.turn.state in _FINAL:
                    if rest := _untold(so_far, seen.characters if seen else after):
                        yield rest
                    yield _ending(so_far)
                    return
                if rows:
                    seq = rows[-1].seq
                else:
                    await news.heard(rings)

    async def feed(self, user_id: UserId, after: int | None) -> AsyncGenerator[Look]:
        """Stored changes and live deltas of everything that happens to this user."""
        seen: dict[TurnId, Seen] = {}
        ended: set[TurnId] = set()
        async with self._news.of(user_id) as news:
            seq = await self._deps.store.head(user_id) if after is None else after
            while True:
                rings = news.rings
                look = Look(growing=self._new_deltas(user_id, seen, ended), stored=await news.since(seq))
                ended.update(TurnId(row.ref) for row in look.stored if row.kind in _ENDINGS)
                if look.growing or look.stored:
                    yield look
                if look.stored:
                    seq = look.stored[-1].seq
                else:
                    await news.heard(rings)

    def _new_deltas(self, user_id: UserId, seen: dict[TurnId, Seen], ended: set[TurnId]) -> list[ReplyDelta]:
        """What each reply gained since the last look; a reply whose end was told says nothing more."""
        replies = self._deps.live.of_user(user_id)
        ended.intersection_update(r.turn_id for r in replies)
        deltas: list[ReplyDelta] = []
        for reply in replies:
            if reply.turn_id in ended:
                continue
            if delta := unseen(reply, seen.get(reply.turn_id)):
                deltas.append(delta)
            seen[reply.turn_id] = Seen(reply.attempt, len(reply.text))
        for turn_id in seen.keys() - {r.turn_id for r in replies}:
            del seen[turn_id]
        return deltas

    async def _so_far(self, user_id: UserId, turn_id: TurnId) -> TurnSoFar:
        so_far = await self._deps.store.turn_so_far(user_id, turn_id)
        if so_far is None:
            raise no_such_turn()
        return so_far


def _concerns(row: ChangeRow, turn_id: TurnId) -> bool:
    """Whether a change may be of this turn: its end, or a message that may have been said in it."""
    return row.kind == "message.created" or (row.kind in _ENDINGS and row.ref == turn_id)


def _beside_the_reply(so_far: TurnSoFar, told: set[MessageId]) -> list[AlsoSaid]:
    """What the program said in the turn and was not told yet; it counts as told from now on."""
    said = [
        AlsoSaid(so_far.turn.id, m.id, Voice.CARE, m.text)
        for m in so_far.messages
        if voice_of(m.speaker, m.made_by) is Voice.CARE and m.id not in told
    ]
    told.update(s.message_id for s in said)
    return said


def _ending(so_far: TurnSoFar) -> ReplyDone | ReplyFailed:
    turn, message_id = so_far.turn, so_far.reply and so_far.reply.id
    if turn.state is TurnState.FAILED and turn.trouble is not None:
        return ReplyFailed(turn.id, message_id, turn.trouble)
    return ReplyDone(turn.id, message_id)


def _untold(so_far: TurnSoFar, told: int) -> ReplyDelta | None:
    """The end of a reply that was stored before its follower looked again. A reroll that failed left the old words."""
    turn, reply = so_far.turn, so_far.reply
    kept_old_words = turn.regenerates is not None and turn.state is not TurnState.DONE
    if reply is None or kept_old_words or len(reply.text) <= told:
        return None
    return ReplyDelta(turn.id, told, reply.text[told:], voice=voice_of(reply.speaker, reply.made_by))


async def open_conversation(deps: Deps, pair: Pair, channel: str, key: str) -> ConversationId:
    """The conversation of this channel's thread, opened for the pair when it is new; Conflict when it is another persona's."""
    held = await deps.store.conversation(pair.user_id, channel, key)
    if held is not None and held.pair == pair:
        return held.id
    if await deps.store.persona(pair.persona_id) is None:
        raise no_such_persona()
    now = deps.clock.now()
    applied = await deps.store.apply(
        [
            OpenConversation(
                conversation_id=ConversationId(deps.ids.ulid(now)),
                pair=pair,
                channel=channel,
                key=key,
                at=now,
            )
        ]
    )
    opened = applied.outcomes[0].conversation_id
    assert opened is not None
    return opened


def no_such_persona() -> NotFound:
    """The error for an unknown persona id."""
    return NotFound("There is no such persona.", do="List them with `echovessel persona list`.")


def no_such_turn() -> NotFound:
    """The error for an unknown turn id."""
    return NotFound("There is no such turn.", do="Use the turn_id that came with the receipt.")
