"""The only place where things are built: every port gets its adapter here, and every flow its ports."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from echovessel.adapters.allocator import share_arenas
from echovessel.adapters.backup import FolderBackups, ServerBackups, back_up_before_upgrade, folder_of, sweep
from echovessel.adapters.cards import Cards
from echovessel.adapters.config import FileSettings, Layers
from echovessel.adapters.embed import open_embedder
from echovessel.adapters.home import Home, open_home
from echovessel.adapters.index import NumpyPairIndex, load_weights
from echovessel.adapters.llm import ConfiguredModels, NearbyServers
from echovessel.adapters.shelf import BuiltInShelf
from echovessel.adapters.store import is_older, open_store
from echovessel.adapters.system import SystemClock, SystemIds
from echovessel.adapters.templates import load_catalog
from echovessel.core.errors import EmbedderDown, ModelDown
from echovessel.core.ids import UserId
from echovessel.flows.backup import FlowBackups
from echovessel.flows.bell import Bells
from echovessel.flows.curate import FlowCuration
from echovessel.flows.deps import Deps
from echovessel.flows.doctor import examine
from echovessel.flows.export import FlowExport
from echovessel.flows.front import FlowFront
from echovessel.flows.ingest import FlowIngest
from echovessel.flows.library import FlowLibrary
from echovessel.flows.live import LiveReplies
from echovessel.flows.probe import probe
from echovessel.flows.recollect import recollect
from echovessel.flows.reindexing import FlowReindexing
from echovessel.ports.backups import Backups
from echovessel.ports.changes import PutIdentity, PutUser, ReleaseLeases
from echovessel.ports.clock import Clock, Ids
from echovessel.ports.embedder import Embedder, Kind
from echovessel.ports.llm import Models
from echovessel.ports.meter import Meter
from echovessel.ports.nearby import Nearby
from echovessel.ports.records import OWNER, OWNER_CHANNEL, Identity, Trust, User
from echovessel.ports.settings import Settings, SettingsSource
from echovessel.ports.store import Store
from echovessel.runtime import logs
from echovessel.runtime.loops import backup_loop, embed_loop, job_loop, tidy_loop, turn_loop
from echovessel.runtime.machine import locale_of, zone_of
from echovessel.runtime.package import page_folder
from echovessel.runtime.supervisor import Loop, Supervisor
from echovessel.runtime.watch import Watch

if TYPE_CHECKING:
    from fastapi import FastAPI

WARM_UP_AFTER_S = 1.0
"""Commands that are over sooner load nothing that they do not need."""
INDEX_BYTES = 256 * 1024 * 1024
"""Memory that the pair indexes may take before the least used is dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What a test puts in the place of an adapter; None leaves the real one. `wrap_store` is put around the opened store."""

    clock: Clock | None = None
    ids: Ids | None = None
    models: Models | None = None
    nearby: Nearby | None = None
    embedder: Embedder | None = None
    settings: SettingsSource | None = None
    wrap_store: Callable[[Store], Store] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Vessel:
    """A built EchoVessel; nothing runs yet. `close` it when its loops have ended."""

    home: Home
    token: str = field(repr=False)
    deps: Deps
    owner: UserId
    front: FlowFront
    curation: FlowCuration
    library: FlowLibrary
    supervisor: Supervisor
    watch: Watch

    def loops(self) -> Mapping[str, Loop]:
        """What has to run beside the front door, by name."""
        deps, guard = self.deps, self.supervisor.guard
        loops: dict[str, Loop] = {"turns": lambda: turn_loop(deps, guard), "jobs": lambda: job_loop(deps, guard)}
        loops["watch"] = self.watch.loop
        loops["backups"] = lambda: backup_loop(deps, guard)
        loops["tidying"] = lambda: tidy_loop(deps, guard)
        if embedder := deps.embedder:
            loops["vectors"] = lambda: embed_loop(deps, embedder)
        return loops

    async def warm_up(self) -> None:
        """Load what the first reply would otherwise wait for: the embedder's weights and the model's client."""
        deps = self.deps
        await deps.clock.sleep(WARM_UP_AFTER_S)
        if deps.embedder and deps.embedder.calibrated:
            with suppress(EmbedderDown):  # the loop that makes vectors tries again
                await deps.embedder.embed(["早"], Kind.QUERY)
        for model in deps.models.in_order()[:1]:
            with suppress(ModelDown):  # the first reply will say it
                await model.prepare()

    def app(self) -> "FastAPI":
        """The HTTP application."""
        from echovessel.api.app import build_app
        from echovessel.api.doors import Doors

        deps = self.deps
        return build_app(
            Doors(
                store=deps.store,
                front=self.front,
                curation=self.curation,
                library=self.library,
                ingest=FlowIngest(deps),
                export=FlowExport(deps),
                doctor=partial(examine, deps, self.owner, self.supervisor.guard, self.supervisor.failures),
                probe=partial(probe, deps=deps, owner=self.owner),
                index=deps.index,
                recollect=partial(recollect, deps=deps),
                embedder=deps.embedder,
                reindexing=FlowReindexing(deps),
                models=deps.models,
                nearby=deps.nearby,
                settings=deps.settings,
                backups=FlowBackups(deps),
                clock=deps.clock,
                token=self.token,
                page=page_folder(),
                ready=lambda: self.supervisor.ready,
                meter=deps.meter,
                restarts=self.supervisor.restarts,
                home=str(self.home.path),
            )
        )

    async def close(self) -> None:
        """Let go of models and embedder, wait for a backup that was broken off, and close the store."""
        self.deps.models.close()
        if self.deps.embedder:
            self.deps.embedder.close()
        await self.deps.backups.close()
        await self.deps.store.close()


def open_settings(home: Home, flags: Mapping[str, object] | None = None) -> FileSettings:
    """The settings of a home, under the environment and a command's flags (`section.key`)."""
    return FileSettings(home.config, Layers(os.environ, flags or {}))


