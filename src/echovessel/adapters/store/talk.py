"""Changes of what was said: conversations, messages heard, said and imported, and what people do with them afterwards."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, assert_never

from sqlalchemy import Row, bindparam, insert, select, update

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.order import after_the_talk, after_the_turn
from echovessel.adapters.store.prepared import Prepared
from echovessel.adapters.store.records import no_such
from echovessel.adapters.store.transaction import Transaction
from echovessel.adapters.store.wording import (
    NewMessage,
    Wording,
    activate,
    add_message,
    add_wording,
    erase,
    live_message,
)
from echovessel.core.errors import Conflict
from echovessel.core.ids import TextId, TurnId
from echovessel.core.talk import MessageState, Speaker, TurnState
from echovessel.ports.changes import (
    ChooseVariant,
    DeleteMessage,
    EditMessage,
    HearMessage,
    ImportMessage,
    OpenConversation,
    Outcome,
    SayMessage,
    TalkChange,
)

_M = t.message
_SAME = select(_M.c.id, _M.c.turn_id, _M.c.conversation_id).where(_M.c.user_id == bindparam("user"))
_OF_PERSONA = _M.c.persona_id == bindparam("persona")
_BY_ID = Prepared(_SAME.where(_M.c.id == bindparam("wanted")))
_BY_ORIGIN = Prepared(_SAME.where(_OF_PERSONA, _M.c.id == bindparam("wanted")))
_BY_CLIENT_ID = Prepared(_SAME.where(_OF_PERSONA, _M.c.client_id == bindparam("wanted")))
_BY_EXTERNAL_ID = Prepared(
    _SAME.where(_OF_PERSONA, _M.c.channel == bindparam("channel"), _M.c.external_id == bindparam("wanted"))
)
_CONVERSATION = Prepared(
    select(t.conversation.c.persona_id, t.conversation.c.channel).where(
        t.conversation.c.user_id == bindparam("user"), t.conversation.c.id == bindparam("conversation")
    )
)
_JOIN_TURN = Prepared(
    update(t.turn)
    .where(
        t.turn.c.user_id == bindparam("user"),
        t.turn.c.persona_id == bindparam("persona"),
        t.turn.c.channel == bindparam("on_channel"),
        t.turn.c.regenerates.is_(None),
        t.is_open,
    )
    .values(due_at=bindparam("due"), asked_to_stop=False)
    .returning(t.turn.c.id)
)
_OPEN_TURN = Prepared(insert(t.turn))


def do(tx: Transaction, change: TalkChange) -> Outcome:
    """Do one change of this subject."""
    match change:
        case OpenConversation():
            return open_conversation(tx, change)
        case HearMessage():
            return hear_message(tx, change)
        case SayMessage():
            return say_message(tx, change)
        case ImportMessage():
            return import_message(tx, change)
        case EditMessage():
            return edit_message(tx, change)
        case ChooseVariant():
            return choose_variant(tx, change)
        case DeleteMessage():
            return delete_message(tx, change)
        case _:
            assert_never(change)


def open_conversation(tx: Transaction, change: OpenConversation) -> Outcome:
    """Open the thread and, the first time, the pair."""
    user_id, persona_id = change.pair.user_id, change.pair.persona_id
    thread = t.conversation
    known = tx.conn.execute(
        select(thread.c.id, thread.c.persona_id).where(
            thread.c.user_id == user_id, thread.c.channel == change.channel, thread.c.key == change.key
        )
    ).first()
    if known is not None and known.persona_id != persona_id:
        raise Conflict(
            "This conversation belongs to another persona and cannot be rebound.",
            do="Open a new conversation for this persona.",
        )
    if known is not None:
        return Outcome(conversation_id=known.id, fresh=False)
    _meet(tx, change)
    tx.conn.execute(
        insert(thread).values(
            user_id=user_id,
            id=change.conversation_id,
            persona_id=persona_id,
            channel=change.channel,
            key=change.key,
            opened_at=change.at,
        )
    )
    tx.tell(user_id, "conversation.opened", change.conversation_id)
    return Outcome(conversation_id=change.conversation_id)


def hear_message(tx: Transaction, change: HearMessage) -> Outcome:
    """Store what a user said; it is on disk before anyone is told that it was heard."""
    known = _known(tx, change, client_id=change.client_id)
    if known is not None:
        return known
    _require_conversation(tx, change)
    turn_id = _collecting_turn(tx, change)
    add_message(
        tx,
        NewMessage(
            message_id=change.message_id,
            text_id=change.text_id,
            turn_id=turn_id,
            conversation_id=change.conversation_id,
            pair=change.pair,
            channel=change.channel,
            speaker=Speaker.USER,
            text=change.text,
            made_by="user",
            sent_at=after_the_talk(tx, change.pair, change.sent_at),
            zone=change.zone,
            client_id=change.client_id,
            external_id=change.external_id,
        ),
    )
    return Outcome(message_id=change.message_id, turn_id=turn_id, conversation_id=change.conversation_id)


def say_message(tx: Transaction, change: SayMessage) -> Outcome:
    """Store what the persona says outside a model reply."""
    known = _known(tx, change)
    if known is not None:
        return known
    _require_conversation(tx, change)
    said = _new(change, Speaker.PERSONA, change.made_by, change.turn_id)
    if change.turn_id is None:
        at = after_the_talk(tx, change.pair, change.sent_at)
    else:
        at = after_the_turn(tx, change.pair.user_id, change.turn_id, change.sent_at)
    add_message(tx, replace(said, sent_at=at))
    return Outcome(message_id=change.message_id, turn_id=change.turn_id, conversation_id=change.conversation_id)


def import_message(tx: Transaction, change: ImportMessage) -> Outcome:
    """Store what was said elsewhere."""
    known = _known(tx, change)
    if known is not None:
        return known
    _require_conversation(tx, change)
    add_message(tx, _new(change, change.speaker, "import", None))
    return Outcome(message_id=change.message_id, conversation_id=change.conversation_id)


def edit_message(tx: Transaction, change: EditMessage) -> Outcome:
    """Add a person's wording and make it the active one."""
    row = live_message(tx, change.user_id, change.message_id)
    if _wording(tx, row, change.text_id) is not None:
        return Outcome(message_id=change.message_id, fresh=False)
    add_wording(tx, row, Wording(text_id=change.text_id, text=change.text, made_by="edit", made_at=change.at))
    return Outcome(message_id=change.message_id)


