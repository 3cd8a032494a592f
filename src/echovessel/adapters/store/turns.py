"""Turns: claimed under a lease, worded, finished; stopped and opened again by people."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, assert_never

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    bindparam,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from echovessel.adapters.store import quotes
from echovessel.adapters.store import tables as t
from echovessel.adapters.store.order import after_the_turn
from echovessel.adapters.store.prepared import Prepared
from echovessel.adapters.store.records import no_such, trouble_values, turn_of
from echovessel.adapters.store.transaction import Transaction
from echovessel.adapters.store.wording import NewMessage, Wording, add_message, add_wording, live_message
from echovessel.core.errors import Conflict, FenceLost
from echovessel.core.ids import TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import MessageState, Speaker, Turn, TurnState
from echovessel.ports.changes import (
    AskToStop,
    ClaimTurn,
    Fence,
    FenceKind,
    FinishTurn,
    OpenReroll,
    Outcome,
    Reply,
    SaveDraft,
    TurnChange,
)
from echovessel.ports.records import DueTurns
from echovessel.ports.settings import LONGEST_DEBOUNCE_S

# ---------------------------------------------------------------- changes


_LONGEST_DEBOUNCE = timedelta(seconds=LONGEST_DEBOUNCE_S)


def do(tx: Transaction, change: TurnChange, fence: Fence | None) -> Outcome:
    """Do one change of this subject."""
    match change:
        case ClaimTurn():
            return claim_turn(tx, change)
        case SaveDraft():
            return save_draft(tx, change, fence)
        case FinishTurn():
            return finish_turn(tx, change, fence)
        case AskToStop():
            return ask_to_stop(tx, change)
        case OpenReroll():
            return open_reroll(tx, change)
        case _:
            assert_never(change)


def claim_turn(tx: Transaction, change: ClaimTurn) -> Outcome:
    """Take a due open turn, or a running one whose worker let its lease run out; never a second one of a pair."""
    row = _ONE_FREE.first(tx.conn, _this(change))
    if row is None or not _claimable(tx, row):
        return Outcome(turn_id=change.turn_id, fresh=False)
    claimed = {
        "state": TurnState.RUNNING,
        "attempts": row.attempts + 1,
        "lease_token": change.lease.token,
        "lease_until": tx.lease_now + timedelta(seconds=change.lease.seconds),
    }
    _CLAIM.first(tx.conn, {**_this(change), **claimed})
    tx.tell(change.user_id, "turn.changed", change.turn_id)
    return Outcome(turn_id=change.turn_id, turn=turn(tx.conn, change.user_id, change.turn_id))


def save_draft(tx: Transaction, change: SaveDraft, fence: Fence | None) -> Outcome:
    """Keep the reply so far; the lease then lasts as long again. Of a message erased meanwhile not a word is kept."""
    require_fence(fence, FenceKind.TURN, change.turn_id)
    worded = t.message.alias("worded")
    erased = exists().where(
        worded.c.user_id == t.turn.c.user_id,
        worded.c.id == t.turn.c.regenerates,
        worded.c.state == MessageState.DELETED,
    )
    row = tx.conn.execute(
        select(t.turn.c.asked_to_stop, erased.label("erased")).where(*_mine(change.user_id, change.turn_id))
    ).first()
    if row is None:
        raise no_such("turn")
    tx.conn.execute(
        update(t.turn)
        .where(*_mine(change.user_id, change.turn_id))
        .values(
            draft="" if row.erased else change.text,
            lease_until=tx.lease_now + timedelta(seconds=change.lease_seconds),
        )
    )
    return Outcome(turn_id=change.turn_id, stop_asked=row.asked_to_stop or row.erased)


def finish_turn(tx: Transaction, change: FinishTurn, fence: Fence | None) -> Outcome:
    """End the turn and store its words in the same transaction."""
    require_fence(fence, FenceKind.TURN, change.turn_id)
    row = _ONE.first(tx.conn, _this(change))
    if row is None:
        raise no_such("turn")
    change = quotes.settle(tx, change)
    ended = {
        "state": change.state,
        "trouble": trouble_values(change.trouble),
        "draft": "",
        "lease_token": None,
        "lease_until": None,
    }
    _END.first(tx.conn, {**_this(change), **ended})
    if row.regenerates is not None:
        _finish_reroll(tx, row, change)
    elif change.reply is not None:
        _finish_reply(tx, row, change, change.reply)
    tx.tell(change.user_id, "reply.failed" if change.state is TurnState.FAILED else "reply.done", change.turn_id)
    shown = row.regenerates or (change.reply.message_id if change.reply else None)
    return Outcome(turn_id=change.turn_id, message_id=shown)


def ask_to_stop(tx: Transaction, change: AskToStop) -> Outcome:
    """Leave word for the worker; an open turn need not wait for its burst to end."""
    row = tx.conn.execute(select(t.turn).where(*_mine(change.user_id, change.turn_id)).with_for_update()).first()
    if row is None:
        raise no_such("turn")
    if row.asked_to_stop or row.state not in (TurnState.OPEN, TurnState.RUNNING):
        return Outcome(turn_id=change.turn_id, fresh=False)
    due = min(row.due_at, tx.now) if row.state == TurnState.OPEN else row.due_at
    tx.conn.execute(update(t.turn).where(*_mine(change.user_id, change.turn_id)).values(asked_to_stop=True, due_at=due))
    tx.tell(change.user_id, "turn.changed", change.turn_id)
    return Outcome(turn_id=change.turn_id)


def open_reroll(tx: Transaction, change: OpenReroll) -> Outcome:
    """Open a turn that words a persona message again."""
    if turn(tx.conn, change.user_id, change.turn_id) is not None:
        return Outcome(turn_id=change.turn_id, message_id=change.message_id, fresh=False)
    row = live_message(tx, change.user_id, change.message_id)
    if row.speaker != Speaker.PERSONA:
        raise Conflict("Only what the persona said can be worded again.", do="Edit your own message instead.")
    waiting = and_(t.is_open, t.turn.c.channel == row.channel)
    if tx.conn.scalar(
        select(t.turn.c.id).where(*_of_pair(Pair(row.user_id, row.persona_id)), or_(t.is_running, waiting)).limit(1)
    ):
        raise Conflict("A reply is on its way.", do="Wait until it is there, or stop it first.")
    tx.conn.execute(
        insert(t.turn).values(
            user_id=change.user_id,
            id=change.turn_id,
            persona_id=row.persona_id,
            conversation_id=row.conversation_id,
            channel=row.channel,
            state=TurnState.OPEN,
            opened_at=change.at,
            due_at=change.at,
            regenerates=change.message_id,
        )
    )
    tx.tell(change.user_id, "turn.changed", change.turn_id)
    return Outcome(turn_id=change.turn_id, message_id=change.message_id)


# ---------------------------------------------------------------- steps


def require_fence(fence: Fence | None, kind: FenceKind, owned: str) -> None:
    """The change needs the lease on exactly this turn or job; whether it still holds was checked before any change."""
    if fence is None or fence.kind is not kind or fence.id != owned:
        raise FenceLost(f"{kind} {owned}")


def _claimable(tx: Transaction, row: Row[Any]) -> bool:
    if row.state == TurnState.RUNNING:
        return row.lease_until <= tx.lease_now
    if row.state != TurnState.OPEN or tx.now < row.due_at <= tx.now + _LONGEST_DEBOUNCE:
        return False
    return _RUNNING.first(tx.conn, {"user": row.user_id, "persona": row.persona_id}) is None


def _finish_reply(tx: Transaction, row: Row[Any], change: FinishTurn, reply: Reply) -> None:
    """The reply becomes a new message, said in the persona's zone; a persona without one lives where the user does."""
    zone = _ZONE_OF_PERSONA.scalar(tx.conn, {"persona": row.persona_id}) or _ZONE_OF_USER.scalar(
        tx.conn, {"user": row.user_id}
    )
    add_message(
        tx,
        NewMessage(
            message_id=reply.message_id,
            text_id=reply.text_id,
            turn_id=change.turn_id,
            conversation_id=row.conversation_id,
            pair=Pair(row.user_id, row.persona_id),
            channel=row.channel,
            speaker=Speaker.PERSONA,
            text=reply.text,
            made_by=reply.made_by,
            sent_at=after_the_turn(tx, row.user_id, change.turn_id, reply.sent_at),
            zone=zone or "UTC",
            state=reply.state,
            trouble=change.trouble,
        ),
    )


