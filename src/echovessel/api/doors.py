"""What the routes are handed by wiring, and the dependencies that look up who is asking for what."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, cast

from fastapi import Depends, Request
from fastapi import Path as InPath

from echovessel.api.dto.base import ULID_EXAMPLE
from echovessel.api.together import Together
from echovessel.core.errors import NotFound
from echovessel.core.ids import MessageId, PersonaId, TurnId, is_ulid
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, Turn
from echovessel.ports.backups import Safekeeping
from echovessel.ports.clock import Clock
from echovessel.ports.embedder import Embedder
from echovessel.ports.front import Check, Curation, Export, Front, Ingest, Library
from echovessel.ports.index import PairIndex
from echovessel.ports.llm import Models, ProbeResult
from echovessel.ports.meter import Meter
from echovessel.ports.nearby import Nearby
from echovessel.ports.recollecting import Recollect
from echovessel.ports.records import OWNER, OWNER_CHANNEL, Persona, User
from echovessel.ports.reindexing import Reindexing
from echovessel.ports.settings import ModelSettings, SettingsSource
from echovessel.ports.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """Every port that the API uses. `page` is the folder of the built page, None when it is not built; `home` is shown to the
    owner; `token` is what every client must know; `together` is where open streams meet."""

    store: Store
    front: Front
    curation: Curation
    library: Library
    ingest: Ingest
    export: Export
    doctor: Callable[[], Awaitable[Sequence[Check]]]
    probe: Callable[[ModelSettings], Awaitable[ProbeResult]]
    index: PairIndex
    recollect: Recollect
    embedder: Embedder | None
    reindexing: Reindexing
    models: Models
    nearby: Nearby
    settings: SettingsSource
    backups: Safekeeping
    clock: Clock
    token: str = field(repr=False)
    page: Path | None
    ready: Callable[[], bool]
    meter: Meter
    restarts: Mapping[str, int]
    home: str = ""
    together: Together = field(default_factory=Together)


async def doors_of(request: Request) -> Doors:
    """The doors this application was built with. Not a plain function: those are called in another thread, each time."""
    return cast("Doors", request.app.state.doors)


DoorsDep = Annotated[Doors, Depends(doors_of)]


async def owner(doors: DoorsDep) -> User:
    """The user on whose behalf requests with the token act."""
    identity = await doors.store.identity(OWNER_CHANNEL, OWNER)
    user = await doors.store.user(identity.user_id) if identity else None
    if user is None:
        raise NotFound("This home has no owner yet.", do="Start EchoVessel with `echovessel run`: it makes one.")
    return user


OwnerDep = Annotated[User, Depends(owner)]

_PersonaPath = Annotated[str, InPath(description="A persona's id.", examples=[ULID_EXAMPLE])]
_MessagePath = Annotated[str, InPath(description="A message's id.", examples=[ULID_EXAMPLE])]
_TurnPath = Annotated[str, InPath(description="A turn's id.", examples=[ULID_EXAMPLE])]


async def persona_in_path(persona_id: _PersonaPath, doors: DoorsDep) -> Persona:
    """The persona that the path names."""
    persona = await doors.store.persona(PersonaId(persona_id)) if is_ulid(persona_id) else None
    if persona is None:
        raise NotFound("There is no such persona.", do="List them with GET /api/v1/personas.")
    return persona


PersonaDep = Annotated[Persona, Depends(persona_in_path)]


async def pair_in_path(persona: PersonaDep, user: OwnerDep) -> Pair:
    """The owner and the persona that the path names."""
    return Pair(user.id, persona.id)


PairDep = Annotated[Pair, Depends(pair_in_path)]


async def message_in_path(message_id: _MessagePath, user: OwnerDep, doors: DoorsDep) -> Message:
    """The owner's message that the path names; another user's is not found."""
    found = await doors.store.message(user.id, MessageId(message_id)) if is_ulid(message_id) else None
    if found is None:
        raise NotFound("There is no such message.", do="List them with GET /api/v1/personas/{id}/messages.")
    return found


MessageDep = Annotated[Message, Depends(message_in_path)]


async def turn_in_path(turn_id: _TurnPath, user: OwnerDep, doors: DoorsDep) -> Turn:
    """The owner's turn that the path names; another user's is not found."""
    turn = await doors.store.turn(user.id, TurnId(turn_id)) if is_ulid(turn_id) else None
    if turn is None:
        raise NotFound("There is no such turn.", do="Use a turn_id that was answered to you.")
    return turn


TurnDep = Annotated[Turn, Depends(turn_in_path)]
