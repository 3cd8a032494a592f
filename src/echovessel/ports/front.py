"""What channels and the API are handed: they never see a flow.

Flows implement these protocols; wiring injects them.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from echovessel.core.errors import BadInput
from echovessel.core.ids import ConversationId, MessageId, PersonaId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, Trouble, Voice
from echovessel.ports.records import ChangeRow, CoreBlock, Persona, PersonaKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A message as a channel received it.

    `conversation` is the channel's own key of the thread (a Discord channel id, `page`, a terminal run); the conversation is
    opened on its first message and is bound to its persona for good.
    """

    pair: Pair
    channel: str
    conversation: str
    text: str
    zone: str
    client_id: str | None = None
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The acknowledgement: the message is on disk. `fresh` is false when the same message had come before."""

    turn_id: TurnId
    message_id: MessageId
    fresh: bool


@dataclass(frozen=True, slots=True)
class ReplyDelta:
    """A piece of a reply that is being worded; `offset` counts the characters before it. Offset 0 with `reset` true is a
    snapshot: what was shown so far is replaced. `voice` is the keeper's where no model is connected."""

    turn_id: TurnId
    offset: int
    text: str
    reset: bool = False
    voice: Voice = Voice.PERSONA


@dataclass(frozen=True, slots=True)
class AlsoSaid:
    """What the program itself says in a turn, whole, beside the reply: where help is, before the persona speaks. It has to be
    shown, and never as the persona's words."""

    turn_id: TurnId
    message_id: MessageId
    voice: Voice
    text: str


@dataclass(frozen=True, slots=True)
class ReplyDone:
    """The turn is over: its reply is stored (complete, or partial when stopped). `message_id` is None when there was nothing
    to answer any more, because every message of the burst was deleted."""

    turn_id: TurnId
    message_id: MessageId | None


@dataclass(frozen=True, slots=True)
class ReplyFailed:
    """The turn failed; the persona message `message_id` holds the partial text, if any, and can be regenerated. It is None when
    that message was deleted meanwhile."""

    turn_id: TurnId
    message_id: MessageId | None
    trouble: Trouble


TurnEvent = AlsoSaid | ReplyDelta | ReplyDone | ReplyFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is new to a reader of the feed: pieces of replies that are being worded, then stored changes, oldest first."""

    growing: Sequence[ReplyDelta]
    stored: Sequence[ChangeRow]


class Front(Protocol):
    """Saying something and following the answer."""

    async def hear(self, incoming: Incoming) -> Receipt:
        """Store the message, then acknowledge. BadInput for text we cannot take; NotFound for an unknown persona."""
        ...

    def follow(self, user_id: UserId, turn_id: TurnId, after: int = 0) -> AsyncGenerator[TurnEvent]:
        """The events of one turn from character `after` on, ending with ReplyDone or ReplyFailed. Each follower is told once of
        what was said beside the reply, before any piece of the reply that it has not read."""
        ...

    async def stop(self, user_id: UserId, turn_id: TurnId) -> None:
        """Ask a running or open turn to stop; what was said so far is kept. Stopping a finished turn changes nothing."""
        ...

    def feed(self, user_id: UserId, after: int | None) -> AsyncGenerator[Look]:
        """Everything that happens to this user: stored changes after `after` (None: from now on), each once, and live deltas.

        A reader that joins while a reply is being worded first gets a snapshot of it.
        """
        ...


class Curation(Protocol):
    """People change what was said. Each method returns the message as it now stands."""

    async def edit(self, user_id: UserId, message_id: MessageId, text: str) -> Message: ...

    async def choose_variant(self, user_id: UserId, message_id: MessageId, text_id: TextId) -> Message: ...

    async def delete(self, user_id: UserId, message_id: MessageId) -> Message: ...

    async def regenerate(self, user_id: UserId, message_id: MessageId) -> TurnId:
        """Word this persona message again (or retry a failed one); Conflict while the pair's reply is being worded."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPersona:
    """What a maker of characters fills in; everything but `name` may be left empty."""

    name: str
    locale: str = "en"
    kind: PersonaKind = PersonaKind.FICTIONAL
    basis: str = ""
    about: str = ""
    style: str = ""
    examples: str = ""
    greetings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaEdit:
    """What to change about a persona; None leaves it as it is. Core blocks are edited on their own."""

    name: str | None = None
    locale: str | None = None
    zone: str | None = None
    kind: PersonaKind | None = None
    basis: str | None = None
    tagline: str | None = None
    examples: str | None = None
    greetings: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedPersona:
    """A persona made from a card file. `left_out` tells, in sentences in the card's language, what was wrong with the card and
    what was not taken from it."""

    persona: Persona
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryEntry:
    """A persona that ships with the program and can be taken in with one step."""

    slug: str
    locale: str
    name: str
    tagline: str
    about: str


class Library(Protocol):
    """Personas: making, importing and editing them."""

    async def create(self, new: NewPersona) -> Persona: ...

    async def edit(self, persona_id: PersonaId, edit: PersonaEdit) -> Persona:
        """Change a persona; NotFound when there is none, BadInput for a zone that does not exist or a real person without a
        basis."""
        ...

    async def import_card(self, data: bytes, filename: str) -> ImportedPersona:
        """Take in a V1/V2/V3 character card (JSON or PNG); BadInput says what is wrong with the file. The same file again is
        the same persona, as it is now."""
        ...

    def shelf(self) -> Sequence[LibraryEntry]: ...

    async def take(self, slug: str, locale: str) -> Persona: ...

    async def edit_block(
        self, pair: Pair | PersonaId, label: str, text: str, *, base_revision: int, by: UserId
    ) -> CoreBlock:
        """Replace an L1 block; Conflict when someone else wrote a revision after `base_revision`."""
        ...

    async def begin(self, pair: Pair, conversation: str, channel: str, zone: str) -> ConversationId:
        """Open the conversation if it is new, and let the persona greet."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import of history did: counts of messages, and lines refused with their reasons."""

    added: int
    already_there: int
    refused: tuple[str, ...]
    first_at: datetime | None
    last_at: datetime | None


Lines = Callable[[], AsyncIterator[str | BadInput]]
"""A file's lines, from its first, each time it is called. A line may stand as the reason why it cannot be read."""


class Ingest(Protocol):
    """Taking in history that was said elsewhere."""

    async def __call__(self, pair: Pair, lines: Lines, *, me: str | None, dry_run: bool) -> ImportReport:
        """Store the messages of a history, one JSON object a line; again is harmless.

        `me` names the user's speaker, None when the file says it. BadInput when no line can be used, or when the file does not
        say who is who: then, and with `dry_run`, nothing is written.
        """
        ...


class Export(Protocol):
    """One pair, to be taken elsewhere."""

    def __call__(self, pair: Pair) -> AsyncIterator[tuple[str, bytes]]:
        """Pieces of each file by its name, one file after another."""
        ...


class Verdict(StrEnum):
    """`note`: works, but the owner may want to know. `broken`: something does not work."""

    OK = "ok"
    NOTE = "note"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at: what was found, and what to do about it (empty when nothing)."""

    name: str
    verdict: Verdict
    found: str
    do: str = ""
