"""Which models could be connected without looking further than this machine?"""

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep
from echovessel.api.dto.nearby import NearbyList, NearbyServerView

router = APIRouter(prefix="/models", tags=["settings"])


@router.get("/nearby", operation_id="listNearbyModels")
async def list_nearby_models(doors: DoorsDep) -> NearbyList:
    """Look for Ollama, LM Studio, llama.cpp and vLLM on the loopback ports of the setting `nearby.ports`. Takes a second or two
    at most; no key is sent."""
    return NearbyList(items=[NearbyServerView.of(server) for server in await doors.nearby.look()])
