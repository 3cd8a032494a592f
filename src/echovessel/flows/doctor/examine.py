"""The doctor looks at the running vessel through its ports."""

from collections.abc import Mapping, Sequence

from echovessel.core.errors import PortDown, StoreDown, StoreUnusable
from echovessel.core.ids import UserId
from echovessel.flows.backup import check_backups
from echovessel.flows.deps import Deps
from echovessel.flows.doctor.daemon import from_error
from echovessel.flows.doctor.memory import (
    look_at_clock,
    look_at_database,
    look_at_embedder,
    look_at_owner_of_home,
    look_at_vectors,
)
from echovessel.flows.doctor.models import look_at_models
from echovessel.flows.doctor.work import look_at_jobs, look_at_loops, look_at_restart
from echovessel.ports.front import Check, Verdict


async def examine(deps: Deps, owner: UserId, failures: Mapping[str, int]) -> Sequence[Check]:
    """Everything there is to see. A database that cannot be read hides what is in it, and nothing else.

    `failures`: how often each loop failed since the start.
    """
    checks = [*await _kept(deps, owner), await look_at_embedder(deps.embedder)]
    checks += await look_at_models(deps, owner)
    return [*checks, look_at_loops(failures), look_at_restart(deps.settings.at_next_start)]


async def _kept(deps: Deps, owner: UserId) -> Sequence[Check]:
    """The database, then as much of what it holds as can be read."""
    checks: list[Check] = []
    try:
        checks.append(await _database(deps))
        if deps.embedder:
            checks.append(await look_at_vectors(deps, deps.embedder))
        checks.append(await look_at_jobs(deps))
        checks.append(await look_at_clock(deps, owner))
        user = await deps.store.user(owner)
        assert user is not None
        checks.append(look_at_owner_of_home(user))
        if backups := await check_backups(deps):
            checks.append(backups)
    except (StoreUnusable, PortDown) as unreadable:
        if not checks or checks[0].verdict is Verdict.OK:
            checks[:1] = [from_error("database", unreadable)]
    return checks


async def _database(deps: Deps) -> Check:
    try:
        health = await deps.store.health()
    except StoreDown as unwritable:  # what is in it may still be read
        return from_error("database", unwritable)
    return from_error("database", deps.store.down) if deps.store.down else look_at_database(health)
