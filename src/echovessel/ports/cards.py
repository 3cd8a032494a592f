"""Character cards: files that describe a persona, made by other programs or shipped with this one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from echovessel.ports.front import LibraryEntry
from echovessel.ports.records import PersonaKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedCard:
    """What a card says, in our words; `{{user}}` and `{{char}}` stay as they are and are filled when they are read.

    `format` is such as `v3-png`; `about` becomes the L1 block `persona`, `style` the block `style`. `locale` is `zh` or `en`;
    `zone` is empty when the card does not say. `left_out` tells, in sentences in the card's language, what was wrong with the
    card and what was not taken.
    """

    format: str
    name: str
    about: str
    style: str = ""
    examples: str = ""
    greetings: tuple[str, ...] = ()
    tagline: str = ""
    locale: str
    zone: str = ""
    kind: PersonaKind = PersonaKind.FICTIONAL
    basis: str = ""
    left_out: tuple[str, ...] = ()


class CardReader(Protocol):
    """Reads card files."""

    def read(self, data: bytes, filename: str) -> ParsedCard:
        """What the card says. BadInput tells what is wrong with the file and what to do."""
        ...


class Shelf(Protocol):
    """The personas that ship with the program, as cards."""

    def entries(self) -> Sequence[LibraryEntry]:
        """What stands on the shelf, one entry a language."""
        ...

    def card(self, slug: str, locale: str) -> bytes:
        """The card's file. NotFound when there is no such persona or language."""
        ...
