"""One stream of everything that happens."""

import re
from typing import Annotated

from fastapi import APIRouter, Header, Query

from echovessel.api.doors import DoorsDep, OwnerDep
from echovessel.api.feed import frames
from echovessel.api.stream import EventStream
from echovessel.core.errors import BadInput

router = APIRouter(tags=["events"])

_DESCRIPTION = """Server-sent events. `event:` is a name of `EventData`, `data:` the JSON described there. Stored events carry
`id:`; send the last one as `Last-Event-ID` (or `?after=`) to be told what you missed. Pieces of a growing reply carry no id:
who joins late first gets all of it with `reset`. A comment comes every 15 s."""


@router.get(
    "/events",
    operation_id="events",
    status_code=200,
    response_class=EventStream,
    responses={200: {"description": _DESCRIPTION, "content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def events(
    user: OwnerDep,
    doors: DoorsDep,
    last_event_id: Annotated[str | None, Header(description="The id of the last event you saw.")] = None,
    after: Annotated[str | None, Query(description="The same, where headers cannot be set.")] = None,
) -> EventStream:
    """Follow what happens: messages, replies as they are worded, changes."""
    seen = _seq(last_event_id, "Last-Event-ID") if last_event_id else _seq(after, "after")
    return EventStream(frames(doors, user.id, seen), doors.clock)


def _seq(value: str | None, field: str) -> int | None:
    if not value:
        return None
    if not re.fullmatch(r"[0-9]{1,18}", value):
        raise BadInput(
            f"`{field}` is not an event's id.", field=field, do="Send the `id:` of an event, or leave it out."
        )
    return int(value)
