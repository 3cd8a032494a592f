"""How messages and their wordings are written; what asks for it is in `talk` and `turns`."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, or_, select, update

from echovessel.adapters.store import quotes, search
from echovessel.adapters.store import tables as t
from echovessel.adapters.store.prepared import Prepared
from echovessel.adapters.store.records import no_such, trouble_values
from echovessel.adapters.store.transaction import Transaction
from echovessel.core.ids import ConversationId, MessageId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import MessageState, Speaker, Trouble

_NO_MEMORIES = ("keeper@", "care@")

_ADD_MESSAGE = Prepared(insert(t.message))
_ADD_WORDING = Prepared(insert(t.message_text))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message with its first wording."""

    message_id: MessageId
    text_id: TextId
    turn_id: TurnId | None
    conversation_id: ConversationId
    pair: Pair
    channel: str
    speaker: Speaker
    text: str
    made_by: str
    sent_at: datetime
    zone: str
    state: MessageState = MessageState.COMPLETE
    client_id: str | None = None
    external_id: str | None = None
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Another wording of a message. `state` is the message's while this wording is active."""

    text_id: TextId
    text: str
    made_by: str
    made_at: datetime
    state: MessageState = MessageState.COMPLETE


def add_message(tx: Transaction, new: NewMessage) -> None:
    """Store a message, make it findable and tell its user."""
    user_id = new.pair.user_id
    _ADD_MESSAGE.first(
        tx.conn,
        {
            "user_id": user_id,
            "id": new.message_id,
            "persona_id": new.pair.persona_id,
            "conversation_id": new.conversation_id,
            "turn_id": new.turn_id,
            "channel": new.channel,
            "speaker": new.speaker,
            "state": new.state,
            "sent_at": new.sent_at,
            "zone": new.zone,
            "text_id": new.text_id,
            "client_id": new.client_id,
            "external_id": new.external_id,
            "trouble": trouble_values(new.trouble),
        },
    )
    first = Wording(text_id=new.text_id, text=new.text, made_by=new.made_by, made_at=new.sent_at, state=new.state)
    _insert_wording(tx, user_id, new.message_id, first)
    search.add(tx, user_id, new.message_id, new.text)
    tx.tell(user_id, "message.created", new.message_id)


def add_wording(tx: Transaction, row: Row[Any], new: Wording, trouble: Trouble | None = None) -> None:
    """Add a wording to the message `row` and make it the active one. An empty wording it had (a reply that failed before
    its first word) gives way."""
    _insert_wording(tx, row.user_id, row.id, new)
    activate(tx, row.user_id, row.id, new, trouble)
    tx.conn.execute(
        delete(t.message_text).where(
            t.message_text.c.user_id == row.user_id,
            t.message_text.c.message_id == row.id,
            t.message_text.c.id != new.text_id,
            t.message_text.c.text == "",
        )
    )


def activate(
    tx: Transaction, user_id: UserId, message_id: MessageId, wording: Wording, trouble: Trouble | None = None
) -> None:
    """Make an existing wording the active one and tell the message's user."""
    tx.conn.execute(
        update(t.message)
        .where(t.message.c.user_id == user_id, t.message.c.id == message_id)
        .values(text_id=wording.text_id, state=wording.state, trouble=trouble_values(trouble))
    )
    search.replace(tx, user_id, message_id, wording.text)
    tx.tell(user_id, "message.edited", message_id)


def erase(tx: Transaction, row: Row[Any]) -> None:
    """Erase every word of the message `row`: wordings, vectors, search tokens, trouble, drafts and quotes of it; tell its
    user."""
    wordings = t.message_text
    mine = (wordings.c.user_id == row.user_id, wordings.c.message_id == row.id)
    tx.conn.execute(
        delete(t.text_vector).where(
            t.text_vector.c.user_id == row.user_id, t.text_vector.c.text_id.in_(select(wordings.c.id).where(*mine))
        )
    )
    tx.conn.execute(delete(wordings).where(*mine))
    search.remove(tx.conn, row.user_id, row.id)
    tx.conn.execute(
        update(t.message)
        .where(t.message.c.user_id == row.user_id, t.message.c.id == row.id)
        .values(state=MessageState.DELETED, trouble=None)
    )
    quotes.take_back(tx, row)
    quotes.forget(tx, row)
    erase_from_turns(tx, row)
    tx.tell(row.user_id, "message.deleted", row.id)


def erase_from_turns(tx: Transaction, row: Row[Any]) -> None:
    """The turns that worded the message, or are about to, may hold a draft of it and what the keeper said in its place."""
    turn = t.turn
    turns = tx.conn.execute(
        select(turn.c.id, turn.c.trouble).where(
            turn.c.user_id == row.user_id, or_(turn.c.id == row.turn_id, turn.c.regenerates == row.id)
        )
    ).all()
    for turn_id, trouble in turns:
        tx.conn.execute(
            update(turn)
            .where(turn.c.user_id == row.user_id, turn.c.id == turn_id)
            .values(draft="", trouble=trouble and {**trouble, "aside": ""})
        )


def live_message(tx: Transaction, user_id: UserId, message_id: MessageId) -> Row[Any]:
    """The message's row, for a change that needs its words; NotFound when they are gone or someone else's."""
    row = tx.conn.execute(
        select(t.message).where(
            t.message.c.user_id == user_id, t.message.c.id == message_id, t.message.c.state != MessageState.DELETED
        )
    ).first()
    if row is None:
        raise no_such("message")
    return row


def _may_be_recalled(new: Wording) -> bool:
    """Not what the keeper or the care text says: these are no memories. A message that failed has no words."""
    return bool(new.text) and not new.made_by.startswith(_NO_MEMORIES)


def _insert_wording(tx: Transaction, user_id: UserId, message_id: MessageId, new: Wording) -> None:
    _ADD_WORDING.first(
        tx.conn,
        {
            "user_id": user_id,
            "id": new.text_id,
            "message_id": message_id,
            "state": new.state,
            "made_by": new.made_by,
            "made_at": new.made_at,
            "embedded_by": "" if _may_be_recalled(new) else None,
            "text": new.text,
        },
    )
