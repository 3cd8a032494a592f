"""One pair, to be taken elsewhere: what was said, who the persona is, who you are to it.

The form of the files is told in docs/howto/back-up.md.
"""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict

from echovessel.core.pair import Pair
from echovessel.core.talk import Message, voice_of
from echovessel.core.time import iso
from echovessel.flows.deps import Deps
from echovessel.flows.front import no_such_persona
from echovessel.ports.records import OF_THE_PERSONA, BlockLabel, CoreBlock, Persona, User

FORMAT = "echovessel-pair/1"
BATCH = 200
"""Messages that are held at once."""


class FlowExport:
    """Implements `ports.front.Export`."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps

    async def __call__(self, pair: Pair) -> AsyncIterator[tuple[str, bytes]]:
        """Each file by its name in pieces, one file after another; the manifest, with the counts, comes last."""
        store = self._deps.store
        persona, user = await store.persona(pair.persona_id), await store.user(pair.user_id)
        if persona is None or user is None:
            raise no_such_persona()
        yield "persona.json", _json(_persona(persona))
        if card := await store.card(pair.persona_id):
            yield f"card.{persona.card_format.rpartition('-')[2] or 'bin'}", card
        yield "me.json", _json(_user(user))
        yield "core-blocks.jsonl", _lines([_block(block) for block in await self._blocks(pair)])
        yield "messages.jsonl", b""
        count = 0
        async for page in self._pages(pair):
            yield "messages.jsonl", _lines([_message(message) for message in page])
            count += len(page)
        yield "manifest.json", _json({"format": FORMAT, "made_at": iso(self._deps.clock.now()), "messages": count})

    async def _blocks(self, pair: Pair) -> list[CoreBlock]:
        """Every revision of every block that speaks to this pair, the oldest first."""
        found: list[CoreBlock] = []
        for label in BlockLabel:
            owner = None if label in OF_THE_PERSONA else pair.user_id
            found += reversed(await self._deps.store.block_history(pair.persona_id, owner, label))
        return found

    async def _pages(self, pair: Pair) -> AsyncIterator[Sequence[Message]]:
        """The live timeline, the oldest message first."""
        first = await self._deps.store.first_message(pair)
        page: Sequence[Message] = [first] if first else []
        while page:
            yield page
            page = list(reversed(await self._deps.store.messages(pair, after=page[-1].id, limit=BATCH)))


def _persona(persona: Persona) -> dict[str, object]:
    return {**asdict(persona), "created_at": iso(persona.created_at)}


def _user(user: User) -> dict[str, object]:
    return {"id": user.id, "name": user.name, "zone": user.zone, "locale": user.locale}


def _block(block: CoreBlock) -> dict[str, object]:
    return {"label": block.label, "revision": block.revision, "text": block.text, "by": block.by, "at": iso(block.at)}


def _message(message: Message) -> dict[str, object]:
    """`voice` says whose words they are; `variants` holds every wording when there is more than one."""
    variants = [
        {"text": v.text, "made_by": v.made_by, "made_at": iso(v.made_at), "active": v.id == message.text_id}
        for v in message.variants
    ]
    return {
        "id": message.id,
        "sent_at": iso(message.sent_at),
        "zone": message.zone,
        "speaker": message.speaker,
        "voice": voice_of(message.speaker, message.made_by),
        "text": message.text,
        "state": message.state,
        "made_by": message.made_by,
        "channel": message.channel,
        "turn_id": message.turn_id,
        "variants": variants if len(variants) > 1 else [],
    }


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _lines(values: Sequence[object]) -> bytes:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()
