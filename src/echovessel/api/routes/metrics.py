"""Numbers for a monitoring system."""

import asyncio
from importlib import import_module

from fastapi import APIRouter
from fastapi.responses import Response

from echovessel.api import metrics
from echovessel.api.doors import DoorsDep

router = APIRouter(tags=["health"])


@router.get(
    "/metrics",
    operation_id="metrics",
    response_class=Response,
    responses={
        200: {"description": "Prometheus' text format.", "content": {"text/plain": {"schema": {"type": "string"}}}}
    },
)
async def read_metrics(doors: DoorsDep) -> Response:
    """Counters since the start and how things stand, for a scraper that shows the token; no ids, names or words."""
    await asyncio.to_thread(import_module, "prometheus_client")
    body, media_type = metrics.render(doors.meter, doors.restarts, await metrics.look(doors))
    return Response(body, media_type=media_type)
