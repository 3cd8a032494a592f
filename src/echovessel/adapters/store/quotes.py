"""Who repeats whose words: what the keeper quotes goes when the message it comes from is deleted."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Row, delete, exists, insert, or_, select, update

from echovessel.adapters.store import search
from echovessel.adapters.store import tables as t
from echovessel.adapters.store.records import trouble_of, trouble_values
from echovessel.adapters.store.transaction import Transaction
from echovessel.core.ids import UserId
from echovessel.core.talk import MessageState
from echovessel.ports.changes import FinishTurn


def settle(tx: Transaction, change: FinishTurn) -> FinishTurn:
    """The end of a turn as it may be kept: its quotes noted, or without them when a message they come from is gone by now."""
    quotes, reply, trouble = change.quotes, change.reply, change.trouble
    if quotes is None or reply is None:
        return change
    quoted = t.message
    there = tx.conn.scalars(
        select(quoted.c.id).where(
            quoted.c.user_id == change.user_id, quoted.c.id.in_(quotes.of), quoted.c.state != MessageState.DELETED
        )
    ).all()
    if len(there) == len(set(quotes.of)):
        tx.conn.execute(
            insert(t.quote),
            [
                {
                    "user_id": change.user_id,
                    "message_id": message_id,
                    "turn_id": change.turn_id,
                    "text_id": None if trouble else reply.text_id,
                    "instead": quotes.instead,
                }
                for message_id in there
            ],
        )
        return change
    if trouble is not None:
        return replace(change, trouble=replace(trouble, aside=quotes.instead))
    return replace(change, reply=replace(reply, text=quotes.instead))


def take_back(tx: Transaction, row: Row[Any]) -> None:
    """The message `row` is being erased: what stands instead of its words takes their place wherever they are repeated."""
    quote = t.quote
    quoting = tx.conn.execute(
        delete(quote)
        .where(
            quote.c.user_id == row.user_id,
            quote.c.turn_id.in_(
                select(quote.c.turn_id).where(quote.c.user_id == row.user_id, quote.c.message_id == row.id)
            ),
        )
        .returning(quote.c.turn_id, quote.c.text_id, quote.c.instead)
    ).all()
    for turn_id, text_id, instead in set(map(tuple, quoting)):
        if text_id is None:
            _replace_aside(tx, row.user_id, turn_id, instead)
        else:
            _replace_wording(tx, row.user_id, text_id, instead)


def forget(tx: Transaction, row: Row[Any]) -> None:
    """The message `row` is being erased: what it would have said instead of its quotes goes with it."""
    quote, turn = t.quote, t.turn
    tx.conn.execute(
        delete(quote).where(
            quote.c.user_id == row.user_id,
            or_(
                quote.c.turn_id == row.turn_id,
                exists().where(
                    turn.c.user_id == quote.c.user_id, turn.c.id == quote.c.turn_id, turn.c.regenerates == row.id
                ),
            ),
        )
    )


def _replace_aside(tx: Transaction, user_id: UserId, turn_id: str, instead: str) -> None:
    """In the turn's trouble, and in that of its message unless another turn troubled it since."""
    turn, message = t.turn, t.message
    ended = tx.conn.execute(
        select(turn.c.trouble, turn.c.regenerates).where(turn.c.user_id == user_id, turn.c.id == turn_id)
    ).one()
    told = trouble_of(ended.trouble)
    if told is None:
        return
    kept = trouble_values(replace(told, aside=instead))
    tx.conn.execute(update(turn).where(turn.c.user_id == user_id, turn.c.id == turn_id).values(trouble=kept))
    for message_id, trouble in tx.conn.execute(
        select(message.c.id, message.c.trouble).where(
            message.c.user_id == user_id, or_(message.c.turn_id == turn_id, message.c.id == ended.regenerates)
        )
    ).all():
        if trouble_of(trouble) == told:
            tx.conn.execute(
                update(message).where(message.c.user_id == user_id, message.c.id == message_id).values(trouble=kept)
            )
            tx.tell(user_id, "message.edited", message_id)


def _replace_wording(tx: Transaction, user_id: UserId, text_id: str, instead: str) -> None:
    """In a wording, and in the search index if it is the active one."""
    wording, message = t.message_text, t.message
    message_id = tx.conn.scalar(
        update(wording)
        .where(wording.c.user_id == user_id, wording.c.id == text_id)
        .values(text=instead)
        .returning(wording.c.message_id)
    )
    if message_id is None:
        return
    active = tx.conn.scalar(select(message.c.text_id).where(message.c.user_id == user_id, message.c.id == message_id))
    if active == text_id:
        search.replace(tx, user_id, message_id, instead)
    tx.tell(user_id, "message.edited", message_id)
