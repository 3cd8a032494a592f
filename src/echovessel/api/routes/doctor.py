"""Is everything in order?"""

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep
from echovessel.api.dto.system import CheckList, CheckView

router = APIRouter(tags=["how it is"])


@router.get("/doctor", operation_id="examine")
async def examine(doors: DoorsDep) -> CheckList:
    """Look at database, clock, embedder, models, jobs, backups and loops. Each model is asked for a sentence: it may cost."""
    return CheckList(items=[CheckView.of(check) for check in await doors.doctor()])
