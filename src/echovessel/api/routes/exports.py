"""Taking a pair elsewhere."""

from urllib.parse import quote

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from echovessel.api.doors import DoorsDep, PairDep, PersonaDep
from echovessel.api.zipped import zipped

router = APIRouter(tags=["exports"])

_DESCRIPTION = "A zip archive: messages.jsonl, core-blocks.jsonl, persona.json, the card, me.json, manifest.json."
_SCHEMA = {"type": "string", "format": "binary"}


@router.get(
    "/personas/{persona_id}/export",
    operation_id="exportPair",
    response_class=StreamingResponse,
    responses={200: {"description": _DESCRIPTION, "content": {"application/zip": {"schema": _SCHEMA}}}},
)
async def export_pair(persona: PersonaDep, pair: PairDep, doors: DoorsDep) -> StreamingResponse:
    """Everything that was said with a persona, and what it knows of itself and of you, as it is streamed."""
    now = doors.clock.now()
    named = quote(f"{persona.name}-{now:%Y-%m-%d}.zip", safe="")
    return StreamingResponse(
        zipped(doors.export(pair), now),
        media_type="application/zip",
        headers={"Content-Disposition": f"attachment; filename=\"echovessel.zip\"; filename*=UTF-8''{named}"},
    )
