"""What finds things by meaning: how far its vectors are, and getting it ready."""

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep
from echovessel.api.dto.embedder import IndexedView, Prepare
from echovessel.api.openapi import errors

router = APIRouter(prefix="/embedder", tags=["how it is"])


@router.get("", operation_id="getEmbedder", responses=errors(409, 503))
async def get_embedder(doors: DoorsDep) -> IndexedView:
    """Which embedder is in use, and how many texts have its vector."""
    return IndexedView.of(await doors.reindexing.look())


@router.post("/prepare", operation_id="prepareEmbedder", responses=errors(409, 503))
async def prepare_embedder(body: Prepare, doors: DoorsDep) -> IndexedView:
    """See that the embedder answers, and calibrate it if it never was.

    That may take minutes: while `measuring` is true, ask again, which waits a few seconds, and says it when it failed. Vectors
    are then made while EchoVessel runs; ask `GET /api/v1/embedder` how far they are.
    """
    return IndexedView.of(await doors.reindexing.prepare(anew=body.anew))
