"""EchoVessel at scale: the real store, index and wiring, with synthetic vectors."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from time import perf_counter, process_time

from echovessel.adapters.embed import open_shipped
from echovessel.adapters.home import Home
from echovessel.core.ids import ConversationId, MessageId, PersonaId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Speaker
from echovessel.flows.deps import Deps
from echovessel.memory.question import ask
from echovessel.memory.recall import select
from echovessel.ports.changes import (
    Change,
    HearMessage,
    ImportMessage,
    OpenConversation,
    PutPersona,
    PutUser,
    PutVectors,
)
from echovessel.ports.embedder import Kind
from echovessel.ports.index import Query
from echovessel.ports.records import Persona, PersonaKind, User
from echovessel.runtime.output import note
from echovessel.runtime.scale_figures import Figures, Scale
from echovessel.runtime.scale_talk import Synthetic, sent_at, text_of
from echovessel.runtime.wiring import Overrides, Vessel, build, open_settings

ASKED = 100
ADDED = 300
BATCH = 500
CHANNEL = "bench"
PERSONA = PersonaId("0" * 26)


class Ours:
    """Implements `runtime.scale_figures.Contender`."""

    name = "EchoVessel"

    def fill(self, folder: Path, scale: Scale) -> float:
        """Import every pair's messages with their vectors."""
        return asyncio.run(_fill(folder, scale))

    def measure(self, folder: Path, scale: Scale, import_cpu: float) -> Figures:
        """Build a vessel on what is there, ask it and add to it. The real embedder is loaded too, for its memory."""
        return asyncio.run(_measure(folder, scale, import_cpu))


async def _open(folder: Path) -> Vessel:
    home = Home(folder)
    return await build(home, Overrides(settings=open_settings(home, {"database.url": ""}), embedder=Synthetic()))


def _pair(number: int) -> Pair:
    return Pair(UserId(f"{number:026}"), PERSONA)


def _thread(number: int) -> ConversationId:
    return ConversationId(f"{number:026}")


async def _fill(folder: Path, scale: Scale) -> float:
    vessel = await _open(folder)
    try:
        deps, began = vessel.deps, process_time()
        await deps.store.apply([PutPersona(persona=_persona(deps))])
        for pair in range(scale.pairs):
            await deps.store.apply(_meeting(pair, deps))
            for first in range(0, scale.each, BATCH):
                await deps.store.apply(await _said(pair, range(first, min(first + BATCH, scale.each)), scale, deps))
            if scale.pairs == 1 or pair % 100 == 99:
                note(f"EchoVessel: {(pair + 1) * scale.each:,} messages stored")
        return (process_time() - began) * 1000 / scale.messages
    finally:
        await vessel.close()


def _persona(deps: Deps) -> Persona:
    return Persona(
        id=PERSONA, name="Bench", kind=PersonaKind.RESEARCH, locale="en", zone="UTC", created_at=deps.clock.now()
    )


def _meeting(number: int, deps: Deps) -> Sequence[Change]:
    now, pair = deps.clock.now(), _pair(number)
    return [
        PutUser(user=User(id=pair.user_id, name="", zone="UTC", locale="en", created_at=now)),
        OpenConversation(conversation_id=_thread(number), pair=pair, channel=CHANNEL, key=str(number), at=now),
    ]


async def _said(number: int, places: range, scale: Scale, deps: Deps) -> Sequence[Change]:
    """Some messages of a pair, and their vectors."""
    pair = _pair(number)
    texts = [text_of(number * scale.each + place) for place in places]
    vectors = await Synthetic().embed(texts, Kind.PASSAGE)
    messages = [
        ImportMessage(
            message_id=MessageId(deps.ids.ulid(sent_at(place))),
            text_id=TextId(deps.ids.ulid(sent_at(place))),
            conversation_id=_thread(number),
            pair=pair,
            channel=CHANNEL,
            speaker=Speaker.USER if place % 2 else Speaker.PERSONA,
            text=text,
            sent_at=sent_at(place),
            zone="UTC",
            external_id=str(place),
        )
        for place, text in zip(places, texts, strict=True)
    ]
    raw = tuple((message.text_id, vector.tobytes()) for message, vector in zip(messages, vectors, strict=True))
    kept = PutVectors(user_id=pair.user_id, persona_id=pair.persona_id, embedder=Synthetic.name, vectors=raw)
    return [*messages, kept]


async def _measure(folder: Path, scale: Scale, import_cpu: float) -> Figures:
    began, spent = perf_counter(), process_time()
    vessel = await _open(folder)
    try:
        deps = vessel.deps
        await _recall(0, 0, deps)
        first, first_cpu = perf_counter() - began, process_time() - spent
        cold, warm = await _ask(scale, deps)
        await _load_the_rest(vessel)
        added = await _add(deps)
        return Figures.of(folder, import_cpu=import_cpu, add=added, first=(first, first_cpu), cold=cold, warm=warm)
    finally:
        await vessel.close()


async def _ask(scale: Scale, deps: Deps) -> tuple[list[float], list[float]]:
    """The seconds of each pair's first answer, but for pair 0 that was asked already, and of the answers after that."""
    cold: list[float] = []
    warm: list[float] = []
    asked = {0}
    for number in range(ASKED):
        pair = number * scale.pairs // ASKED
        if pair not in asked:
            asked.add(pair)
            cold.append(await _recall(pair, number, deps))
        warm.append(await _recall(pair, number + ASKED, deps))
    return cold, warm


async def _recall(pair: int, number: int, deps: Deps) -> float:
    """The seconds one recall takes, without embedding the question."""
    asked = ask(text_of(number * 7919 + 11), user_name="", persona_name="Bench", asked_at=deps.clock.now())
    [vector] = await Synthetic().embed([asked.text], Kind.QUERY)
    began = perf_counter()
    query = Query(asked=asked, vector=vector)
    select(await deps.index.candidates(_pair(pair), query), budget_tokens=1500, limit=12)
    return perf_counter() - began


async def _load_the_rest(vessel: Vessel) -> None:
    """What else a daemon holds: its HTTP application, and the embedder's weights."""
    vessel.app()
    if embedder := open_shipped("auto"):
        await embedder.embed(["早"], Kind.QUERY)


async def _add(deps: Deps) -> tuple[float, list[float]]:
    """Milliseconds of CPU a message, and the seconds each took, one after another."""
    walls: list[float] = []
    spent = process_time()
    for number in range(ADDED):
        now, began = deps.clock.now(), perf_counter()
        heard = HearMessage(
            message_id=MessageId(deps.ids.ulid(now)),
            text_id=TextId(deps.ids.ulid(now)),
            turn_id=TurnId(deps.ids.ulid(now)),
            conversation_id=_thread(0),
            pair=_pair(0),
            channel=CHANNEL,
            text=text_of(number * 31 + 7),
            sent_at=now,
            zone="UTC",
            due_at=now + timedelta(seconds=2),
            client_id=f"bench-{number}",
        )
        await deps.store.apply([heard])
        walls.append(perf_counter() - began)
    return (process_time() - spent) * 1000 / ADDED, walls
