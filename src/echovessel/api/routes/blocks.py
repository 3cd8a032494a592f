"""L1 core blocks: who the persona is, and what stands fixed between the two of you."""

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep, PairDep
from echovessel.api.dto.people import CoreBlockList, CoreBlockView, CoreBlockWrite
from echovessel.api.openapi import errors
from echovessel.core.ids import PersonaId, UserId
from echovessel.core.pair import Pair
from echovessel.ports.records import OF_THE_PERSONA, BlockLabel

router = APIRouter(prefix="/personas/{persona_id}/core-blocks", tags=["core blocks"])


@router.get("", operation_id="listCoreBlocks")
async def list_core_blocks(pair: PairDep, doors: DoorsDep) -> CoreBlockList:
    """The current revision of every block."""
    return CoreBlockList(items=[CoreBlockView.of(b) for b in await doors.store.core_blocks(pair)])


@router.put("/{label}", operation_id="writeCoreBlock", responses=errors(409))
async def write_core_block(label: BlockLabel, write: CoreBlockWrite, pair: PairDep, doors: DoorsDep) -> CoreBlockView:
    """Replace a block; older revisions are kept. 409 when someone wrote one after `base_revision`."""
    target: Pair | PersonaId = pair.persona_id if label in OF_THE_PERSONA else pair
    return CoreBlockView.of(
        await doors.library.edit_block(target, label, write.text, base_revision=write.base_revision, by=pair.user_id)
    )


@router.get("/{label}/revisions", operation_id="listCoreBlockRevisions")
async def list_revisions(label: BlockLabel, pair: PairDep, doors: DoorsDep) -> CoreBlockList:
    """All revisions of a block, newest first."""
    user_id: UserId | None = None if label in OF_THE_PERSONA else pair.user_id
    history = await doors.store.block_history(pair.persona_id, user_id, label)
    return CoreBlockList(items=[CoreBlockView.of(b) for b in history])
