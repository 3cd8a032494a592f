"""Copies of the database: which there are, make one now, remove one. Bringing one back needs the daemon stopped."""

from typing import Annotated

from fastapi import APIRouter, Response
from fastapi import Path as InPath

from echovessel.api.doors import DoorsDep
from echovessel.api.dto.backups import BackupList, BackupView
from echovessel.api.openapi import errors

router = APIRouter(prefix="/backups", tags=["backups"])

_Name = Annotated[str, InPath(description="A backup's name.", examples=["20261130T172703Z-asked"])]


@router.get("", operation_id="listBackups", responses=errors(503))
async def list_backups(doors: DoorsDep) -> BackupList:
    """Every backup, where they lie, and whether the automatic one works."""
    kept = await doors.backups.look()
    return BackupList(
        items=[BackupView.of(backup, holds_deleted=backup.name in kept.holding_deleted) for backup in kept.backups],
        folder=doors.backups.folder,
        every_h=doors.settings.current().backup.every_h,
        failing=kept.failing,
    )


@router.post("", operation_id="makeBackup", status_code=201, responses=errors(409, 503))
async def make_backup(doors: DoorsDep) -> BackupView:
    """Make a backup now. It is answered once the copy was opened and read whole; talking goes on meanwhile."""
    return BackupView.of(await doors.backups.make())


@router.delete("/{name}", operation_id="removeBackup", status_code=204, responses=errors(409, 503))
async def remove_backup(name: _Name, doors: DoorsDep) -> Response:
    """Remove a backup for good."""
    await doors.backups.remove(name)
    return Response(status_code=204)
