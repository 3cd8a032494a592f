"""What the recall index is built from: live messages with their vectors, and texts that still lack one."""

from collections.abc import Sequence
from functools import cache
from typing import Any, assert_never

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    tuple_,
    update,
)

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.columns import Instant
from echovessel.adapters.store.prepared import Prepared
from echovessel.adapters.store.transaction import Transaction
from echovessel.core.ids import MessageId, TextId
from echovessel.core.pair import Pair
from echovessel.core.talk import MessageState
from echovessel.ports.changes import ForgetVectors, IndexChange, Outcome, PutVectors
from echovessel.ports.records import IndexRow, Unembedded

_BATCH = 500
_SAID = or_(t.message.c.state == MessageState.COMPLETE, t.message.c.state == MessageState.PARTIAL)
_MESSAGE_OF = Prepared(
    select(t.message.c.id)
    .join_from(t.message_text, t.message)
    .where(
        t.message_text.c.user_id == bindparam("user"),
        t.message_text.c.id == bindparam("wording"),
        t.message.c.persona_id == bindparam("persona"),
    )
)
_MINE = (
    t.text_vector.c.user_id == bindparam("user"),
    t.text_vector.c.text_id == bindparam("wording"),
    t.text_vector.c.embedder == bindparam("by"),
)
_OLD_VECTOR = Prepared(select(t.text_vector.c.raw).where(*_MINE))
_ADD_VECTOR = Prepared(insert(t.text_vector))
_MARK = Prepared(
    update(t.message_text)
    .where(
        t.message_text.c.user_id == bindparam("user"),
        t.message_text.c.id == bindparam("wording"),
        t.message_text.c.embedded_by.is_not(None),
    )
    .values(embedded_by=bindparam("by"))
)


def do(tx: Transaction, change: IndexChange) -> Outcome:
    """Do one change of this subject."""
    match change:
        case PutVectors():
            return put_vectors(tx, change)
        case ForgetVectors():
            return forget_vectors(tx, change)
        case _:
            assert_never(change)


def put_vectors(tx: Transaction, change: PutVectors) -> Outcome:
    """Keep vectors of texts that are still there; tell of the messages whose vector is new."""
    told: dict[MessageId, None] = {}
    for text_id, raw in change.vectors:
        message_id = _message_of(tx.conn, change, text_id)
        if message_id is not None and _keep(tx.conn, change, text_id, raw):
            told[message_id] = None
    for message_id in told:
        tx.tell(change.user_id, "vectors.added", message_id)
    return Outcome(fresh=bool(told))


def _message_of(conn: Connection, change: PutVectors, text_id: TextId) -> MessageId | None:
    place = {"user": change.user_id, "wording": text_id, "persona": change.persona_id}
    found = _MESSAGE_OF.first(conn, place)
    return None if found is None else MessageId(found[0])


def _keep(conn: Connection, change: PutVectors, text_id: TextId, raw: bytes) -> bool:
    mine = {"user": change.user_id, "wording": text_id, "by": change.embedder}
    old = _OLD_VECTOR.first(conn, mine)
    if old is None:
        row = {"user_id": change.user_id, "text_id": text_id, "embedder": change.embedder, "raw": raw}
        _ADD_VECTOR.first(conn, row)
    elif bytes(old[0]) != raw:
        conn.execute(update(t.text_vector).where(*_MINE).values(raw=raw), mine)
    _MARK.first(conn, mine)
    return old is None or bytes(old[0]) != raw


def forget_vectors(tx: Transaction, change: ForgetVectors) -> Outcome:
    """Remove some of the vectors that nobody looks at any more."""
    row = tuple_(t.text_vector.c.user_id, t.text_vector.c.text_id, t.text_vector.c.embedder)
    others = select(*t.text_vector.primary_key).where(t.text_vector.c.embedder != change.keep).limit(change.limit)
    return Outcome(fresh=tx.conn.execute(delete(t.text_vector).where(row.in_(others))).rowcount > 0)


# ---------------------------------------------------------------- reads


def index_rows(
    conn: Connection, pair: Pair, embedder: str, after: IndexRow | None, limit: int | None
) -> Sequence[IndexRow]:
    """A page of the messages of a pair that may be recalled, in timeline order."""
    m = t.message
    wanted = _recallable(conn.dialect.name).limit(limit)
    if after is not None:
        wanted = wanted.where(tuple_(m.c.sent_at, m.c.id) > tuple_(literal(after.sent_at, Instant()), after.message_id))
    return [_index_row(row) for row in conn.execute(wanted, _asked(pair, embedder)).all()]


def index_rows_by_id(conn: Connection, pair: Pair, ids: Sequence[MessageId], embedder: str) -> Sequence[IndexRow]:
    """The same for some messages."""
    rows: list[Row[*tuple[Any, ...]]] = []
    for start in range(0, len(ids), _BATCH):
        some = {**_asked(pair, embedder), "ids": ids[start : start + _BATCH]}
        rows += conn.execute(_recallable_by_id(conn.dialect.name), some)
    return [_index_row(row) for row in sorted(rows, key=lambda row: (row.sent_at, row.id))]


