"""Reading what was said: conversations, messages with their wordings, pages of a timeline, search."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Tuple, and_, bindparam, func, literal, select, tuple_

from echovessel.adapters.store import search
from echovessel.adapters.store import tables as t
from echovessel.adapters.store.columns import Instant
from echovessel.adapters.store.records import no_such, trouble_of
from echovessel.core.ids import MessageId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, MessageState, Speaker, Variant
from echovessel.ports.records import Conversation

_BATCH = 500
_LIVE = t.message.c.state != MessageState.DELETED

# In the order in which `_message` takes them apart: a row's columns by name cost twice the time.
_COLUMNS = (
    t.message.c.user_id,
    t.message.c.id,
    t.message.c.persona_id,
    t.message.c.conversation_id,
    t.message.c.turn_id,
    t.message.c.channel,
    t.message.c.speaker,
    t.message.c.state,
    t.message.c.sent_at,
    t.message.c.zone,
    t.message.c.text_id,
    t.message.c.client_id,
    t.message.c.external_id,
    t.message.c.trouble,
)
_MESSAGES: Select[*tuple[Any, ...]] = select(*_COLUMNS)

# Built once: every turn asks.
_CONVERSATION = select(t.conversation).where(
    *(
        t.conversation.c[column] == bindparam(name)
        for column, name in (("user_id", "user"), ("channel", "channel"), ("key", "key"))
    )
)
_OF_USER = t.message.c.user_id == bindparam("user")
_BY_ID = _MESSAGES.where(_OF_USER, t.message.c.id.in_(bindparam("ids", expanding=True)), _LIVE)
_OF_TURN = _MESSAGES.where(_OF_USER, t.message.c.turn_id == bindparam("turn"), _LIVE).order_by(
    t.message.c.sent_at, t.message.c.id
)
_WORDINGS: Select[*tuple[Any, ...]] = (
    select(*(t.message_text.c[name] for name in ("message_id", "id", "text", "made_by", "made_at")))
    .where(
        t.message_text.c.user_id == bindparam("user"),
        t.message_text.c.message_id.in_(bindparam("ids", expanding=True)),
    )
    .order_by(t.message_text.c.made_at, t.message_text.c.id)
)


_WORDED_SINCE = (
    _MESSAGES.join(
        t.message_text,
        and_(t.message_text.c.user_id == t.message.c.user_id, t.message_text.c.id == t.message.c.text_id),
    )
    .where(
        _OF_USER,
        t.message.c.persona_id == bindparam("persona"),
        t.message.c.sent_at >= bindparam("since"),
        t.message_text.c.made_by == bindparam("by"),
        _LIVE,
    )
    .order_by(t.message.c.sent_at, t.message.c.id)
)


def conversation(conn: Connection, user_id: UserId, channel: str, key: str) -> Conversation | None:
    """The thread a channel calls `key`."""
    row = conn.execute(_CONVERSATION, {"user": user_id, "channel": channel, "key": key}).first()
    if row is None:
        return None
    return Conversation(
        id=row.id,
        pair=Pair(row.user_id, row.persona_id),
        channel=row.channel,
        key=row.key,
        opened_at=row.opened_at,
    )


def message(conn: Connection, user_id: UserId, message_id: MessageId) -> Message | None:
    """One message; a deleted one is there without its words."""
    found = _read(conn, _MESSAGES.where(t.message.c.user_id == user_id, t.message.c.id == message_id))
    return found[0] if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which part of a timeline: the newest messages, those just before `before` or just after `after`; only what holds all
    tokens of `q`."""

    before: MessageId | None
    after: MessageId | None
    limit: int
    q: str | None


def messages(conn: Connection, pair: Pair, page: Page) -> Sequence[Message]:
    """A page of the timeline, newest first. A `q` without any token finds nothing. NotFound for an unknown place."""
    m = t.message
    place = tuple_(m.c.sent_at, m.c.id)
    wanted = _MESSAGES.where(*_of_pair(pair), _LIVE).limit(page.limit)
    if page.before is not None:
        wanted = wanted.where(place < _place(conn, pair, page.before))
    if page.after is not None:
        wanted = wanted.where(place > _place(conn, pair, page.after))
    if page.q is not None:
        tokens = search.search_tokens(page.q)
        if not tokens:
            return ()
        hit = search.hits(conn, tokens)
        wanted = wanted.join(hit, and_(hit.c.user_id == m.c.user_id, hit.c.message_id == m.c.id))
    if page.after is not None:
        return _read(conn, wanted.order_by(m.c.sent_at, m.c.id))[::-1]
    return _read(conn, wanted.order_by(m.c.sent_at.desc(), m.c.id.desc()))


