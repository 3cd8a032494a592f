"""The owner, personas, the library that ships with the program, and L1 core blocks."""

from typing import Annotated, Literal, Self

from pydantic import Field

from echovessel.api.dto.base import LINE, PROSE, Id, Input, Instant, Listing, Name, View
from echovessel.ports.front import ImportedPersona, LibraryEntry
from echovessel.ports.records import BlockLabel, CoreBlock, Persona, PersonaKind, User

Locale = Literal["zh", "en"]
Kind = Literal["fictional", "original", "self", "authorised", "memorial", "creative", "research"]

LONG_TEXT = 100_000

Zone = Annotated[
    str, Field(min_length=1, max_length=64, description="IANA time zone.", examples=["Asia/Shanghai"]), LINE
]
Greetings = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=LONG_TEXT), PROSE]],
    Field(max_length=50, description="Each can open a conversation."),
]


class Me(View):
    """You, as the personas know you."""

    id: Id
    name: str
    zone: str = Field(description="IANA time zone.", examples=["Europe/Berlin"])
    locale: str = Field(examples=["zh"])

    @classmethod
    def of(cls, user: User) -> Self:
        """The view of a stored user."""
        return cls(id=user.id, name=user.name, zone=user.zone, locale=user.locale)


class MeChange(Input):
    """What to change about yourself; a field left out stays as it is."""

    name: Annotated[str, Field(max_length=100), LINE] | None = None
    zone: Zone | None = None
    locale: Locale | None = None


class PersonaView(View):
    """A persona."""

    id: Id
    name: str
    kind: PersonaKind
    locale: str
    zone: str
    tagline: str = Field(description="One line about them.")
    basis: str = Field(description="For a real person: the consent or other basis.")
    examples: str = Field(description="Sample lines in the persona's voice.")
    greetings: list[str]
    card_format: str = Field(description="Such as `v3-png`; empty when not made from a card.")
    created_at: Instant

    @classmethod
    def of(cls, persona: Persona) -> Self:
        """The view of a stored persona (the card's bytes stay in the store)."""
        return cls(
            id=persona.id,
            name=persona.name,
            kind=persona.kind,
            locale=persona.locale,
            zone=persona.zone,
            tagline=persona.tagline,
            basis=persona.basis,
            examples=persona.examples,
            greetings=list(persona.greetings),
            card_format=persona.card_format,
            created_at=persona.created_at,
        )


class ImportedPersonaView(PersonaView):
    """A persona made from a card file."""

    left_out: list[str] = Field(
        description="Sentences, in the card's language: what was wrong with the card and what was not taken from it."
    )

    @classmethod
    def made(cls, imported: ImportedPersona) -> Self:
        """The view of what became of a card."""
        persona = PersonaView.of(imported.persona)
        return cls(**persona.model_dump(), left_out=list(imported.left_out))


class PersonaList(Listing[PersonaView]):
    """All personas."""


class PersonaMake(Input):
    """A new persona; everything but the name may be left out."""

    name: Name
    locale: Locale = "en"
    kind: Kind = "fictional"
    basis: Annotated[str, Field(max_length=2000), PROSE] = Field("", description="Needed for a real person.")
    about: Annotated[str, Field(max_length=LONG_TEXT), PROSE] = Field(
        "", description="Who they are: core block `persona`."
    )
    style: Annotated[str, Field(max_length=LONG_TEXT), PROSE] = Field(
        "", description="How they speak: core block `style`."
    )
    examples: Annotated[str, Field(max_length=LONG_TEXT), PROSE] = ""
    greetings: Greetings = Field([])


class PersonaChange(Input):
    """What to change about a persona; a field left out stays as it is. Core blocks have routes of their own."""

    name: Name | None = None
    locale: Locale | None = None
    zone: Zone | None = None
    kind: Kind | None = None
    basis: Annotated[str, Field(max_length=2000), PROSE] | None = None
    tagline: Annotated[str, Field(max_length=300), LINE] | None = None
    examples: Annotated[str, Field(max_length=LONG_TEXT), PROSE] | None = None
    greetings: Greetings | None = None


class LibraryView(View):
    """A persona of the library."""

    slug: str
    locale: str
    name: str
    tagline: str
    about: str

    @classmethod
    def of(cls, entry: LibraryEntry) -> Self:
        """The view of an entry on the shelf."""
        return cls(slug=entry.slug, locale=entry.locale, name=entry.name, tagline=entry.tagline, about=entry.about)


class LibraryList(Listing[LibraryView]):
    """The library."""


class LibraryTake(Input):
    """In which language to take a persona of the library."""

    locale: Locale


class CoreBlockView(View):
    """One revision of an L1 block."""

    label: BlockLabel
    text: str
    revision: int = Field(description="1, 2, …")
    by: str = Field(description="Who wrote it: a user's id, `card`, `library` or the like.")
    at: Instant

    @classmethod
    def of(cls, block: CoreBlock) -> Self:
        """The view of a stored revision."""
        return cls(label=block.label, text=block.text, revision=block.revision, by=block.by, at=block.at)


class CoreBlockList(Listing[CoreBlockView]):
    """Core blocks, or the revisions of one of them, newest first."""


class CoreBlockWrite(Input):
    """The new text of an L1 block. `base_revision` is the revision you started from, 0 when there was none."""

    text: Annotated[str, Field(min_length=1, max_length=LONG_TEXT), PROSE]
    base_revision: int = Field(ge=0, le=2**31 - 1)
