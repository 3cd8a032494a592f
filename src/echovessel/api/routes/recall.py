"""Looking through everything that was said, as a reply would."""

from fastapi import APIRouter

from echovessel.api.doors import Doors, DoorsDep, OwnerDep, PairDep, PersonaDep
from echovessel.api.dto.talk import MessageView, RecallAsk, RecallHit, RecallList
from echovessel.core.errors import EmbedderDown
from echovessel.core.text import clean_input
from echovessel.memory.question import ask
from echovessel.memory.recall import fitting, rank
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.index import Query

router = APIRouter(tags=["recall"])


@router.post("/personas/{persona_id}/recall", operation_id="recall")
async def recall(body: RecallAsk, persona: PersonaDep, user: OwnerDep, pair: PairDep, doors: DoorsDep) -> RecallList:
    """The messages that fit a question best, each with the factors of its score. Finds by keywords alone when the embedder
    is down."""
    asked = ask(clean_input(body.query, "query"), user_name=user.name, persona_name=persona.name)
    query = Query(text=asked.text, about=asked.about, vector=await _vector(doors, asked.text))
    candidates = await doors.index.candidates(pair, query)
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


async def _vector(doors: Doors, text: str) -> Vectors | None:
    if doors.embedder is None:
        return None
    try:
        return (await doors.embedder.embed([text], Kind.QUERY))[0]
    except EmbedderDown:
        return None
