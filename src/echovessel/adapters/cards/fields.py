"""A card's fields, taken one by one: what has the right type is taken, what has not is noted and costs nothing else."""

import re
import unicodedata
from collections.abc import Mapping
from typing import cast

from echovessel.adapters.cards.notes import Notes
from echovessel.core.text import composed

LONGEST_TEXT = 30_000
"""Characters of one field. Three of them make a core block, which may have 100,000."""
MOST_TEXTS = 50

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff]")


class Fields:
    """The fields of one object of a card; `where` is put before their names in notes."""

    def __init__(self, values: Mapping[str, object], notes: Notes, where: str = "") -> None:
        self._values = values
        self._notes = notes
        self._where = where

    def text(self, name: str, longest: int = LONGEST_TEXT) -> str:
        """A text, clean and without blanks around it; empty when there is none."""
        value = self._values.get(name)
        return "" if value is None else self._clean(value, name, longest)

    def line(self, name: str, longest: int) -> str:
        """A text on one line."""
        return " ".join(self.text(name, longest).split())

    def texts(self, name: str) -> list[str]:
        """A list of texts; a single text counts as a list of one. Empty ones are left out."""
        value = self._values.get(name)
        if value is None:
            return []
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list):
            self._note("not-a-list", name)
            return []
        items = cast("list[object]", value)
        if len(items) > MOST_TEXTS:
            self._note("too-many", name, str(MOST_TEXTS))
        taken = [self._clean(item, f"{name}[{at}]", LONGEST_TEXT) for at, item in enumerate(items[:MOST_TEXTS])]
        return [text for text in taken if text]

    def inner(self, name: str) -> "Fields":
        """An object inside this one; one without fields when there is none."""
        value = self._values.get(name)
        if value is not None and not isinstance(value, dict):
            self._note("bad-value", name)
        fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
        return Fields(fields, self._notes, f"{self._where}{name}.")

    def has(self, name: str) -> bool:
        """Whether the name is there at all; it may stand for nothing."""
        return name in self._values

    def holds(self, name: str) -> bool:
        """Whether there is anything under this name."""
        return bool(self._values.get(name))

    def refuse(self, name: str) -> None:
        """Note that a value is not one of those that are known."""
        self._note("bad-value", name)

    def _clean(self, value: object, name: str, longest: int) -> str:
        if not isinstance(value, str):
            self._note("not-text", name)
            return ""
        text = value.replace("\r\n", "\n").replace("\r", "\n")
        if _FORBIDDEN.search(text):
            self._note("control", name)
            text = _FORBIDDEN.sub("", text)
        text = composed(text).strip()
        if len(text) > longest:
            self._note("too-long", name)
        return text[:longest] if any(unicodedata.category(c)[0] not in "ZC" for c in text) else ""

    def _note(self, what: str, name: str, *more: str) -> None:
        self._notes.add(what, f"{self._where}{name}", *more)
