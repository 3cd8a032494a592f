"""Personas come to life here: made by hand, read from a card, taken from the shelf; and they are edited here."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from echovessel.core.errors import BadInput
from echovessel.core.ids import ConversationId, MessageId, PersonaId, TextId, UserId
from echovessel.core.pair import Pair
from echovessel.core.text import clean_input
from echovessel.core.time import zone as known_zone
from echovessel.flows.deps import Deps
from echovessel.flows.front import no_such_persona, open_conversation
from echovessel.ports.cards import CardReader, ParsedCard, Shelf
from echovessel.ports.changes import Change, PutCoreBlock, PutPersona, SayMessage
from echovessel.ports.front import ImportedPersona, LibraryEntry, NewPersona, PersonaEdit
from echovessel.ports.records import OF_THE_PERSONA, BlockLabel, CoreBlock, Persona, PersonaKind
from echovessel.prompts.macros import fill_macros

REAL_PEOPLE = frozenset({PersonaKind.SELF, PersonaKind.AUTHORISED, PersonaKind.MEMORIAL})
LANGUAGES = ("zh", "en")
GREETING = "greeting"
LONGEST_NAME = 200


class FlowLibrary:
    """Implements `ports.front.Library`. What looks before it writes does so one at a time, so that nothing is made twice and no
    edit undoes another."""

    def __init__(self, deps: Deps, cards: CardReader, shelf: Shelf) -> None:
        self._deps = deps
        self._cards = cards
        self._shelf = shelf
        self._writing = asyncio.Lock()

    async def create(self, new: NewPersona) -> Persona:
        """Make a persona by hand."""
        card = ParsedCard(
            format="",
            name=new.name,
            about=_text(new.about, "about"),
            style=_text(new.style, "style"),
            examples=new.examples,
            greetings=new.greetings,
            locale=new.locale,
            kind=new.kind,
            basis=new.basis,
        )
        return await self._bring_to_life(card, b"", by="hand")

    async def import_card(self, data: bytes, filename: str) -> ImportedPersona:
        """Take in a character card. The same file again is the same persona: nothing changes."""
        card = await asyncio.to_thread(self._cards.read, data, filename)
        return ImportedPersona(persona=await self._from_card(card, data, by="card"), left_out=card.left_out)

    def shelf(self) -> Sequence[LibraryEntry]:
        """What can be taken from the shelf."""
        return self._shelf.entries()

    async def take(self, slug: str, locale: str) -> Persona:
        """Take a persona from the shelf; again is the same persona."""
        data = self._shelf.card(slug, locale)
        return await self._from_card(self._cards.read(data, f"{slug}.json"), data, by="library")

    async def edit(self, persona_id: PersonaId, edit: PersonaEdit) -> Persona:
        """Change what is kept about a persona."""
        wanted = {name: getattr(edit, name) for name in PersonaEdit.__slots__}
        changes = {name: value for name, value in wanted.items() if value is not None}
        async with self._writing:
            persona = await self._persona(persona_id)
            changed = _checked(replace(persona, **changes))
            if changed != persona:
                await self._deps.store.apply([PutPersona(persona=changed)])
        return changed

    async def edit_block(
        self, pair: Pair | PersonaId, label: str, text: str, *, base_revision: int, by: UserId
    ) -> CoreBlock:
        """Replace an L1 block; the revision before it is kept."""
        block_label = _label(label)
        shared = block_label in OF_THE_PERSONA
        if not shared and not isinstance(pair, Pair):
            raise BadInput(f"The block {label!r} belongs to one user.", field="label", do="Name the user as well.")
        persona = await self._persona(pair.persona_id if isinstance(pair, Pair) else pair)
        block = CoreBlock(
            persona_id=persona.id,
            user_id=None if shared or not isinstance(pair, Pair) else pair.user_id,
            label=block_label,
            text=_text(text, "text"),
            revision=base_revision + 1,
            by=by,
            at=self._deps.clock.now(),
        )
        await self._deps.store.apply([PutCoreBlock(block=block)])
        return block

    async def begin(self, pair: Pair, conversation: str, channel: str, zone: str) -> ConversationId:
        """Open the conversation if it is new. A persona greets a user once, and only while nothing was said yet."""
        deps = self._deps
        persona = await self._persona(pair.persona_id)
        known_zone(zone)
        conversation_id = await open_conversation(deps, pair, channel, conversation)
        async with self._writing:
            words = await self._greeting(pair, persona)
            if words and not await deps.store.messages(pair, limit=1):
                now = deps.clock.now()
                greeting = SayMessage(
                    message_id=MessageId(deps.ids.ulid(now)),
                    text_id=TextId(deps.ids.ulid(now)),
                    turn_id=None,
                    conversation_id=conversation_id,
                    pair=pair,
                    channel=channel,
                    text=words,
                    made_by="card",
                    sent_at=now,
                    zone=zone,
                    external_id=GREETING,
                )
                await deps.store.apply([greeting])
                deps.bells.texts.ring()
        return conversation_id

    async def _greeting(self, pair: Pair, persona: Persona) -> str:
        """The first greeting that says anything, with the names filled in; empty when there is none."""
        user = await self._deps.store.user(pair.user_id)
        filled = (fill_macros(g, user.name if user else "", persona.name).strip() for g in persona.greetings)
        return next((words for words in filled if words), "")

    async def _from_card(self, card: ParsedCard, data: bytes, *, by: str) -> Persona:
        """The persona that was made from these bytes before, else a new one."""
        async with self._writing:
            known = await self._deps.store.persona_of_card(data)
            return known or await self._bring_to_life(card, data, by=by)

    async def _bring_to_life(self, card: ParsedCard, data: bytes, *, by: str) -> Persona:
        """Store a persona with its first blocks, in one transaction."""
        now = self._deps.clock.now()
        persona = _checked(
            Persona(
                id=PersonaId(self._deps.ids.ulid(now)),
                name=card.name,
                kind=card.kind,
                locale=card.locale,
                zone=card.zone,
                basis=card.basis,
                tagline=card.tagline,
                examples=card.examples,
                greetings=card.greetings,
                card_format=card.format,
                created_at=now,
            )
        )
        changes: list[Change] = [PutPersona(persona=persona, card=data)]
        for label, text in ((BlockLabel.PERSONA, card.about), (BlockLabel.STYLE, card.style)):
            if text:
                block = CoreBlock(
                    persona_id=persona.id, user_id=None, label=label, text=text, revision=1, by=by, at=now
                )
                changes.append(PutCoreBlock(block=block))
        await self._deps.store.apply(changes)
        return persona

    async def _persona(self, persona_id: PersonaId) -> Persona:
        persona = await self._deps.store.persona(persona_id)
        if persona is None:
            raise no_such_persona()
        return persona


def _checked(persona: Persona) -> Persona:
    """The persona with its texts as we keep them. BadInput names the field that cannot be."""
    if persona.locale not in LANGUAGES:
        raise BadInput(f"The language {persona.locale!r} is not known.", field="locale", do="Use `zh` or `en`.")
    if persona.zone:
        known_zone(persona.zone)
    checked = replace(
        persona,
        name=_name(persona.name),
        basis=_text(persona.basis, "basis"),
        tagline=_text(persona.tagline, "tagline"),
        examples=_text(persona.examples, "examples"),
        greetings=tuple(_text(g, "greetings") for g in persona.greetings if g.strip()),
    )
    if checked.kind in REAL_PEOPLE and not checked.basis:
        raise BadInput(
            f"A persona of the kind {checked.kind.value!r} stands for a real person and needs a basis.",
            field="basis",
            do="State the consent, or what else allows it; or choose the kind `fictional` or `original`.",
        )
    return checked


def _text(text: str, field: str) -> str:
    """A text that may be empty."""
    return clean_input(text, field) if text.strip() else ""


def _name(name: str) -> str:
    clean = clean_input(name, "name").strip()
    if len(clean) > LONGEST_NAME:
        raise BadInput(
            f"A name of {len(clean)} characters is too long.", field="name", do=f"Use at most {LONGEST_NAME}."
        )
    return clean


def _label(label: str) -> BlockLabel:
    try:
        return BlockLabel(label)
    except ValueError as cause:
        known = ", ".join(BlockLabel)
        raise BadInput(f"There is no block called {label!r}.", field="label", do=f"Use one of: {known}.") from cause
