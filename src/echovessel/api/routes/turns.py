"""Turns: how far the reply is, stopping it, and why it said what it said."""

import json
from typing import Annotated

from fastapi import APIRouter, Query

from echovessel.api.doors import DoorsDep, OwnerDep, TurnDep
from echovessel.api.dto.talk import TraceView, TurnRef, TurnView
from echovessel.api.feed import turn_frames
from echovessel.api.stream import EventStream
from echovessel.core.errors import NotFound

router = APIRouter(prefix="/turns/{turn_id}", tags=["turns"])

_EVENTS = """Server-sent events of this turn alone: `reply.delta` while the reply grows, then one `reply.done` or
`reply.failed`, and the end. When the user may be in danger, a `message.created` made by `care@…` comes before the reply: show
it, and not as the persona's words. `data:` is as `EventData` describes it."""


@router.get("", operation_id="getTurn")
async def get_turn(turn: TurnDep) -> TurnView:
    """One turn."""
    return TurnView.of(turn)


@router.get(
    "/events",
    operation_id="followTurn",
    status_code=200,
    response_class=EventStream,
    responses={200: {"description": _EVENTS, "content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def follow_turn(
    turn: TurnDep,
    doors: DoorsDep,
    after: Annotated[int, Query(ge=0, description="Characters (code points) of the reply you already have.")] = 0,
) -> EventStream:
    """Follow one reply as it is worded. The stream ends with the turn."""
    return EventStream(turn_frames(doors, turn, after), doors.clock)


@router.post("/stop", operation_id="stopTurn", status_code=202)
async def stop_turn(turn: TurnDep, user: OwnerDep, doors: DoorsDep) -> TurnRef:
    """Stop the reply and keep what was said so far. Stopping a finished turn changes nothing."""
    await doors.front.stop(user.id, turn.id)
    return TurnRef(turn_id=turn.id)


@router.get("/trace", operation_id="getTurnTrace")
async def get_turn_trace(turn: TurnDep, user: OwnerDep, doors: DoorsDep) -> TraceView:
    """What was recalled for the reply, with each factor, and what was left out."""
    trace = await doors.store.trace(user.id, turn.id)
    if trace is None:
        raise NotFound("This turn has no trace.", do="A trace is kept once the reply is being worded.")
    return TraceView(turn_id=turn.id, trace=json.loads(trace))
