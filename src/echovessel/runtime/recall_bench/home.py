"""A vessel of its own for each measurement, and the talks in its memory."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from echovessel.adapters.home import Home
from echovessel.core.ids import PersonaId, UserId
from echovessel.core.pair import Pair
from echovessel.flows.deps import Deps
from echovessel.flows.embedding import embed_some
from echovessel.flows.ingest import FlowIngest
from echovessel.ports.changes import PutPersona, PutUser
from echovessel.ports.embedder import Embedder
from echovessel.ports.records import Persona, PersonaKind, User
from echovessel.runtime.output import note
from echovessel.runtime.recall_bench.asking import Memory
from echovessel.runtime.recall_bench.data import Told
from echovessel.runtime.recall_bench.vectors import KeptVectors
from echovessel.runtime.wiring import Overrides, build, open_settings


@asynccontextmanager
async def vessel(embedder: Embedder | None, vectors: Path | None) -> AsyncGenerator[Deps]:
    """A vessel that is removed afterwards; `embedder` None takes the configured one. No text is embedded twice, and with a
    folder for `vectors` not even in the next run."""
    with TemporaryDirectory(prefix="echovessel-bench-") as folder:
        home = Home(Path(folder))
        settings = open_settings(home, {"database.url": ""})
        built = await build(home, Overrides(settings=settings, embedder=embedder))
        kept: Embedder | None = KeptVectors(built.deps.embedder, vectors) if built.deps.embedder else None
        try:
            if kept:
                await kept.prepare()
            yield replace(built.deps, embedder=kept)
        finally:
            if kept:
                kept.close()
            await built.close()


async def remember_talks(conversations: Sequence[Told], deps: Deps) -> Mapping[str, Memory]:
    """The talks of a set as memories, by conversation: of one person with several personas, several pairs of one user."""
    users: dict[str, UserId] = {}
    for told in conversations:
        users.setdefault(told.person, UserId(deps.ids.ulid(deps.clock.now())))
    pairs = {told.conv_id: await _import(told, users[told.person], deps) for told in conversations}
    note(f"{sum(len(told.said_at) for told in conversations)} messages imported; embedding takes 20–60 ms each.")
    while deps.embedder is not None and await embed_some(deps.embedder, deps):
        pass
    return {told.conv_id: await Memory.of(told, pairs[told.conv_id], deps) for told in conversations}


async def _import(told: Told, user_id: UserId, deps: Deps) -> Pair:
    """Make the two people, and import what they said. BadInput when nothing of it can be."""
    now = deps.clock.now()
    pair = Pair(user_id, PersonaId(deps.ids.ulid(now)))
    user = User(id=user_id, name=told.me, zone=told.zone, locale=told.locale, created_at=now)
    persona = Persona(
        id=pair.persona_id,
        name=told.other,
        kind=PersonaKind.RESEARCH,
        locale=told.locale,
        zone=told.zone,
        created_at=now,
    )
    await deps.store.apply([PutUser(user=user), PutPersona(persona=persona)])
    report = await FlowIngest(deps)(pair, lambda: _lines(told), me=told.me, dry_run=False)
    for refusal in report.refused:
        note(f"{told.conv_id}: {refusal}")
    return pair


async def _lines(told: Told) -> AsyncIterator[str]:
    yield told.line
