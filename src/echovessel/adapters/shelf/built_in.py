"""The personas that ship with the program: V3 cards in the folder `cards`, one a persona and language."""

import json
from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from echovessel.core.errors import NotFound
from echovessel.ports.front import LibraryEntry

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class BuiltInShelf:
    """Implements `ports.cards.Shelf`. A card's file is called `<slug>.<locale>.json`."""

    def entries(self) -> Sequence[LibraryEntry]:
        """Every persona in every language, in the order of their files."""
        return [self._entry(slug, locale) for slug, locale in self._files]

    def card(self, slug: str, locale: str) -> bytes:
        """The bytes of one card."""
        file = self._files.get((slug, locale))
        if file is None:
            raise NotFound(
                f"There is no persona {slug!r} in {locale!r} in the library.",
                do="`echovessel persona take` lists them.",
            )
        return file.read_bytes()

    @cached_property
    def _files(self) -> "dict[tuple[str, str], Traversable]":
        folder = files("echovessel.adapters.shelf") / "cards"
        named = {file.name.removesuffix(".json"): file for file in folder.iterdir() if file.name.endswith(".json")}
        return {(name.partition(".")[0], name.partition(".")[2]): named[name] for name in sorted(named)}

    def _entry(self, slug: str, locale: str) -> LibraryEntry:
        """What is told of a card before it is taken; `creator_notes` are the words to people."""
        card: dict[str, Any] = json.loads(self.card(slug, locale))["data"]
        return LibraryEntry(
            slug=slug,
            locale=locale,
            name=card["name"],
            tagline=card["extensions"]["echovessel"]["tagline"],
            about=card["creator_notes"],
        )
