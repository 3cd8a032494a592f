"""You, as the personas know you."""

from dataclasses import replace

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep, OwnerDep
from echovessel.api.dto.people import Me, MeChange
from echovessel.core.time import zone
from echovessel.ports.changes import PutUser

router = APIRouter(prefix="/me", tags=["you"])


@router.get("", operation_id="getMe")
async def get_me(user: OwnerDep) -> Me:
    """Who you are."""
    return Me.of(user)


@router.patch("", operation_id="changeMe")
async def change_me(change: MeChange, user: OwnerDep, doors: DoorsDep) -> Me:
    """Change your name, time zone or language."""
    if change.zone is not None:
        zone(change.zone)
    changed = replace(user, **change.model_dump(exclude_none=True))
    await doors.store.apply([PutUser(user=changed)])
    return Me.of(changed)
