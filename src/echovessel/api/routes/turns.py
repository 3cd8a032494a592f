"""Turns: how far the reply is, stopping it, and why it said what it said."""

import json

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep, OwnerDep, TurnDep
from echovessel.api.dto.talk import TraceView, TurnRef, TurnView
from echovessel.core.errors import NotFound

router = APIRouter(prefix="/turns/{turn_id}", tags=["turns"])


@router.get("", operation_id="getTurn")
async def get_turn(turn: TurnDep) -> TurnView:
    """One turn."""
    return TurnView.of(turn)


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
