from hypothesis import given
from hypothesis import strategies as st

from echovessel.core.ids import PersonaId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.flows.live import LiveReplies, Seen, unseen
from echovessel.ports.front import ReplyDelta
from echovessel.ports.meter import Meter
from echovessel.testing.clock import StoppedClock

PAIR = Pair(UserId("u"), PersonaId("p"))
TURN = TurnId("t")


@given(st.lists(st.tuples(st.text(min_size=1), st.booleans())))
def test_a_follower_who_looks_now_and_then_reads_the_whole_reply(pieces: list[tuple[str, bool]]) -> None:
    board = LiveReplies(StoppedClock(), Meter())
    reply = board.begin(TURN, PAIR, attempt=1)
    read, seen = "", None
    for piece, looks in [*pieces, ("", True)]:
        board.say(reply, piece)
        if looks:
            if delta := unseen(reply, seen):
                assert delta.offset == len(read)
                read += delta.text
            seen = Seen(reply.attempt, len(reply.text))
    assert read == reply.text


def test_a_late_reader_gets_a_snapshot() -> None:
    board = LiveReplies(StoppedClock(), Meter())
    reply = board.begin(TURN, PAIR, attempt=1)
    board.say(reply, "so far")
    assert unseen(reply, None) == ReplyDelta(TURN, 0, "so far", reset=True)


def test_a_new_attempt_replaces_what_was_shown() -> None:
    board = LiveReplies(StoppedClock(), Meter())
    board.say(board.begin(TURN, PAIR, attempt=1), "half a sent")
    again = board.begin(TURN, PAIR, attempt=2)
    assert unseen(again, Seen(1, 11)) == ReplyDelta(TURN, 0, "", reset=True)


def test_the_end_of_an_earlier_attempt_leaves_the_later_one_on_the_board() -> None:
    board = LiveReplies(StoppedClock(), Meter())
    first = board.begin(TURN, PAIR, attempt=1)
    second = board.begin(TURN, PAIR, attempt=2)
    board.end(first)
    assert board.of_turn(TURN) is second
    board.end(second)
    assert board.of_user(PAIR.user_id) == []


def test_a_wish_to_stop_reaches_the_reply() -> None:
    board = LiveReplies(StoppedClock(), Meter())
    reply = board.begin(TURN, PAIR, attempt=1)
    board.ask_to_stop(TurnId("another"))
    assert not reply.stop.is_set()
    board.ask_to_stop(TURN)
    assert reply.stop.is_set()


def test_words_ring_for_those_who_follow_their_user_and_for_nobody_else() -> None:
    board = LiveReplies(StoppedClock(), Meter())
    mine, theirs = board.bell_of(PAIR.user_id), board.bell_of(UserId("another"))
    reply = board.begin(TURN, PAIR, attempt=1)
    board.say(reply, "a")
    board.say(reply, "b")
    assert (mine.rings, theirs.rings, board.ends.rings) == (2, 0, 0)

    board.end(reply)
    assert (mine.rings, theirs.rings, board.ends.rings) == (3, 0, 1)
    assert board.bell_of(PAIR.user_id) is mine


def test_a_bell_that_nobody_holds_is_gone() -> None:
    board = LiveReplies(StoppedClock(), Meter())
    board.bell_of(PAIR.user_id)
    assert not board._bells
