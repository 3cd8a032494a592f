"""Saying something, the timeline, and people changing what was said."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query

from echovessel.api.doors import DoorsDep, MessageDep, OwnerDep, PairDep
from echovessel.api.dto.talk import MessageChange, MessageList, MessagesQuery, MessageView, Said, Say, TurnRef
from echovessel.api.openapi import errors
from echovessel.core.errors import BadInput
from echovessel.core.ids import MessageId, TextId, is_ulid
from echovessel.core.talk import Message
from echovessel.ports.front import Incoming

router = APIRouter(tags=["messages"])


@router.post("/personas/{persona_id}/messages", operation_id="say", status_code=202, responses=errors(409))
async def say(said: Say, pair: PairDep, user: OwnerDep, doors: DoorsDep) -> Said:
    """Say something. When this is answered, the message is on disk; the reply comes as events."""
    receipt = await doors.front.hear(
        Incoming(
            pair=pair,
            channel=said.channel,
            conversation=pair.persona_id,
            text=said.text,
            zone=user.zone,
            client_id=said.client_id,
        )
    )
    return Said(turn_id=receipt.turn_id, message_id=receipt.message_id)


@router.get("/personas/{persona_id}/messages", operation_id="listMessages")
async def list_messages(query: Annotated[MessagesQuery, Query()], pair: PairDep, doors: DoorsDep) -> MessageList:
    """A page of the timeline, or of what a search finds in it; newest first."""
    before, after = _cursor(query.before, "before"), _cursor(query.after, "after")
    if before and after:
        raise BadInput("`before` and `after` cannot be used together.", field="after", do="Send one of the two.")
    found = await doors.store.messages(
        pair, before=before, after=after, limit=query.limit + 1, q=(query.q or "").strip() or None
    )
    return _page(found, query.limit, newer=after is not None)


@router.get("/messages/{message_id}", operation_id="getMessage")
async def get_message(message: MessageDep) -> MessageView:
    """One message."""
    return MessageView.of(message)


@router.patch("/messages/{message_id}", operation_id="changeMessage", responses=errors(409))
async def change_message(change: MessageChange, message: MessageDep, user: OwnerDep, doors: DoorsDep) -> MessageView:
    """Reword a message, or choose one of its older wordings."""
    match change:
        case MessageChange(text=str(text), text_id=None):
            return MessageView.of(await doors.curation.edit(user.id, message.id, text))
        case MessageChange(text=None, text_id=str(text_id)):
            return MessageView.of(await doors.curation.choose_variant(user.id, message.id, TextId(text_id)))
        case _:
            raise BadInput(
                "Exactly one of `text` and `text_id` is needed.",
                field="text",
                do="Send `text` to reword the message, or `text_id` to choose a wording.",
            )


@router.delete("/messages/{message_id}", operation_id="deleteMessage", responses=errors(409))
async def delete_message(message: MessageDep, user: OwnerDep, doors: DoorsDep) -> MessageView:
    """Erase every wording of a message."""
    return MessageView.of(await doors.curation.delete(user.id, message.id))


@router.post("/messages/{message_id}/regenerate", operation_id="regenerate", status_code=202, responses=errors(409))
async def regenerate(message: MessageDep, user: OwnerDep, doors: DoorsDep) -> TurnRef:
    """Have the persona word a message again, or retry one that failed. The older wording is kept as a variant."""
    return TurnRef(turn_id=await doors.curation.regenerate(user.id, message.id))


def _cursor(value: str | None, field: str) -> MessageId | None:
    if value is None:
        return None
    if not is_ulid(value):
        raise BadInput(f"`{field}` is not a message's id.", field=field, do="Use an id or the `next` of a page.")
    return MessageId(value)


def _page(found: Sequence[Message], limit: int, *, newer: bool) -> MessageList:
    """One page from up to `limit` + 1 messages, newest first: the one too many says that the list goes on."""
    goes_on = len(found) > limit
    kept = found[len(found) - limit :] if newer and goes_on else found[:limit]
    cursor = (kept[0] if newer else kept[-1]).id if goes_on else None
    return MessageList(items=[MessageView.of(m) for m in kept], next=cursor)
