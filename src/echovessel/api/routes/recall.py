"""Looking through everything that was said, as a reply would."""

from fastapi import APIRouter

from echovessel.api.doors import DoorsDep, OwnerDep, PairDep, PersonaDep
from echovessel.api.dto.talk import MessageView, RecallAsk, RecallHit, RecallList
from echovessel.core.text import clean_input
from echovessel.core.time import zone
from echovessel.memory.recall import fitting, rank
from echovessel.ports.recollecting import Said

router = APIRouter(tags=["recall"])


@router.post("/personas/{persona_id}/recall", operation_id="recall")
async def recall(body: RecallAsk, persona: PersonaDep, user: OwnerDep, pair: PairDep, doors: DoorsDep) -> RecallList:
    """The messages that fit a question best, each with the factors of its score. Finds by keywords alone when the embedder
    is down."""
    said = Said(
        text=clean_input(body.query, "query"),
        at=doors.clock.now().astimezone(zone(user.zone)),
        user_name=user.name,
        persona_name=persona.name,
    )
    candidates = (await doors.recollect(pair, said)).candidates
    fits = fitting(candidates)
    best = [hit for hit in rank(candidates) if hit[0] in fits or not body.only_fitting][: body.k]
    live = {m.id: m for m in await doors.store.messages_by_id(pair.user_id, [hit[0] for hit in best])}
    return RecallList(
        items=[
            RecallHit(
                message=MessageView.of(live[message_id]), score=score, fits=message_id in fits, factors=dict(factors)
            )
            for message_id, score, factors in best
            if message_id in live
        ]
    )
