"""Which form a document has, and where its fields are.

V1: github.com/malfoyslastname/character-card-spec-v2 (spec_v1.md); V2: the same, spec_v2.md; V3:
github.com/kwaroran/character-card-spec-v3. Pygmalion's own form has other names for the fields of V1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from echovessel.adapters.cards.notes import Notes
from echovessel.core.errors import BadInput
from echovessel.core.text import keepable

V1_FIELDS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
PYGMALION = {
    "char_name": "name",
    "char_persona": "description",
    "world_scenario": "scenario",
    "char_greeting": "first_mes",
    "example_dialogue": "mes_example",
}
SPECS = {"chara_card_v2": "v2", "chara_card_v3": "v3"}


@dataclass(frozen=True, slots=True)
class Form:
    """A card's fields under their V2 names, and the name of the form they came in."""

    name: str
    fields: Mapping[str, object]


def form_of(document: Mapping[str, object], notes: Notes) -> Form:
    """The form of a document. BadInput when it is no character card."""
    spec, data = document.get("spec"), document.get("data")
    if isinstance(data, dict) and (isinstance(spec, str) or _has(cast("dict[str, object]", data), V1_FIELDS)):
        return Form(_version(spec, document.get("spec_version"), notes), cast("dict[str, object]", data))
    if _has(document, PYGMALION) and not _has(document, V1_FIELDS):
        return Form("pygmalion", {"personality": "", **{PYGMALION.get(key, key): v for key, v in document.items()}})
    if _has(document, V1_FIELDS) and "entries" not in document:
        return Form("v1", document)
    raise _no_card(document)


def _version(spec: object, version: object, notes: Notes) -> str:
    known = SPECS.get(spec) if isinstance(spec, str) else None
    if known is not None:
        return known
    notes.add("unknown-spec", keepable(str(spec))[:40])
    return "v3" if str(version).startswith("3") else "v2"


def _has(fields: Mapping[str, object], names: Mapping[str, str] | tuple[str, ...]) -> bool:
    return any(name in fields for name in names)


def _no_card(document: Mapping[str, object]) -> BadInput:
    if "entries" in document:
        return BadInput(
            "This is a lorebook, which cannot be read yet.",
            field="file",
            do="Give a character card; write what matters most of the lorebook into the persona's core block.",
        )
    return BadInput(
        "This JSON file is no character card: it has none of a card's fields.",
        field="file",
        do="Give a V1, V2 or V3 character card; it has at least a `name` or a `description`.",
    )
