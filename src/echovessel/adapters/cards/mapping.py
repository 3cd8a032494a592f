"""From a card's fields to what a persona is made of.

`creator_notes` are for people and go nowhere. `system_prompt` and `post_history_instructions` are orders to a model, and a card
gives none: they are left out, and that is told. All of it stays in the original bytes, which are kept.
"""

from dataclasses import dataclass
from pathlib import PurePath

from echovessel.adapters.cards.fields import Fields
from echovessel.adapters.cards.forms import Form
from echovessel.adapters.cards.notes import Notes
from echovessel.core.errors import BadInput
from echovessel.core.text import Script, script
from echovessel.core.time import zone
from echovessel.ports.cards import ParsedCard
from echovessel.ports.records import PersonaKind
from echovessel.prompts.macros import fill_persona_macros

LONGEST_NAME = 200
LONGEST_TAGLINE = 300
LONGEST_BASIS = 2000
ORDERS = ("system_prompt", "post_history_instructions")
EXPECTED = ("description", "personality", "scenario", "first_mes", "mes_example")
HEADINGS = {
    "en": {"personality": "Personality", "scenario": "Scenario"},
    "zh": {"personality": "性格", "scenario": "场景"},
}
UNNAMED = {"en": "Unnamed", "zh": "无名"}
LANGUAGES = {"zh", "en"}


@dataclass(frozen=True, slots=True)
class _Own:
    """What a card says in `extensions.echovessel`, our own corner of it."""

    style: str
    locale: str
    zone: str
    kind: PersonaKind
    basis: str
    tagline: str


def parsed(form: Form, container: str, filename: str, notes: Notes) -> ParsedCard:
    """What a card of this form says."""
    fields = Fields(form.fields, notes)
    own = _own(fields.inner("extensions").inner("echovessel"))
    texts = {name: fields.text(name) for name in EXPECTED}
    greetings = [g for g in (texts["first_mes"], *fields.texts("alternate_greetings")) if g]
    locale = own.locale or _locale_of(own.style, *texts.values(), *greetings)
    _note_what_is_left(fields, notes)
    name = fields.line("name", LONGEST_NAME) or _after_the_file(filename, locale, notes)
    goes_by = _nickname(fields) or name

    def spoken(text: str) -> str:
        return text if goes_by == name else fill_persona_macros(text, goes_by)

    return ParsedCard(
        format=f"{form.name}-{container}",
        name=name,
        about=spoken(_about(texts, locale)),
        style=spoken(own.style),
        examples=spoken(texts["mes_example"]),
        greetings=tuple(map(spoken, greetings)),
        tagline=own.tagline,
        locale=locale,
        zone=own.zone,
        kind=own.kind,
        basis=own.basis,
        left_out=notes.told(locale),
    )


def _nickname(fields: Fields) -> str:
    """What `{{char}}` stands for in a V3 card that has it. It must not be a macro itself."""
    nickname = fields.line("nickname", LONGEST_NAME)
    if "{{" in nickname:
        fields.refuse("nickname")
    return "" if "{{" in nickname else nickname


def _own(fields: Fields) -> _Own:
    return _Own(
        style=fields.text("style"),
        locale=_language(fields),
        zone=_zone(fields),
        kind=_kind(fields),
        basis=fields.text("basis", LONGEST_BASIS),
        tagline=fields.line("tagline", LONGEST_TAGLINE),
    )


def _language(fields: Fields) -> str:
    language = fields.line("locale", 20).replace("_", "-").partition("-")[0].lower()
    if language and language not in LANGUAGES:
        fields.refuse("locale")
    return language if language in LANGUAGES else ""


def _zone(fields: Fields) -> str:
    name = fields.line("zone", 64)
    try:
        return zone(name).key if name else ""
    except BadInput:
        fields.refuse("zone")
        return ""


def _kind(fields: Fields) -> PersonaKind:
    kind = fields.line("kind", 20)
    if kind and kind not in list(PersonaKind):
        fields.refuse("kind")
    return PersonaKind(kind) if kind in list(PersonaKind) else PersonaKind.FICTIONAL


def _about(texts: dict[str, str], locale: str) -> str:
    """The core block `persona`: the description, then what else is told, each under its heading."""
    parts = [texts["description"]]
    parts += [f"## {title}\n{texts[name]}" for name, title in HEADINGS[locale].items() if texts[name]]
    return "\n\n".join(part for part in parts if part)


def _note_what_is_left(fields: Fields, notes: Notes) -> None:
    if missing := [name for name in EXPECTED if not fields.has(name)]:
        notes.add("missing", ", ".join(missing))
    if orders := [order for order in ORDERS if fields.text(order)]:
        notes.add("orders", ", ".join(orders))
    if fields.holds("character_book"):
        notes.add("lorebook")


def _locale_of(*texts: str) -> str:
    return "zh" if script("".join(texts)) is Script.HAN else "en"


def _after_the_file(filename: str, locale: str, notes: Notes) -> str:
    """A name for a card that has none: its file's."""
    stem = Fields({"name": PurePath(filename.replace("\\", "/")).stem}, Notes()).line("name", LONGEST_NAME)
    name = stem or UNNAMED[locale]
    notes.add("no-name", name)
    return name
