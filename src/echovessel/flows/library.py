"""Personas come to life here: made by hand, read from a card, taken from the shelf; and they are edited here."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from echovessel.core.errors import BadInput
from echovessel.core.ids import ConversationId, MessageId, PersonaId, TextId, UserId
from echovessel.core.pair import Pair
from echovessel.core.text import Script, clean_input, script
from echovessel.core.time import zone as known_zone
from echovessel.flows.deps import Deps
from echovessel.flows.front import no_such_persona, open_conversation
from echovessel.ports.cards import CardReader, ParsedCard, Shelf
from echovessel.ports.changes import Change, PutCoreBlock, PutPersona, SayMessage
from echovessel.ports.front import LibraryEntry, NewPersona, PersonaEdit
from echovessel.ports.records import BlockLabel, CoreBlock, Persona, PersonaKind
from echovessel.prompts.macros import fill_macros

OF_THE_PERSONA = frozenset({BlockLabel.PERSONA, BlockLabel.STYLE})
"""Blocks that everyone who talks with the persona meets; the others belong to one pair."""
REAL_PEOPLE = frozenset({PersonaKind.SELF, PersonaKind.AUTHORISED, PersonaKind.MEMORIAL})
GREETING = "greeting"
LONGEST_NAME = 200


class FlowLibrary:
    """Implements `ports.front.Library`."""

    def __init__(self, deps: Deps, cards: CardReader, shelf: Shelf) -> None:
        self._deps = deps
        self._cards = cards
        self._shelf = shelf

    async def create(self, new: NewPersona) -> Persona:
        """Make a persona by hand."""
        card = ParsedCard(
            format="",
            name=_name(new.name),
            about=new.about,
            style=new.style,
            examples=new.examples,
            greetings=new.greetings,
            locale=new.locale,
            kind=new.kind,
            basis=new.basis,
        )
        return await self._take_in(card, b"")

    async def import_card(self, data: bytes, filename: str) -> Persona:
        """Take in a character card. The same file again is the same persona: nothing changes."""
        for persona in await self._deps.store.personas():
            if persona.card and _digest(persona.card) == _digest(data):
                return persona
        return await self._take_in(self._cards.read(data, filename), data)

    def shelf(self) -> Sequence[LibraryEntry]:
        """What can be taken from the shelf."""
        return self._shelf.entries()

    async def take(self, slug: str, locale: str) -> Persona:
        """Take a persona from the shelf; again is the same persona."""
        return await self.import_card(self._shelf.card(slug, locale), f"{slug}.json")

    async def edit(self, persona_id: PersonaId, edit: PersonaEdit) -> Persona:
        """Change what is kept about a persona."""
        persona = await self._deps.store.persona(persona_id)
        if persona is None:
            raise no_such_persona()
        wanted = {name: getattr(edit, name) for name in PersonaEdit.__slots__}
        changed = replace(persona, **{name: value for name, value in wanted.items() if value is not None})
        changed = replace(changed, name=_name(changed.name))
        _check_real_person(changed.kind, changed.basis)
        if changed.zone:
            known_zone(changed.zone)
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
        persona_id = pair.persona_id if isinstance(pair, Pair) else pair
        if await self._deps.store.persona(persona_id) is None:
            raise no_such_persona()
        block = CoreBlock(
            persona_id=persona_id,
            user_id=None if shared or not isinstance(pair, Pair) else pair.user_id,
            label=block_label,
            text=clean_input(text, "text") if text.strip() else "",
            revision=base_revision + 1,
            by=by,
            at=self._deps.clock.now(),
        )
        await self._deps.store.apply([PutCoreBlock(block=block)])
        return block

    async def begin(self, pair: Pair, conversation: str, channel: str, zone: str) -> ConversationId:
        """Open the conversation if it is new. A persona greets a user once, and only while nothing was said yet."""
        deps = self._deps
        persona = await deps.store.persona(pair.persona_id)
        if persona is None:
            raise no_such_persona()
        known_zone(zone)
        conversation_id = await open_conversation(deps, pair, channel, conversation)
        if persona.greetings and not await deps.store.messages(pair, limit=1):
            user = await deps.store.user(pair.user_id)
            await deps.store.apply(
                [self._greeting(pair, persona, user.name if user else "", conversation_id, channel, zone)]
            )
        return conversation_id

    def _greeting(
        self, pair: Pair, persona: Persona, user_name: str, conversation_id: ConversationId, channel: str, zone: str
    ) -> SayMessage:
        now = self._deps.clock.now()
        return SayMessage(
            message_id=MessageId(self._deps.ids.ulid(now)),
            text_id=TextId(self._deps.ids.ulid(now)),
            turn_id=None,
            conversation_id=conversation_id,
            pair=pair,
            channel=channel,
            text=fill_macros(persona.greetings[0], user_name, persona.name),
            made_by="card",
            sent_at=now,
            zone=zone,
            external_id=GREETING,
        )

    async def _take_in(self, card: ParsedCard, data: bytes) -> Persona:
        """Store a persona with its first blocks, in one transaction."""
        _check_real_person(card.kind, card.basis)
        now = self._deps.clock.now()
        persona = Persona(
            id=PersonaId(self._deps.ids.ulid(now)),
            name=_name(card.name),
            kind=card.kind,
            locale=card.locale or _locale_of(card),
            zone=known_zone(card.zone).key if card.zone else "",
            basis=card.basis,
            tagline=card.tagline,
            examples=card.examples,
            greetings=tuple(g for g in card.greetings if g.strip()),
            card=data,
            card_format=card.format,
            created_at=now,
        )
        changes: list[Change] = [PutPersona(persona=persona)]
        for label, text in ((BlockLabel.PERSONA, card.about), (BlockLabel.STYLE, card.style)):
            if text.strip():
                block = CoreBlock(
                    persona_id=persona.id, user_id=None, label=label, text=text, revision=1, by="card", at=now
                )
                changes.append(PutCoreBlock(block=block))
        await self._deps.store.apply(changes)
        return persona


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


def _check_real_person(kind: PersonaKind, basis: str) -> None:
    if kind in REAL_PEOPLE and not basis.strip():
        raise BadInput(
            f"A persona of the kind {kind!r} stands for a real person and needs a basis.",
            field="basis",
            do="State the consent, or what else allows it; or choose the kind `fictional` or `original`.",
        )


def _locale_of(card: ParsedCard) -> str:
    written = "".join((card.about, card.style, *card.greetings, card.name))
    return "zh" if script(written) is Script.HAN else "en"


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
