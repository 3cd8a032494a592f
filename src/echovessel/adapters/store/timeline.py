"""Reading what was said: conversations, messages with their wordings, pages of a timeline, search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Row, Select, Tuple, and_, bindparam, func, select, tuple_

from echovessel.adapters.store import search
from echovessel.adapters.store import tables as t
from echovessel.adapters.store.columns import Instant, Words
from echovessel.adapters.store.prepared import Prepared
from echovessel.adapters.store.records import no_such, trouble_of
from echovessel.core.ids import MessageId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, MessageState, Speaker, Variant
from echovessel.ports.records import Conversation

_BATCH = 500
_LIVE = t.message.c.state != MessageState.DELETED

# Looked up at once: a turn reads nearly two hundred messages.
_SPEAKERS = {speaker.value: speaker for speaker in Speaker}
_STATES = {state.value: state for state in MessageState}

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
_CONVERSATION = Prepared(
    select(t.conversation).where(
        *(
            t.conversation.c[column] == bindparam(name)
            for column, name in (("user_id", "user"), ("channel", "channel"), ("key", "key"))
        )
    )
)
_OF_USER = t.message.c.user_id == bindparam("user")
_OF_PAIR = (_OF_USER, t.message.c.persona_id == bindparam("persona"))
_IN_ORDER = (t.message.c.sent_at, t.message.c.id)


def _whole(messages: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """These messages in timeline order, each with all its wordings: a row for every wording, or for a message without any."""
    m, wording = messages.subquery(), t.message_text
    of_message = and_(wording.c.user_id == m.c.user_id, wording.c.message_id == m.c.id)
    return (
        select(*m.c, wording.c.id, wording.c.text, wording.c.made_by, wording.c.made_at)
        .select_from(m.outerjoin(wording, of_message))
        .order_by(m.c.sent_at, m.c.id, wording.c.made_at, wording.c.id)
    )


def _worded(messages: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """These messages as they are worded now: a third of the time, for who wants no variants."""
    wording = t.message_text
    active = and_(wording.c.user_id == t.message.c.user_id, wording.c.id == t.message.c.text_id)
    return messages.add_columns(wording.c.text, wording.c.made_by).outerjoin_from(t.message, wording, active)


_PLACE = select(*_IN_ORDER).where(*_OF_PAIR, t.message.c.id == bindparam("message"))
_ONE = _whole(_MESSAGES.where(_OF_USER, t.message.c.id == bindparam("message")))
_FIRST = _whole(_MESSAGES.where(*_OF_PAIR, _LIVE).order_by(*_IN_ORDER).limit(1))
_SOME = _MESSAGES.where(_OF_USER, t.message.c.id.in_(bindparam("ids", expanding=True)), _LIVE)
_BY_ID, _WORDED_BY_ID = _whole(_SOME), _worded(_SOME).order_by(*_IN_ORDER)
_OF_TURN = _whole(_MESSAGES.where(_OF_USER, t.message.c.turn_id == bindparam("turn"), _LIVE))
_WORDED_SINCE = (
    _worded(_MESSAGES)
    .where(
        *_OF_PAIR,
        t.message.c.sent_at >= bindparam("since"),
        t.message_text.c.made_by == bindparam("by"),
        _LIVE,
    )
    .order_by(*_IN_ORDER)
)


def conversation(conn: Connection, user_id: UserId, channel: str, key: str) -> Conversation | None:
    """The thread a channel calls `key`."""
    row = _CONVERSATION.first(conn, {"user": user_id, "channel": channel, "key": key})
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
    found = _read(conn, _ONE, {"user": user_id, "message": message_id})
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
    asked: dict[str, Any] = {"user": pair.user_id, "persona": pair.persona_id, "most": page.limit}
    for side, there in (("before", page.before), ("after", page.after)):
        if there is not None:
            asked |= _place(conn, pair, there, side)
    if page.q is None:
        return _read(conn, _page(page.before is not None, page.after is not None), asked)[::-1]
    tokens = search.search_tokens(page.q)
    if not tokens:
        return ()
    hit = search.hits(conn, tokens)
    found = and_(hit.c.user_id == t.message.c.user_id, hit.c.message_id == t.message.c.id)
    wanted = _of_page(page.before is not None, page.after is not None).join(hit, found)
    return _read(conn, _whole(wanted), asked)[::-1]


@cache
def _page(has_before: bool, has_after: bool) -> Select[*tuple[Any, ...]]:
    return _whole(_of_page(has_before, has_after))


def _of_page(has_before: bool, has_after: bool) -> Select[*tuple[Any, ...]]:
    """The newest messages between two places, or with `has_after` those next to it."""
    wanted = _MESSAGES.where(*_OF_PAIR, _LIVE).limit(bindparam("most"))
    if has_before:
        wanted = wanted.where(tuple_(*_IN_ORDER) < _bound("before"))
    if has_after:
        return wanted.where(tuple_(*_IN_ORDER) > _bound("after")).order_by(*_IN_ORDER)
    return wanted.order_by(*(column.desc() for column in _IN_ORDER))


def _bound(side: str) -> Tuple:
    return tuple_(bindparam(f"{side}_at", type_=Instant()), bindparam(f"{side}_id", type_=Words()))


def newest(conn: Connection, pair: Pair, before: MessageId | None, limit: int) -> Sequence[Message]:
    """The newest messages, or those just before one of them, newest first and without variants."""
    asked: dict[str, Any] = {"user": pair.user_id, "persona": pair.persona_id, "most": limit}
    if before is not None:
        asked |= _place(conn, pair, before, "before")
    return _read_worded(conn, _newest(before is not None), asked)


@cache
def _newest(has_before: bool) -> Select[*tuple[Any, ...]]:
    return _worded(_of_page(has_before, has_after=False))


def worded_since(conn: Connection, pair: Pair, made_by: str, since: datetime) -> Sequence[Message]:
    """The live messages from an instant on whose active wording is this one's, in timeline order and without variants."""
    asked = {"user": pair.user_id, "persona": pair.persona_id, "by": made_by, "since": since}
    return _read_worded(conn, _WORDED_SINCE, asked)


