"""What can be read of a home, through the ports alone: an old version draws it once, every later one has to draw the same."""

import hashlib
from typing import Any

from echovessel.core.ids import UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message
from echovessel.ports.records import OF_THE_PERSONA, BlockLabel, Persona
from echovessel.ports.store import Store
from echovessel.testing.clock import START


async def portrait(store: Store, owner: UserId, embedder: str) -> dict[str, Any]:
    """Everything that people said, wrote or paid, as JSON values."""
    user = await store.user(owner)
    assert user is not None
    spent = await store.spent(START.replace(year=2000))
    return {
        "user": [user.name, user.zone, user.locale, user.created_at.isoformat()],
        "personas": [await _persona(store, owner, persona, embedder) for persona in await store.personas()],
        "jobs": [[job.kind, job.key, job.state, job.attempts] for job in await store.jobs()],
        "feed": [[row.seq, row.kind, row.ref] for row in await store.changes(owner, 0)],
        "spent": [spent.calls, spent.tokens_in, spent.tokens_out, round(spent.cost, 9)],
        "vectors": await store.embedders(),
    }


async def _persona(store: Store, owner: UserId, persona: Persona, embedder: str) -> dict[str, Any]:
    pair = Pair(owner, persona.id)
    messages = list(reversed(await store.messages(pair, limit=1000)))
    return {
        "persona": [persona.id, persona.name, persona.kind, persona.locale, persona.zone, persona.tagline],
        "voice": [persona.examples, list(persona.greetings), persona.card_format, persona.created_at.isoformat()],
        "blocks": [line for label in BlockLabel for line in await _block(store, pair, label)],
        "messages": [_message(message) for message in messages],
        "turns": [await _turn(store, owner, message) for message in messages if message.turn_id],
        "indexed": [
            [row.message_id, row.speaker, row.text, hashlib.sha256(row.vector or b"").hexdigest()[:16]]
            for row in await store.index_rows(pair, embedder)
        ],
    }


async def _block(store: Store, pair: Pair, label: BlockLabel) -> list[list[Any]]:
    owner = None if label in OF_THE_PERSONA else pair.user_id
    revisions = await store.block_history(pair.persona_id, owner, label)
    return [[label, block.revision, block.text, block.by, block.at.isoformat()] for block in revisions]


def _message(message: Message) -> dict[str, Any]:
    trouble = message.trouble
    return {
        "id": message.id,
        "said": [message.speaker, message.state, message.text, message.made_by, message.channel],
        "when": [message.sent_at.isoformat(), message.zone],
        "ids": [message.conversation_id, message.turn_id, message.client_id, message.external_id],
        "trouble": trouble and [trouble.code, trouble.message, trouble.do, trouble.aside],
        "variants": [[v.id, v.text, v.made_by, v.made_at.isoformat()] for v in message.variants],
    }


async def _turn(store: Store, owner: UserId, message: Message) -> list[Any]:
    assert message.turn_id is not None
    turn = await store.turn(owner, message.turn_id)
    assert turn is not None
    return [turn.id, turn.state, turn.attempts, turn.regenerates, await store.trace(owner, turn.id)]
