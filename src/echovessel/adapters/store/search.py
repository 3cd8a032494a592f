"""The timeline's full-text index: our own tokens, kept as they are in both databases.

PostgreSQL holds them in a `tsvector` with a GIN index, SQLite in an FTS5 table whose tokenizer only splits at spaces. What a
user types reaches neither syntax: a query is cut into the same tokens, each of which is quoted.
"""

from collections import Counter

from sqlalchemy import CTE, ColumnElement, Connection, Insert, Text, cast, delete, func, insert, literal, select, text
from sqlalchemy.dialects.postgresql import ARRAY, TSQUERY

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.prepared import Prepared
from echovessel.adapters.store.transaction import Transaction
from echovessel.core.ids import MessageId, UserId
from echovessel.core.text import tokens

_MOST_BYTES = 900_000
"""Of one message's tokens; a tsvector ends at 1 MB."""
_MOST_LEVELS = 1000
"""Of the full-text index, before it is made anew."""

_ADD = Prepared(insert(t.message_search).returning(t.message_search.c.id))
_ADD_FTS = Prepared(insert(t.message_fts))


def search_tokens(said: str) -> list[str]:
    """Distinct tokens in the order of their first appearance, within what both databases can hold."""
    return _within(list(dict.fromkeys(tokens(said))))


def kept_tokens(said: str) -> list[str]:
    """The same, then every repetition as far as there is room: SQLite's rows also tell the recall index how often a word is
    said. FTS5 does not count (`detail='none'`), and a tsvector's array holds each once."""
    found = tokens(said)
    distinct = list(dict.fromkeys(found))
    if len(distinct) < len(found):
        repeated = Counter(found)
        repeated.subtract(distinct)
        distinct.extend(repeated.elements())
    return _within(distinct)


def _within(found: list[str]) -> list[str]:
    """As many of the first of these as fit."""
    room = _MOST_BYTES - len("".join(found).encode())
    while room < 0:
        room += len(found.pop().encode())
    return found


def add(tx: Transaction, user_id: UserId, message_id: MessageId, said: str) -> None:
    """Make a new message findable by its words."""
    found = tx.cut.get(said) or kept_tokens(said)
    if tx.conn.dialect.name == "postgresql":
        tx.conn.execute(_add_postgres(user_id, message_id, list(dict.fromkeys(found))))
        return
    joined = " ".join(found)
    added = _ADD.first(tx.conn, {"user_id": user_id, "message_id": message_id, "tokens": joined})
    assert added is not None
    _ADD_FTS.first(tx.conn, {"rowid": added[0], "tokens": joined})


def replace(tx: Transaction, user_id: UserId, message_id: MessageId, said: str) -> None:
    """Make a message findable by these words, and no longer by those it had before."""
    remove(tx.conn, user_id, message_id)
    add(tx, user_id, message_id, said)


def remove(conn: Connection, user_id: UserId, message_id: MessageId) -> None:
    """Take a message out of the index. FTS5 keeps the words in old pages until `forget_removed`."""
    search = t.message_search
    mine = (search.c.user_id == user_id, search.c.message_id == message_id)
    if conn.dialect.name == "sqlite":
        row = conn.execute(select(search.c.id, search.c.tokens).where(*mine)).first()
        if row is None:
            return
        conn.execute(insert(t.message_fts).values(message_fts="delete", rowid=row.id, tokens=row.tokens))
    conn.execute(delete(search).where(*mine))


def forget_removed(conn: Connection) -> None:
    """SQLite: rewrite the full-text index without the words of what was removed, which plain deletion leaves in its pages.

    In SQLite 3.40 each `optimize` that has work to do adds a level to the index, and one with more than 2,000 levels is taken
    for damaged. Made anew from the rows, which takes longer, it has one.
    """
    command = "rebuild" if _levels(conn) > _MOST_LEVELS else "optimize"
    conn.execute(text("INSERT INTO message_fts(message_fts) VALUES (:command)"), {"command": command})


def _levels(conn: Connection) -> int:
    """How many levels the full-text index has: a varint behind the four bytes of a cookie in its structure record.

    Source: the comment "structure record" in SQLite's ext/fts5/fts5_index.c.
    """
    structure: bytes = conn.execute(text("SELECT block FROM message_fts_data WHERE id = 10")).scalar_one()
    levels = 0
    for byte in structure[4:]:
        levels = levels << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return levels


def hits(conn: Connection, wanted: list[str]) -> CTE:
    """The `user_id` and `message_id` of the messages that hold every one of these tokens (at least one).

    Materialized: the planner knows neither index well, and would rather try every message of the timeline.
    """
    search = t.message_search
    found = select(search.c.user_id, search.c.message_id).where(_holds_all(conn, wanted))
    return found.cte("hit").prefix_with("MATERIALIZED")


def _holds_all(conn: Connection, wanted: list[str]) -> ColumnElement[bool]:
    if conn.dialect.name == "postgresql":
        query = " & ".join(f"'{token}'" for token in wanted)
        return t.message_search.c.tokens.op("@@", is_comparison=True)(cast(literal(query), TSQUERY))
    query = " AND ".join(f'"{token}"' for token in wanted)
    fts = t.message_fts
    return t.message_search.c.id.in_(select(fts.c.rowid).where(fts.c.message_fts.op("MATCH")(query)))


def _add_postgres(user_id: UserId, message_id: MessageId, found: list[str]) -> Insert:
    vector = func.array_to_tsvector(literal(found, ARRAY(Text)))
    return insert(t.message_search).values(user_id=user_id, message_id=message_id, tokens=vector)
