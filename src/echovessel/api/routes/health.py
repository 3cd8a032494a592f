"""Is it up, and is it ready: for supervisors and scripts, without a token."""

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep
from echovessel.api.dto.system import Health
from echovessel.api.openapi import errors
from echovessel.api.problems import Refused

router = APIRouter(tags=["health"])


@router.get("/healthz", operation_id="healthz")
async def healthz() -> Health:
    """The process answers."""
    return Health()


@router.get("/readyz", operation_id="readyz", responses=errors(503))
async def readyz(doors: DoorsDep) -> Health:
    """Messages are taken, kept and answered."""
    if down := doors.store.down:
        raise Refused(503, down.code, down.message, do=down.do)
    if not doors.ready():
        raise Refused(
            503,
            "not-ready",
            "EchoVessel is starting or stopping, or a part of it fails and is tried again.",
            do="Ask again in a moment; if it stays, look into the log of the home.",
        )
    return Health()