def choose_variant(tx: Transaction, change: ChooseVariant) -> Outcome:
    """Make an earlier wording the active one again, with the state it had."""
    row = live_message(tx, change.user_id, change.message_id)
    chosen = _wording(tx, row, change.text_id)
    if chosen is None:
        raise no_such("wording")
    if row.text_id == change.text_id:
        return Outcome(message_id=change.message_id, fresh=False)
    activate(tx, change.user_id, change.message_id, chosen)
    return Outcome(message_id=change.message_id)


def delete_message(tx: Transaction, change: DeleteMessage) -> Outcome:
    """Erase the words; the row stays, so that the timeline keeps its place and the client id stays known."""
    row = tx.conn.execute(
        select(t.message).where(t.message.c.user_id == change.user_id, t.message.c.id == change.message_id)
    ).first()
    if row is None:
        raise no_such("message")
    if row.state == MessageState.DELETED:
        return Outcome(message_id=change.message_id, fresh=False)
    erase(tx, row)
    return Outcome(message_id=change.message_id)


# ---------------------------------------------------------------- steps


def _meet(tx: Transaction, change: OpenConversation) -> None:
    user_id, persona_id = change.pair.user_id, change.pair.persona_id
    pair = t.pair
    if tx.conn.scalar(select(pair.c.met_at).where(pair.c.user_id == user_id, pair.c.persona_id == persona_id)):
        return
    if tx.conn.scalar(select(t.user.c.id).where(t.user.c.id == user_id)) is None:
        raise no_such("user")
    if tx.conn.scalar(select(t.persona.c.id).where(t.persona.c.id == persona_id)) is None:
        raise no_such("persona")
    tx.conn.execute(insert(pair).values(user_id=user_id, persona_id=persona_id, met_at=change.at))


