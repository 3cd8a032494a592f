"""What was deleted here, seen from other copies of the database: whether they still hold it, and how it leaves them.

A copy may be of an older schema: only tables and columns are named that were there from the first.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select, text

from echovessel.adapters.store import search
from echovessel.adapters.store import tables as t
from echovessel.adapters.store.standalone import reading, writing
from echovessel.adapters.store.transaction import Transaction
from echovessel.adapters.store.wording import erase, erase_from_turns
from echovessel.core.talk import MessageState


@dataclass(frozen=True, slots=True)
class Gone:
    """A message that was deleted, and the turn that worded it: a copy made earlier may hold nothing of it but a draft."""

    user_id: str
    message_id: str
    turn_id: str | None


_ALIVE = f"""
    SELECT m.user_id, m.id, m.turn_id FROM temp.gone g
    JOIN message m ON m.user_id = g.user_id AND m.id = g.message_id
    WHERE m.state != '{MessageState.DELETED}'
"""
_HAS_WORDS = "(t.draft != '' OR json_extract(t.trouble, '$.aside') != '')"
_WORDED = f"""
    SELECT g.user_id, g.message_id AS id, g.turn_id FROM temp.gone g
    JOIN turn t ON t.user_id = g.user_id AND t.id = g.turn_id WHERE {_HAS_WORDS}
    UNION
    SELECT g.user_id, g.message_id AS id, g.turn_id FROM turn t
    JOIN temp.gone g ON g.user_id = t.user_id AND g.message_id = t.regenerates WHERE {_HAS_WORDS}
"""
"""A user's message shares its turn with the reply: erasing the draft of a reply that was kept since loses nothing."""


def deleted_in(path: Path, *, alone: bool = False) -> frozenset[Gone]:
    """What a database knows to be deleted. `alone`: see `standalone.reading`."""
    m = t.message.c
    with reading(path, alone=alone) as conn:
        rows = conn.execute(select(m.user_id, m.id, m.turn_id).where(m.state == MessageState.DELETED))
        return frozenset(Gone(row.user_id, row.id, row.turn_id) for row in rows)


def holds(path: Path, gone: Collection[Gone]) -> bool:
    """Whether a copy that nobody has open still holds words of these messages."""
    if not gone:
        return False
    with reading(path, alone=True) as conn:
        _name(conn, gone)
        return bool(_rows(conn, _ALIVE) or _rows(conn, _WORDED))


def erase_from(path: Path, gone: Collection[Gone], now: datetime) -> None:
    """Delete these messages in a copy that nobody has open, as they were deleted where they are known to be. Its free pages
    may still hold words: `standalone.copy_whole` leaves them behind."""
    with writing(path) as conn:
        _name(conn, gone)
        tx = Transaction(conn=conn, now=now, lease_now=now)
        for row in _rows(conn, _ALIVE):
            erase(tx, row)
        for row in _rows(conn, _WORDED):
            erase_from_turns(tx, row)
        search.forget_removed(conn)


def _name(conn: Connection, gone: Collection[Gone]) -> None:
    conn.execute(text("CREATE TEMP TABLE gone (user_id TEXT, message_id TEXT, turn_id TEXT)"))
    conn.execute(
        text("INSERT INTO temp.gone VALUES (:user, :message, :turn)"),
        [{"user": one.user_id, "message": one.message_id, "turn": one.turn_id} for one in gone],
    )
    conn.execute(text("CREATE INDEX temp.ix_gone ON gone (user_id, message_id)"))


def _rows(conn: Connection, query: str) -> Sequence[Row[Any]]:
    return conn.execute(text(query)).all()
