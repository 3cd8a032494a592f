"""A talk is told in the order in which it was said, also when the machine's clock was set back in the middle of it."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, bindparam, func, select

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.prepared import Prepared
from echovessel.adapters.store.transaction import Transaction
from echovessel.core.ids import TurnId, UserId
from echovessel.core.pair import Pair

_M = t.message
_OF_USER = _M.c.user_id == bindparam("user")
_OF_PAIR = (_OF_USER, _M.c.persona_id == bindparam("persona"), _M.c.turn_id.is_not(None))
_OF_TURN = (_OF_USER, _M.c.turn_id == bindparam("turn"))


def _later(*of: ColumnElement[bool]) -> Prepared:
    return Prepared(select(_M.c.id).where(*of, _M.c.sent_at > bindparam("at")).limit(1))


_LATER_IN_PAIR, _LATER_IN_TURN = _later(*_OF_PAIR), _later(*_OF_TURN)
_STEP = timedelta(milliseconds=1)


def after_the_talk(tx: Transaction, pair: Pair, at: datetime) -> datetime:
    """When something said now counts as sent: `at`, unless a turn of this pair said something later; then just after that. What
    was imported moves nothing: its times are those of another clock."""
    values = {"user": pair.user_id, "persona": pair.persona_id}
    if _LATER_IN_PAIR.first(tx.conn, {**values, "at": at}) is None:
        return at
    newest = select(_M.c.sent_at).where(*_OF_PAIR).order_by(_M.c.sent_at.desc()).limit(1)
    return tx.conn.execute(newest, values).scalar_one() + _STEP


def after_the_turn(tx: Transaction, user_id: UserId, turn_id: TurnId, at: datetime) -> datetime:
    """When an answer to the turn counts as sent: `at`, unless what it answers was sent later; then just after that. What was
    heard while it was being worded comes after it."""
    values = {"user": user_id, "turn": turn_id}
    if _LATER_IN_TURN.first(tx.conn, {**values, "at": at}) is None:
        return at
    return tx.conn.execute(select(func.max(_M.c.sent_at)).where(*_OF_TURN), values).scalar_one() + _STEP
