"""The doctor: is everything in order, and if not, what to do.

It looks at the home from outside (facts gathered by whoever asks) and at the running vessel through its ports.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from echovessel.core.errors import EchoVesselError, EmbedderDown, ModelDown
from echovessel.core.ids import UserId
from echovessel.core.time import is_utc
from echovessel.flows.deps import Deps
from echovessel.ports.embedder import Embedder, Kind
from echovessel.ports.front import Check, Verdict
from echovessel.ports.records import JobState, StoreHealth

LITTLE_SPACE = 200 * 1024 * 1024
"""Bytes; below this a database may fail to grow soon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeFacts:
    """The home as its folder shows it. `open_to_others`: paths that other people of this machine may read.
    `free_bytes` on its disk."""

    path: str
    exists: bool
    open_to_others: Sequence[str]
    free_bytes: int
    page_built: bool


def look_at_home(facts: HomeFacts) -> tuple[Check, ...]:
    """Judge the home."""
    return (_home(facts), _space(facts), _page(facts))


def from_error(name: str, error: EchoVesselError) -> Check:
    """What stopped us from looking further."""
    return Check(name=name, verdict=Verdict.BROKEN, found=error.message, do=error.do)


async def examine(deps: Deps, owner: UserId) -> tuple[Check, ...]:
    """Look at the running vessel: database, owner, vectors, model, jobs."""
    health = await deps.store.health()
    checks = [_database(health), await _owner(deps, owner)]
    checks += [check async for check in _vectors(deps)]
    checks += [await _model(deps), await _jobs(deps, health)]
    return tuple(checks)


def _home(facts: HomeFacts) -> Check:
    if not facts.exists:
        return Check(
            name="home",
            verdict=Verdict.BROKEN,
            found=f"There is no home at {facts.path} yet.",
            do="Make it with `echovessel init`, or start EchoVessel with `echovessel run` (in a clone: `make run`).",
        )
    if facts.open_to_others:
        return Check(
            name="home",
            verdict=Verdict.BROKEN,
            found=f"Other people of this machine may read: {', '.join(facts.open_to_others)}.",
            do="Start EchoVessel: it closes its home. Then make a new token: remove the file `token` and start again.",
        )
    return Check(name="home", verdict=Verdict.OK, found=f"{facts.path} is yours alone.")


def _space(facts: HomeFacts) -> Check:
    found = f"{facts.free_bytes // (1024 * 1024)} MB are free."
    if facts.free_bytes < LITTLE_SPACE:
        return Check(name="disk", verdict=Verdict.BROKEN, found=found, do="Free some space on the disk of the home.")
    return Check(name="disk", verdict=Verdict.OK, found=found)


def _page(facts: HomeFacts) -> Check:
    if facts.page_built:
        return Check(name="page", verdict=Verdict.OK, found="The page is built.")
    return Check(
        name="page",
        verdict=Verdict.NOTE,
        found="The page is not built; terminal and API work.",
        do="In a clone: run `make setup`. Else install the wheel again.",
    )


async def _owner(deps: Deps, owner: UserId) -> Check:
    user = await deps.store.user(owner)
    assert user is not None
    found = f"{user.name or '(no name yet)'}, time zone {user.zone}, language {user.locale}."
    if is_utc(user.zone) and user.locale == "zh":
        return Check(
            name="you",
            verdict=Verdict.NOTE,
            found=found,
            do="If your time zone is another one: `echovessel init --zone Asia/Shanghai`.",
        )
    return Check(name="you", verdict=Verdict.OK, found=found)


def _database(health: StoreHealth) -> Check:
    found = f"{health.kind} at {health.where}, revision {health.revision}, {health.messages} messages"
    if health.integrity != "ok":
        return Check(
            name="database",
            verdict=Verdict.BROKEN,
            found=f"{found}: {health.integrity}.",
            do="Stop EchoVessel, copy the file away, and restore a backup; `sqlite3 FILE .recover` may save what is left.",
        )
    if not health.durable:
        return Check(
            name="database",
            verdict=Verdict.BROKEN,
            found=f"{found}; it does not wait for the disk, so a power cut may lose messages.",
            do="Remove what weakens it (synchronous, fsync, synchronous_commit) from the database's settings.",
        )
    return Check(name="database", verdict=Verdict.OK, found=f"{found}, whole and durable.")


async def _vectors(deps: Deps) -> AsyncIterator[Check]:
    embedder = deps.embedder
    if embedder is None:
        yield Check(
            name="embedder",
            verdict=Verdict.NOTE,
            found="Switched off: recall goes by words alone.",
            do='Set name = "auto" in [embedder] of config.toml.',
        )
        return
    yield await _embedder(embedder)
    waiting = await deps.store.count_unembedded(embedder.name)
    others = {name: count for name, count in (await deps.store.embedders()).items() if name != embedder.name}
    told = ", ".join(f"{count} of {name}" for name, count in others.items())
    if waiting:
        yield Check(
            name="vectors",
            verdict=Verdict.NOTE,
            found=f"{waiting} messages wait for a vector of {embedder.name}{f'; there are {told}' if told else ''}.",
            do="Nothing: they are made while EchoVessel runs, and recall by words works meanwhile.",
        )
    elif told:
        yield Check(
            name="vectors",
            verdict=Verdict.NOTE,
            found=f"Every message has its vector; {told} are no longer needed.",
            do="Nothing: they are removed at the next start.",
        )
    else:
        yield Check(name="vectors", verdict=Verdict.OK, found="Every message has its vector.")


async def _embedder(embedder: Embedder) -> Check:
    try:
        await embedder.embed(["早"], Kind.QUERY)
    except EmbedderDown as down:
        return from_error("embedder", down)
    return Check(name="embedder", verdict=Verdict.OK, found=f"{embedder.name} works.")


async def _model(deps: Deps) -> Check:
    llm = deps.settings.current().llm
    if not llm.speaks:
        return Check(
            name="model",
            verdict=Verdict.NOTE,
            found="None is connected: the keeper answers.",
            do="Connect one on the page, or set base_url and model in [llm] of config.toml.",
        )
    try:
        probe = await deps.models.probe(llm)
    except ModelDown as down:
        return from_error("model", down)
    return Check(
        name="model", verdict=Verdict.OK, found=f"{probe.model} answered after {probe.first_token_s:.1f} seconds."
    )


async def _jobs(deps: Deps, health: StoreHealth) -> Check:
    if not health.parked_jobs:
        return Check(name="jobs", verdict=Verdict.OK, found="None was given up.")
    parked = await deps.store.jobs(state=JobState.PARKED, limit=5)
    told = "; ".join(f"{job.kind}: {job.last_error}" for job in parked)
    return Check(
        name="jobs",
        verdict=Verdict.BROKEN,
        found=f"{health.parked_jobs} were given up ({told}).",
        do="Look into the log of the home, and report what is there.",
    )
