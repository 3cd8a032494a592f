"""Counting: what was done once is counted once, and a bound holds what ends on it."""

from datetime import UTC, datetime

from echovessel.core.ids import CallId, TurnId, UserId
from echovessel.core.talk import TurnState
from echovessel.ports.changes import Applied, FinishTurn, Outcome, RecordCall
from echovessel.ports.meter import Meter, Times

CALL = RecordCall(
    id=CallId("c"),
    user_id=UserId("u"),
    turn_id=None,
    profile="night",
    role="main",
    model="m",
    prompt="reply@1",
    outcome="ok",
    tokens_in=20,
    tokens_out=7,
    cached_in=5,
    cache_written_in=0,
    estimated=False,
    cost=0,
    seconds=1,
    at=datetime(2026, 1, 1, tzinfo=UTC),
)


def test_times_are_counted_below_the_bound_they_end_on() -> None:
    times = Times((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5, 3.0):
        times.took(seconds)

    assert times.counts == [2, 1, 1]
    assert times.sum == 3.65


def test_turns_calls_and_tokens_are_read_off_what_was_written() -> None:
    meter = Meter()
    finish = FinishTurn(user_id=UserId("u"), turn_id=TurnId("t"), state=TurnState.FAILED, reply=None)

    meter.wrote([finish, CALL], Applied((Outcome(), Outcome())), 0.003)

    assert meter.turns == {"failed": 1}
    assert meter.calls == {("night", "ok"): 1}
    assert meter.tokens == {"in": 20, "cached_in": 5, "out": 7}
    assert sum(meter.write.counts) == 1


def test_a_call_that_was_on_the_ledger_already_is_not_counted_again() -> None:
    meter = Meter()

    meter.wrote([CALL], Applied((Outcome(fresh=False),)), 0.003)

    assert meter.calls == {}


def test_who_listens_is_counted_while_they_do() -> None:
    meter = Meter()
    with meter.listening(), meter.listening():
        assert meter.listeners == 2
    assert meter.listeners == 0
