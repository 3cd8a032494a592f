"""Personas: list, make, import, edit, and let one greet."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from echovessel.api.doors import DoorsDep, OwnerDep, PairDep, PersonaDep
from echovessel.api.dto.people import ImportedPersonaView, PersonaChange, PersonaList, PersonaMake, PersonaView
from echovessel.api.dto.system import CardQuery
from echovessel.api.dto.talk import ConversationRef, GreetQuery
from echovessel.api.openapi import errors, raw_body
from echovessel.core.errors import BadInput
from echovessel.ports.front import NewPersona, PersonaEdit
from echovessel.ports.records import PersonaKind

router = APIRouter(prefix="/personas", tags=["personas"])


@router.get("", operation_id="listPersonas")
async def list_personas(doors: DoorsDep) -> PersonaList:
    """All personas."""
    return PersonaList(items=[PersonaView.of(p) for p in await doors.store.personas()])


@router.post("", operation_id="makePersona", status_code=201)
async def make_persona(new: PersonaMake, doors: DoorsDep) -> PersonaView:
    """Make a persona from a description."""
    return PersonaView.of(
        await doors.library.create(
            NewPersona(
                name=new.name,
                locale=new.locale,
                kind=PersonaKind(new.kind),
                basis=new.basis,
                about=new.about,
                style=new.style,
                examples=new.examples,
                greetings=tuple(new.greetings),
            )
        )
    )


@router.post(
    "/import",
    operation_id="importPersona",
    status_code=201,
    openapi_extra=raw_body("application/octet-stream", "A character card (V1, V2 or V3): JSON or PNG, at most 20 MB."),
)
async def import_persona(
    request: Request, query: Annotated[CardQuery, Query()], doors: DoorsDep
) -> ImportedPersonaView:
    """Take in a character card; the same file again is the same persona."""
    card = await request.body()
    if not card:
        raise BadInput("The body is empty.", field="body", do="Send the card's bytes (JSON or PNG) as the body.")
    return ImportedPersonaView.made(await doors.library.import_card(card, query.filename))


@router.get("/{persona_id}", operation_id="getPersona")
async def get_persona(persona: PersonaDep) -> PersonaView:
    """One persona."""
    return PersonaView.of(persona)


@router.patch("/{persona_id}", operation_id="changePersona")
async def change_persona(change: PersonaChange, persona: PersonaDep, doors: DoorsDep) -> PersonaView:
    """Change what is kept about a persona."""
    edit = PersonaEdit(
        name=change.name,
        locale=change.locale,
        zone=change.zone,
        kind=None if change.kind is None else PersonaKind(change.kind),
        basis=change.basis,
        tagline=change.tagline,
        examples=change.examples,
        greetings=None if change.greetings is None else tuple(change.greetings),
    )
    return PersonaView.of(await doors.library.edit(persona.id, edit))


@router.post("/{persona_id}/greetings", operation_id="greet", responses=errors(409))
async def greet(
    query: Annotated[GreetQuery, Query()], pair: PairDep, user: OwnerDep, doors: DoorsDep
) -> ConversationRef:
    """Open a conversation with a persona; it greets once."""
    opened = await doors.library.begin(pair, conversation=pair.persona_id, channel=query.channel, zone=user.zone)
    return ConversationRef(conversation_id=opened)
