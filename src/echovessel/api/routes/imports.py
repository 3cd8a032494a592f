"""Taking in history that was said elsewhere."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from echovessel.api.doors import DoorsDep, PairDep
from echovessel.api.dto.system import ImportQuery, ImportView
from echovessel.api.openapi import raw_body
from echovessel.api.upload import spooled, text_lines

router = APIRouter(tags=["imports"])


@router.post(
    "/personas/{persona_id}/imports",
    operation_id="importHistory",
    openapi_extra=raw_body(
        "application/jsonl", "History, one JSON object a line, in UTF-8; at most 200 MB.", schema_type="string"
    ),
)
async def import_history(
    request: Request, query: Annotated[ImportQuery, Query()], pair: PairDep, doors: DoorsDep
) -> ImportView:
    """Add history to a persona's timeline. Nothing is written before the whole upload is here; importing it again adds
    nothing."""
    async with spooled(request.stream()) as upload:
        report = await doors.ingest(pair, lambda: text_lines(upload), me=query.me or None, dry_run=query.dry_run)
    return ImportView.of(report)