def _finish_reroll(tx: Transaction, row: Row[Any], change: FinishTurn) -> None:
    """The reply becomes another wording. Without words only the trouble is kept; a message erased meanwhile stays erased."""
    message = tx.conn.execute(
        select(t.message).where(t.message.c.user_id == row.user_id, t.message.c.id == row.regenerates)
    ).one()
    if message.state == MessageState.DELETED:
        return
    reply = change.reply
    if reply is not None and reply.text:
        wording = Wording(
            text_id=reply.text_id,
            text=reply.text,
            made_by=reply.made_by,
            made_at=reply.sent_at,
            state=reply.state,
        )
        add_wording(tx, message, wording, change.trouble)
    elif change.trouble is not None:
        tx.conn.execute(
            update(t.message)
            .where(t.message.c.user_id == row.user_id, t.message.c.id == message.id)
            .values(trouble=trouble_values(change.trouble))
        )
        tx.tell(row.user_id, "message.edited", message.id)


def _this(change: TurnChange) -> dict[str, str]:
    """Which turn the statements below are about."""
    return {"user": change.user_id, "turn": change.turn_id}


def _mine(user_id: UserId, turn_id: TurnId) -> tuple[Any, Any]:
    return (t.turn.c.user_id == user_id, t.turn.c.id == turn_id)


