"""The doctor looks at the running vessel through its ports."""

from collections.abc import Mapping, Sequence

from echovessel.core.errors import StoreDown
from echovessel.core.ids import UserId
from echovessel.flows.backup import check_backups
from echovessel.flows.deps import Deps
from echovessel.flows.doctor.alone import Guard, Look, alone
from echovessel.flows.doctor.daemon import from_error
from echovessel.flows.doctor.memory import (
    look_at_clock,
    look_at_database,
    look_at_embedder,
    look_at_index,
    look_at_owner_of_home,
    look_at_vectors,
)
from echovessel.flows.doctor.models import look_at_models
from echovessel.flows.doctor.work import look_at_jobs, look_at_loops, look_at_restart
from echovessel.ports.front import Check


async def examine(deps: Deps, owner: UserId, guard: Guard, failures: Mapping[str, int]) -> Sequence[Check]:
    """Everything there is to see. A database that cannot be read hides what is in it, and nothing else.

    `failures`: how often each loop failed since the start.
    """
    loops = look_at_loops(failures)  # before a look of ours breaks and is counted there

    async def embedder() -> Sequence[Check]:
        return [await look_at_embedder(deps.embedder, deps.clock)]

    async def models() -> Sequence[Check]:
        return await look_at_models(deps, owner)

    database = await alone("database", lambda: _database(deps), guard)
    looks = {**(_of_what_is_kept(deps, owner) if database.whole else {}), "embedder": embedder, "model": models}
    found = [await alone(name, look, guard) for name, look in looks.items()]
    checks = [check for looked in (database, *found) for check in looked.checks]
    return [*checks, loops, look_at_restart(deps.settings.at_next_start)]


async def _database(deps: Deps) -> Sequence[Check]:
    """Raises StoreUnusable or PortDown when it cannot be read."""
    try:
        health = await deps.store.health()
    except StoreDown as unwritable:  # what is in it may still be read
        return [from_error("database", unwritable)]
    return [from_error("database", deps.store.down) if deps.store.down else look_at_database(health)]


def _of_what_is_kept(deps: Deps, owner: UserId) -> Mapping[str, Look]:
    """The looks into the database, and at its backups."""

    async def vectors() -> Sequence[Check]:
        return [await look_at_vectors(deps, deps.embedder)] if deps.embedder else []

    async def index() -> Sequence[Check]:
        return [await look_at_index(deps.index)]

    async def jobs() -> Sequence[Check]:
        return [await look_at_jobs(deps)]

    async def clock() -> Sequence[Check]:
        return [await look_at_clock(deps, owner)]

    async def you() -> Sequence[Check]:
        user = await deps.store.user(owner)
        assert user is not None
        return [look_at_owner_of_home(user)]

    async def backups() -> Sequence[Check]:
        found = await check_backups(deps)
        return [found] if found else []

    return {"vectors": vectors, "index": index, "jobs": jobs, "clock": clock, "you": you, "backup": backups}
