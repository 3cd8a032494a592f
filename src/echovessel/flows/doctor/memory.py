"""The doctor looks at what is remembered: the database, its clock, the vectors, and whose they are."""

from datetime import timedelta

from echovessel.core.errors import BadInput, EmbedderDown
from echovessel.core.ids import UserId
from echovessel.core.pair import Pair
from echovessel.core.time import is_utc, zone
from echovessel.flows.deps import Deps
from echovessel.flows.doctor.daemon import from_error
from echovessel.ports.clock import Clock
from echovessel.ports.embedder import Embedder, Kind
from echovessel.ports.front import Check, Verdict
from echovessel.ports.index import PairIndex
from echovessel.ports.records import StoreHealth, User

_SENTENCE = "What did I tell you about my sister's wedding, and when will it be?"
EARLY = timedelta(minutes=5)
"""How far in the future a message may seem to lie before a clock is wrong for certain."""


def look_at_database(health: StoreHealth) -> Check:
    """Whether the database is whole, and waits for the disk."""
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


async def look_at_clock(deps: Deps, owner: UserId) -> Check:
    """Whether this machine's clock is behind what was said."""
    newest = [
        message.sent_at
        for persona in await deps.store.personas()
        for message in await deps.store.messages(Pair(owner, persona.id), limit=1)
    ]
    ahead = max(newest, default=deps.clock.now()) - deps.clock.now()
    if ahead <= EARLY:
        return Check(name="clock", verdict=Verdict.OK, found="Nothing was said in the future.")
    return Check(
        name="clock",
        verdict=Verdict.BROKEN,
        found=f"The newest message is {_span(ahead)} in the future: this machine's clock is behind, or was ahead then.",
        do="Set the clock of this machine right (switch on its synchronisation). Until then new messages sort before old ones.",
    )


def look_at_owner_of_home(user: User) -> Check:
    """Who one is taken for, in which time zone."""
    found = f"{user.name or '(no name yet)'}, time zone {user.zone}, language {user.locale}."
    try:
        zone(user.zone)
    except BadInput:
        return Check(
            name="you",
            verdict=Verdict.BROKEN,
            found=f"{found} This machine does not know that time zone.",
            do="Name one that it knows, such as `echovessel init --zone Asia/Shanghai`.",
        )
    if is_utc(user.zone) and user.locale == "zh":
        return Check(
            name="you",
            verdict=Verdict.NOTE,
            found=found,
            do="If your time zone is another one: `echovessel init --zone Asia/Shanghai`.",
        )
    return Check(name="you", verdict=Verdict.OK, found=found)


async def look_at_embedder(embedder: Embedder | None, clock: Clock) -> Check:
    """Whether texts can be found by meaning, and how fast."""
    if embedder is None:
        return Check(
            name="embedder",
            verdict=Verdict.NOTE,
            found="Switched off: recall goes by words alone.",
            do='Set name = "auto" in [embedder] of config.toml.',
        )
    try:
        await embedder.embed(["早"], Kind.QUERY)  # what has to be loaded first is not counted
        began = clock.monotonic()
        await embedder.embed([_SENTENCE], Kind.QUERY)
    except EmbedderDown as down:
        if embedder.calibrated:
            return from_error("embedder", down)
        return Check(name="embedder", verdict=Verdict.NOTE, found=down.message, do=down.do)
    took = round((clock.monotonic() - began) * 1000)
    found = f"{embedder.name} works: {took} ms for a question, {embedder.dimension} numbers in a vector, calibrated."
    return Check(name="embedder", verdict=Verdict.OK, found=found)


async def look_at_vectors(deps: Deps, embedder: Embedder) -> Check:
    """Whether every message has its vector."""
    waiting = await deps.store.count_unembedded(embedder.name)
    others = {name: count for name, count in (await deps.store.embedders()).items() if name != embedder.name}
    told = ", ".join(f"{count} of {name}" for name, count in others.items())
    if waiting:
        found = f"{waiting} messages wait for a vector of {embedder.name}{f'; there are {told}' if told else ''}."
        do = "Nothing: they are made while EchoVessel runs, `echovessel reindex` shows how far. Words find meanwhile."
        return Check(name="vectors", verdict=Verdict.NOTE, found=found, do=do)
    if told:
        found = f"Every message has its vector; {told} are no longer needed."
        do = "Nothing: they are removed by themselves."
        return Check(name="vectors", verdict=Verdict.NOTE, found=found, do=do)
    return Check(name="vectors", verdict=Verdict.OK, found="Every message has its vector.")


async def look_at_index(index: PairIndex) -> Check:
    """Whether what recall searches in memory is what the database holds."""
    compared = await index.check()
    found = f"{compared.messages} messages of {compared.pairs} talks in memory were compared with the database"
    if compared.astray:
        return Check(
            name="index",
            verdict=Verdict.NOTE,
            found=f"{found}: {compared.astray} talks differed.",
            do="Nothing: they are read anew at the next question. Report it.",
        )
    return Check(name="index", verdict=Verdict.OK, found=f"{found} and are the same.")


def _span(time: timedelta) -> str:
    hours = time.total_seconds() / 3600
    if hours < 1:
        return f"{hours * 60:.0f} minutes"
    return f"{hours:.0f} hours" if hours < 48 else f"{hours / 24:.0f} days"