def _of_pair(pair: Pair) -> tuple[Any, Any]:
    return (t.turn.c.user_id == pair.user_id, t.turn.c.persona_id == pair.persona_id)


# ---------------------------------------------------------------- reads


def counts(conn: Connection) -> Mapping[TurnState, int]:
    """How many turns wait for the end of their burst or a worker, and how many are being answered."""
    return {
        state: conn.scalar(select(func.count()).select_from(t.turn).where(is_so)) or 0
        for state, is_so in ((TurnState.OPEN, t.is_open), (TurnState.RUNNING, t.is_running))
    }


def turn(conn: Connection, user_id: UserId, turn_id: TurnId) -> Turn | None:
    """One turn."""
    row = _ONE.first(conn, {"user": user_id, "turn": turn_id})
    return turn_of(row) if row else None


def due(conn: Connection, now: datetime, lease_now: datetime, *, limit: int) -> DueTurns:
    """What can be claimed: open turns that are due, or were due under a clock that has been set back since, and running ones
    whose lease ran out. What comes next is told by this process's clock."""
    rows = [*_DUE.all(conn, {"now": now, "too_late": now + _LONGEST_DEBOUNCE, "most": limit})]
    rows += _ABANDONED.all(conn, {"now": lease_now, "most": limit})
    first = sorted(rows, key=lambda row: (row.due_at, row.id))[:limit]
    next_due, lease_ends = _NEXT_DUE.scalar(conn, {"now": now}), _NEXT_LEASE_END.scalar(conn, {"now": lease_now})
    coming = (at for at in (next_due, on_our_clock(lease_ends, now, lease_now)) if at)
    return DueTurns(now=[turn_of(row) for row in first], next_at=min(coming, default=None))


def on_our_clock(until: datetime | None, now: datetime, lease_now: datetime) -> datetime | None:
    """The end of a lease, which the database's clock judges, as this process's clock will show it."""
    return None if until is None else now + (until - lease_now)


def _is_free() -> ColumnElement[bool]:
    """An open turn that waits for no other: while its pair has a running one, live or abandoned, it does."""
    busy = t.turn.alias("busy")
    taken = exists().where(
        busy.c.user_id == t.turn.c.user_id,
        busy.c.persona_id == t.turn.c.persona_id,
        busy.c.state == literal_column("'running'"),
    )
    return and_(t.is_open, ~taken)


# Built once: every turn asks, and the loops after every ring of the bell.
_THIS = (t.turn.c.user_id == bindparam("user"), t.turn.c.id == bindparam("turn"))
_ONE = Prepared(select(t.turn).where(*_THIS))
_ONE_FREE = Prepared(select(t.turn).where(*_THIS).with_for_update(skip_locked=True))
_CLAIM, _END = (Prepared(update(t.turn).where(*_THIS)) for _ in range(2))  # each sets columns of its own
_RUNNING = Prepared(
    select(t.turn.c.id).where(
        t.turn.c.user_id == bindparam("user"), t.turn.c.persona_id == bindparam("persona"), t.is_running
    )
)
_ZONE_OF_PERSONA = Prepared(select(t.persona.c.zone).where(t.persona.c.id == bindparam("persona")))
_ZONE_OF_USER = Prepared(select(t.user.c.zone).where(t.user.c.id == bindparam("user")))
_OLDEST_FIRST = (t.turn.c.due_at, t.turn.c.id)
_HAS_COME = or_(t.turn.c.due_at <= bindparam("now"), t.turn.c.due_at > bindparam("too_late"))
_DUE = Prepared(select(t.turn).where(_is_free(), _HAS_COME).order_by(*_OLDEST_FIRST).limit(bindparam("most")))
_IS_OVER = t.turn.c.lease_until <= bindparam("now")
_ABANDONED = Prepared(select(t.turn).where(t.is_running, _IS_OVER).order_by(*_OLDEST_FIRST).limit(bindparam("most")))
_NEXT_DUE = Prepared(select(func.min(t.turn.c.due_at)).where(_is_free(), t.turn.c.due_at > bindparam("now")))
_NEXT_LEASE_END = Prepared(
    select(func.min(t.turn.c.lease_until)).where(t.is_running, t.turn.c.lease_until > bindparam("now"))
)
