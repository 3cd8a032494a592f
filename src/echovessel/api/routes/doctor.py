"""Is everything in order?"""

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep
from echovessel.api.dto.system import CheckList, CheckView

router = APIRouter(tags=["how it is"])


@router.get("/doctor", operation_id="examine")
async def examine(doors: DoorsDep) -> CheckList:
    """Look at database, vectors, model and jobs. It asks the connected model for one word."""
    return CheckList(items=[CheckView.of(check) for check in await doors.doctor()])