async def build(home: Home, overrides: Overrides | None = None) -> Vessel:
    """Build everything on one home, whose lock the caller holds. Raises ConfigError with what to do when it cannot be used."""
    share_arenas()
    overrides = overrides or Overrides()
    clock = overrides.clock or SystemClock()
    ids = overrides.ids or SystemIds(clock)
    token = open_home(home, ids)
    settings = overrides.settings or open_settings(home)
    meter = Meter()
    store = _open_store(home, settings.current(), clock, meter, overrides)
    try:
        if not settings.current().database.url:
            await store.apply([ReleaseLeases()])
        owner = await _owner(store, clock, ids)
        deps = _deps(home, store, settings, clock, ids, meter, overrides)
    except BaseException:
        await store.close()
        raise
    return Vessel(
        home=home,
        token=token,
        deps=deps,
        owner=owner,
        front=FlowFront(deps),
        curation=FlowCuration(deps),
        library=FlowLibrary(deps, Cards(), BuiltInShelf()),
        supervisor=Supervisor(clock),
        watch=Watch(deps, lambda changed: logs.adjust(changed.log)),
    )


def _open_store(home: Home, settings: Settings, clock: Clock, meter: Meter, overrides: Overrides) -> Store:
    url = settings.database.url
    sweep(home)
    if not url and is_older(home.database):
        back_up_before_upgrade(home.database, folder_of(home.path, settings.backup.folder), clock.now())
    store = open_store(url=url or None, path=None if url else home.database, clock=clock, meter=meter)
    return overrides.wrap_store(store) if overrides.wrap_store else store


def _backups(home: Home, settings: SettingsSource, clock: Clock) -> Backups:
    if url := settings.current().database.url:
        return ServerBackups(url)
    return FolderBackups(home.database, lambda: folder_of(home.path, settings.current().backup.folder), clock)


def _deps(
    home: Home,
    store: Store,
    settings: SettingsSource,
    clock: Clock,
    ids: Ids,
    meter: Meter,
    overrides: Overrides,
) -> Deps:
    embedder = overrides.embedder or open_embedder(settings.current().embedder, home.embedders)
    return Deps(
        store=store,
        index=NumpyPairIndex(store=store, embedder=embedder, weights=load_weights(), max_bytes=INDEX_BYTES),
        embedder=embedder,
        models=overrides.models or ConfiguredModels(settings=settings, clock=clock),
        nearby=overrides.nearby or NearbyServers(settings),
        clock=clock,
        ids=ids,
        settings=settings,
        catalog=load_catalog(),
        live=LiveReplies(clock, meter),
        backups=_backups(home, settings, clock),
        bells=Bells(),
        meter=meter,
    )


async def _owner(store: Store, clock: Clock, ids: Ids) -> UserId:
    """The one user of this home; made at the first start, in the machine's zone and language."""
    if identity := await store.identity(OWNER_CHANNEL, OWNER):
        return identity.user_id
    now = clock.now()
    user_id = UserId(ids.ulid(now))
    user = User(id=user_id, name="", zone=zone_of(os.environ), locale=locale_of(os.environ), created_at=now)
    identity = Identity(user_id=user_id, channel=OWNER_CHANNEL, external_id=OWNER, trust=Trust.OWNER)
    await store.apply([PutUser(user=user), PutIdentity(identity=identity)])
    return user_id