def _known(
    tx: Transaction, change: HearMessage | SayMessage | ImportMessage, client_id: str | None = None
) -> Outcome | None:
    """The outcome for a message that is there already, by any of its ids."""
    found = _find(tx, _BY_ID, change, change.message_id)
    if found is None and client_id is not None:
        found = _find(tx, _BY_CLIENT_ID, change, client_id)
    if found is None and change.external_id is not None:
        found = _find(tx, _BY_EXTERNAL_ID, change, change.external_id)
    if found is None and isinstance(change, ImportMessage) and change.origin is not None:
        found = _find(tx, _BY_ORIGIN, change, change.origin)
    if found is None:
        return None
    message_id, turn_id, conversation_id = found
    return Outcome(message_id=message_id, turn_id=turn_id, conversation_id=conversation_id, fresh=False)


def _find(
    tx: Transaction, way: Prepared, change: HearMessage | SayMessage | ImportMessage, wanted: str
) -> Sequence[Any] | None:
    place = {"user": change.pair.user_id, "persona": change.pair.persona_id, "channel": change.channel}
    return way.first(tx.conn, {**place, "wanted": wanted})


def _require_conversation(tx: Transaction, change: HearMessage | SayMessage | ImportMessage) -> None:
    found = _CONVERSATION.first(tx.conn, {"user": change.pair.user_id, "conversation": change.conversation_id})
    if found is None:
        raise no_such("conversation")
    if tuple(found) != (change.pair.persona_id, change.channel):
        raise Conflict(
            "This conversation belongs to another persona or channel.",
            do="Say it in a conversation of this persona on this channel.",
        )


def _collecting_turn(tx: Transaction, change: HearMessage) -> TurnId:
    """The open turn of the pair and channel, due later now; else a new one. What was said after a stop is answered."""
    pair = change.pair
    joined = _JOIN_TURN.first(
        tx.conn,
        {
            "user": pair.user_id,
            "persona": pair.persona_id,
            "on_channel": change.channel,
            "due": change.due_at,
        },
    )
    if joined is not None:
        return TurnId(joined[0])
    _OPEN_TURN.first(
        tx.conn,
        {
            "user_id": pair.user_id,
            "id": change.turn_id,
            "persona_id": pair.persona_id,
            "conversation_id": change.conversation_id,
            "channel": change.channel,
            "state": TurnState.OPEN,
            "opened_at": change.sent_at,
            "due_at": change.due_at,
            "attempts": 0,
            "asked_to_stop": False,
            "draft": "",
        },
    )
    return change.turn_id


def _new(change: SayMessage | ImportMessage, speaker: Speaker, made_by: str, turn_id: TurnId | None) -> NewMessage:
    return NewMessage(
        message_id=change.message_id,
        text_id=change.text_id,
        turn_id=turn_id,
        conversation_id=change.conversation_id,
        pair=change.pair,
        channel=change.channel,
        speaker=speaker,
        text=change.text,
        made_by=made_by,
        sent_at=change.sent_at,
        zone=change.zone,
        external_id=change.external_id,
    )


def _wording(tx: Transaction, row: Row[Any], text_id: TextId) -> Wording | None:
    """This wording of the message `row`."""
    found = tx.conn.execute(
        select(t.message_text).where(
            t.message_text.c.user_id == row.user_id,
            t.message_text.c.message_id == row.id,
            t.message_text.c.id == text_id,
        )
    ).first()
    if found is None:
        return None
    return Wording(
        text_id=found.id,
        text=found.text,
        made_by=found.made_by,
        made_at=found.made_at,
        state=MessageState(found.state),
    )