def first(conn: Connection, pair: Pair) -> Message | None:
    """The oldest live message."""
    found = _read(conn, _FIRST, {"user": pair.user_id, "persona": pair.persona_id})
    return found[0] if found else None


def _place(conn: Connection, pair: Pair, message_id: MessageId, side: str) -> dict[str, Any]:
    """Where a message, deleted or not, stands in its pair's timeline, as an end of a page."""
    row = conn.execute(_PLACE, {"user": pair.user_id, "persona": pair.persona_id, "message": message_id}).first()
    if row is None:
        raise no_such("message")
    return {f"{side}_at": row.sent_at, f"{side}_id": row.id}


def messages_by_id(conn: Connection, user_id: UserId, ids: Sequence[MessageId], *, variants: bool) -> Sequence[Message]:
    """Those that are live, in timeline order."""
    found: list[Message] = []
    for start in range(0, len(ids), _BATCH):
        asked = {"user": user_id, "ids": ids[start : start + _BATCH]}
        found += _read(conn, _BY_ID, asked) if variants else _read_worded(conn, _WORDED_BY_ID, asked)
    return sorted(found, key=lambda message: (message.sent_at, message.id))


def turn_messages(conn: Connection, user_id: UserId, turn_id: TurnId) -> Sequence[Message]:
    """The live messages of one turn in timeline order."""
    return _read(conn, _OF_TURN, {"user": user_id, "turn": turn_id})


def count_live(conn: Connection) -> int:
    """How many messages of all users are not deleted."""
    return conn.scalar(select(func.count()).select_from(t.message).where(_LIVE)) or 0


def _read(conn: Connection, whole: Select[Any], values: Mapping[str, Any]) -> list[Message]:
    """The messages of one user, in the order asked for."""
    return [_with_variants(list(rows)) for _, rows in groupby(conn.execute(whole, values).all(), key=itemgetter(1))]


def _read_worded(conn: Connection, worded: Select[Any], values: Mapping[str, Any]) -> list[Message]:
    """The messages of one user as they are worded now, in the order asked for."""
    rows = list[Sequence[Any]](conn.execute(worded, values).all())
    return [_message(row, row[-2], row[-1]) for row in rows]


def _with_variants(rows: Sequence[Row[*tuple[Any, ...]]]) -> Message:
    """A message from its rows, one for each wording."""
    variants = tuple(
        Variant(id=text_id, text=text, made_by=made_by, made_at=made_at)
        for *_, text_id, text, made_by, made_at in rows
        if text_id is not None
    )
    active = next((variant for variant in variants if variant.id == rows[0].text_id), None)
    return _message(rows[0], active and active.text, active and active.made_by, variants)


def _message(row: Sequence[Any], text: str | None, made_by: str | None, variants: tuple[Variant, ...] = ()) -> Message:
    """A message from the first columns of its row, and what its active wording says, if it has one."""
    user, message_id, persona, thread, turn_id, channel, speaker, state, sent_at, zone, text_id, *rest = row
    client_id, external_id, trouble, *_ = rest
    return Message(
        id=message_id,
        pair=Pair(user, persona),
        conversation_id=thread,
        turn_id=turn_id,
        channel=channel,
        speaker=_SPEAKERS[speaker],
        state=_STATES[state],
        sent_at=sent_at,
        zone=zone,
        text=text or "",
        text_id=text_id,
        made_by=made_by or "",
        variants=variants,
        client_id=client_id,
        external_id=external_id,
        trouble=trouble_of(trouble),
    )
