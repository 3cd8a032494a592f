"""The personas that ship with the program."""

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep
from echovessel.api.dto.people import LibraryList, LibraryTake, LibraryView, PersonaView

router = APIRouter(prefix="/library", tags=["library"])


@router.get("", operation_id="listLibrary")
async def list_library(doors: DoorsDep) -> LibraryList:
    """What is on the shelf, one entry a persona and language."""
    return LibraryList(items=[LibraryView.of(entry) for entry in doors.library.shelf()])


@router.post("/{slug}", operation_id="takeFromLibrary", status_code=201)
async def take_from_library(slug: str, take: LibraryTake, doors: DoorsDep) -> PersonaView:
    """Make a persona of your own from one on the shelf."""
    return PersonaView.of(await doors.library.take(slug, take.locale))
