"""What belongs to one turn, each read together in one snapshot: what it is answered from, and what came of it so far."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from echovessel.adapters.store import people, timeline, turns
from echovessel.core.ids import TurnId, UserId
from echovessel.core.talk import Message, Speaker, Turn
from echovessel.ports.records import Stage, TurnSoFar


def stage(conn: Connection, turn: Turn, *, history: int, aside: str, since: datetime) -> Stage:
    """What the turn is answered from."""
    pair = turn.pair
    said = _answered(conn, turn)
    begins = next((m.id for m in said if m.speaker is Speaker.USER), None)
    before = None if turn.regenerates is None else begins
    return Stage(
        user=people.user(conn, pair.user_id),
        persona=people.persona(conn, pair.persona_id),
        blocks=people.core_blocks(conn, pair),
        said=said,
        history=timeline.newest(conn, pair, before, history),
        aside=timeline.worded_since(conn, pair, aside, since),
    )


def _answered(conn: Connection, turn: Turn) -> Sequence[Message]:
    """The messages of the turn, or of that whose reply it words again."""
    answers = turn.id
    if turn.regenerates is not None:
        worded = timeline.message(conn, turn.pair.user_id, turn.regenerates)
        if worded is None or worded.turn_id is None:
            return ()
        answers = worded.turn_id
    return timeline.turn_messages(conn, turn.pair.user_id, answers)


def turn_so_far(conn: Connection, user_id: UserId, turn_id: TurnId) -> TurnSoFar | None:
    """The turn with its messages."""
    turn = turns.turn(conn, user_id, turn_id)
    if turn is None:
        return None
    return TurnSoFar(
        turn=turn,
        messages=timeline.turn_messages(conn, user_id, turn_id),
        worded=timeline.message(conn, user_id, turn.regenerates) if turn.regenerates else None,
    )