def worded_since(conn: Connection, pair: Pair, made_by: str, since: datetime) -> Sequence[Message]:
    """The live messages from an instant on whose active wording is this one's."""
    asked = {"user": pair.user_id, "persona": pair.persona_id, "by": made_by, "since": since}
    return _read(conn, _WORDED_SINCE, asked)


def first(conn: Connection, pair: Pair) -> Message | None:
    """The oldest live message."""
    m = t.message
    found = _read(conn, select(m).where(*_of_pair(pair), _LIVE).order_by(m.c.sent_at, m.c.id).limit(1))
    return found[0] if found else None


def _place(conn: Connection, pair: Pair, message_id: MessageId) -> Tuple:
    """Where a message, deleted or not, stands in its pair's timeline."""
    m = t.message
    row = conn.execute(select(m.c.sent_at, m.c.id).where(*_of_pair(pair), m.c.id == message_id)).first()
    if row is None:
        raise no_such("message")
    return tuple_(literal(row.sent_at, Instant()), literal(row.id))


def _of_pair(pair: Pair) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return (t.message.c.user_id == pair.user_id, t.message.c.persona_id == pair.persona_id)


def messages_by_id(conn: Connection, user_id: UserId, ids: Sequence[MessageId]) -> Sequence[Message]:
    """Those that are live, in timeline order."""
    found: list[Message] = []
    for start in range(0, len(ids), _BATCH):
        found += _read(conn, _BY_ID, {"user": user_id, "ids": ids[start : start + _BATCH]})
    return sorted(found, key=lambda message: (message.sent_at, message.id))


def turn_messages(conn: Connection, user_id: UserId, turn_id: TurnId) -> Sequence[Message]:
    """The live messages of one turn in timeline order."""
    return _read(conn, _OF_TURN, {"user": user_id, "turn": turn_id})


def count_live(conn: Connection) -> int:
    """How many messages of all users are not deleted."""
    return conn.scalar(select(func.count()).select_from(t.message).where(_LIVE)) or 0


def _read(conn: Connection, wanted: Select[Any], values: Mapping[str, Any] | None = None) -> list[Message]:
    """The messages of one user, each with all its wordings, in the order asked for."""
    rows = conn.execute(wanted, values).all()
    if not rows:
        return []
    wordings = _wordings(conn, UserId(rows[0].user_id), [row.id for row in rows])
    return [_message(row, wordings) for row in rows]


def _wordings(conn: Connection, user_id: UserId, ids: Sequence[str]) -> dict[str, list[Variant]]:
    found: dict[str, list[Variant]] = defaultdict(list)
    for message_id, text_id, text, made_by, made_at in conn.execute(_WORDINGS, {"user": user_id, "ids": ids}).all():
        found[message_id].append(Variant(id=TextId(text_id), text=text, made_by=made_by, made_at=made_at))
    return found


def _message(row: Row[*tuple[Any, ...]], wordings: Mapping[str, Sequence[Variant]]) -> Message:
    user, message_id, persona, thread, turn_id, channel, speaker, state, sent_at, zone, text_id, *rest = row
    client_id, external_id, trouble = rest
    variants = tuple(wordings.get(message_id, ()))
    active = next((variant for variant in variants if variant.id == text_id), None)
    return Message(
        id=message_id,
        pair=Pair(user, persona),
        conversation_id=thread,
        turn_id=turn_id,
        channel=channel,
        speaker=Speaker(speaker),
        state=MessageState(state),
        sent_at=sent_at,
        zone=zone,
        text=active.text if active else "",
        text_id=text_id,
        made_by=active.made_by if active else "",
        variants=variants,
        client_id=client_id,
        external_id=external_id,
        trouble=trouble_of(trouble),
    )