def unembedded(conn: Connection, embedder: str, limit: int) -> Sequence[Unembedded]:
    """Texts that lack this embedder's vector: first those without any, the newest first."""
    found = [*_NEVER_EMBEDDED.all(conn, {"embedder": embedder, "most": limit})]
    if len(found) < limit:
        found += _EMBEDDED_BY_OTHERS.all(conn, {"embedder": embedder, "most": limit - len(found)})
    return [Unembedded(user_id=row.user_id, persona_id=row.persona_id, text_id=row.id, text=row.text) for row in found]


def count_unembedded(conn: Connection, embedder: str) -> int:
    """How many texts `unembedded` would name without a limit."""
    return conn.scalar(_COUNT_UNEMBEDDED, {"embedder": embedder}) or 0


def embedders(conn: Connection) -> dict[str, int]:
    """How many vectors each embedder has made."""
    rows = conn.execute(select(t.text_vector.c.embedder, func.count()).group_by(t.text_vector.c.embedder))
    return {row[0]: row[1] for row in rows}


def _by_others() -> ColumnElement[bool]:
    """Whether another embedder made the newest vector, as ranges of the index that `embedded_by` has."""
    by = t.message_text.c.embedded_by
    return or_(and_(by > "", by < bindparam("embedder")), by > bindparam("embedder"))


def _asked(pair: Pair, embedder: str) -> dict[str, Any]:
    return {"user": pair.user_id, "persona": pair.persona_id, "embedder": embedder}


def _active() -> FromClause:
    """Messages with their active wordings: joined by both ids, so that either can be looked up from the other."""
    wording, message = t.message_text, t.message
    same = and_(
        wording.c.user_id == message.c.user_id,
        wording.c.id == message.c.text_id,
        wording.c.message_id == message.c.id,
    )
    return message.join(wording, same)


def _may_be_recalled() -> ColumnElement[bool]:
    return and_(_SAID, t.message_text.c.embedded_by.is_not(None))


def _lacking() -> Select[*tuple[Any, ...]]:
    turn = t.turn
    still_talked_about = exists().where(
        turn.c.user_id == t.message.c.user_id,
        turn.c.id == t.message.c.turn_id,
        or_(t.is_open, t.is_running),
    )
    has_one = exists().where(
        t.text_vector.c.user_id == t.message_text.c.user_id,
        t.text_vector.c.text_id == t.message_text.c.id,
        t.text_vector.c.embedder == bindparam("embedder"),
    )
    return (
        select(t.message.c.user_id, t.message.c.persona_id, t.message_text.c.id, t.message_text.c.text)
        .select_from(_active())
        .where(_may_be_recalled(), ~still_talked_about, ~has_one)
    )


# Built once: every turn asks.
_NEVER = t.message_text.c.embedded_by == ""
_NEVER_EMBEDDED = Prepared(_lacking().where(_NEVER).order_by(t.message_text.c.id.desc()).limit(bindparam("most")))
_EMBEDDED_BY_OTHERS = Prepared(_lacking().where(_by_others()).limit(bindparam("most")))
_COUNT_UNEMBEDDED = select(func.count()).select_from(_lacking().where(or_(_NEVER, _by_others())).subquery())


@cache
def _recallable(dialect: str) -> Select[*tuple[Any, ...]]:
    """What may be recalled of a pair, in timeline order; see `_asked` for what it asks. Built once: every turn asks."""
    message = t.message
    of_pair = message.c.persona_id == bindparam("persona")
    return _recallable_of_user(dialect).where(of_pair).order_by(message.c.sent_at, message.c.id)


@cache
def _recallable_by_id(dialect: str) -> Select[*tuple[Any, ...]]:
    # Were the persona compared as it stands, SQLite would walk the pair's whole timeline to meet these few.
    of_pair = t.message.c.persona_id.concat("") == bindparam("persona")
    return _recallable_of_user(dialect).where(of_pair, t.message.c.id.in_(bindparam("ids", expanding=True)))


def _recallable_of_user(dialect: str) -> Select[*tuple[Any, ...]]:
    wording, message, search = t.message_text, t.message, t.message_search
    # A tsvector does not tell how often a word is said: there the index cuts the text itself.
    kept = search.c.tokens if dialect == "sqlite" else null()
    with_tokens = _active().outerjoin(
        search, and_(search.c.user_id == message.c.user_id, search.c.message_id == message.c.id)
    )
    with_vector = with_tokens.outerjoin(
        t.text_vector,
        and_(
            t.text_vector.c.user_id == wording.c.user_id,
            t.text_vector.c.text_id == wording.c.id,
            t.text_vector.c.embedder == bindparam("embedder"),
        ),
    )
    return (
        select(
            message.c.id,
            message.c.text_id,
            message.c.speaker,
            message.c.sent_at,
            wording.c.text,
            kept,
            t.text_vector.c.raw,
        )
        .select_from(with_vector)
        .where(message.c.user_id == bindparam("user"), _may_be_recalled())
    )


def _index_row(row: Row[*tuple[Any, ...]]) -> IndexRow:
    message_id, text_id, speaker, sent_at, text, tokens, raw = row
    return IndexRow(
        message_id=message_id,
        text_id=text_id,
        speaker=speaker,
        sent_at=sent_at,
        text=text,
        tokens=None if tokens is None else tokens.split(),
        vector=None if raw is None else bytes(raw),
    )
