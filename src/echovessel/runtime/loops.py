"""What runs beside the front door: turns are claimed and taken, texts get their vectors, queued jobs are done.

A loop that fails is restarted by the supervisor; whatever it was doing is still in the store.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from typing import Any, Protocol

from echovessel.core.errors import EchoVesselError, EmbedderDown, FenceLost, PortDown
from echovessel.core.ids import MessageId
from echovessel.core.talk import Trouble, Turn
from echovessel.flows.backup import BACKUP, leave_no_trace, make_automatic, schedule_due
from echovessel.flows.bell import Bell
from echovessel.flows.curate import SCRUB
from echovessel.flows.deps import Deps
from echovessel.flows.embedding import SLICE, embed_some, forget_others
from echovessel.flows.tidying import tidy
from echovessel.flows.turn import Claim, give_up, take_turn
from echovessel.ports.changes import ClaimJob, ClaimTurn, EndJob, Fence, FenceKind, KeepJob, Lease
from echovessel.ports.embedder import Embedder
from echovessel.ports.records import Job

log = logging.getLogger(__name__)


class Guard(Protocol):
    """Runs work, logs what it raised and returns it. While `vital` work fails, we are not ready."""

    async def __call__(
        self, work: Coroutine[Any, Any, None], name: str, *, vital: bool = False
    ) -> Exception | None: ...


LONGEST_WAIT_S = 5.0
"""How late work that another process left behind may be noticed."""
SHORTEST_WAIT_S = 0.02
"""Between two looks at the store, when another process took what was due."""
JOB_LEASE_S = 600.0
TIDY_EVERY_S = 6 * 3600.0
FIRST_TIDY_S = 600.0
"""After the start. Who never uses it for longer has little to tidy up."""
FIRST_BACKUP_LOOK_S = 60.0
"""After the start, when all else is done."""
BACKUP_LOOK_S = 300.0
"""Between two looks whether it is time for a backup."""
EMBEDDER_RETRY_S = 30.0
JOB_RETRY = timedelta(minutes=5)
JOB_ATTEMPTS = 5

DEFECT = Trouble(
    code="defect",
    message="Something inside EchoVessel broke while the reply was being worded.",
    do="Press retry. If it happens again, look into the log in the home folder and report it.",
)


async def turn_loop(deps: Deps, guard: Guard) -> None:
    """Claim waiting turns and take them side by side, at most `turn.workers` at once.

    A look at the store that fails is repeated later, and leaves the turns that are running alone.
    """
    running: set[asyncio.Task[None]] = set()
    due: datetime | None = None

    async def look() -> None:
        nonlocal due
        due = None
        free = deps.settings.current().turn.workers - len(running)
        found, missed = await deps.store.due_turns(limit=free), False
        for turn in found.now:
            if claim := await claim_turn(turn, deps):
                task = tasks.create_task(_take(claim, deps, guard))
                running.add(task)
                task.add_done_callback(running.discard)
            else:
                missed = True  # another process has it, and there may be more than we were told of
        due = deps.clock.now() if missed else found.next_at

    async with asyncio.TaskGroup() as tasks:
        while True:
            if len(running) >= deps.settings.current().turn.workers:
                await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                continue
            rings = deps.bells.turns.rings
            await guard(look(), "look for turns", vital=True)
            await _wait(deps, deps.bells.turns, rings, until=due)


async def claim_turn(turn: Turn, deps: Deps) -> Claim | None:
    """Take a waiting turn; None when someone else has it."""
    lease = Lease(deps.ids.token(), deps.settings.current().turn.lease_s)
    applied = await deps.store.apply([ClaimTurn(user_id=turn.pair.user_id, turn_id=turn.id, lease=lease)])
    claimed = applied.outcomes[0].turn
    if claimed is None:
        return None
    now = deps.clock.now()
    return Claim(
        turn=claimed,
        fence=Fence(FenceKind.TURN, claimed.id, lease.token),
        at=now,
        care_id=MessageId(deps.ids.ulid(now)),
        reply_id=MessageId(deps.ids.ulid(now)),
    )


async def _take(claim: Claim, deps: Deps, guard: Guard) -> None:
    """A defect ends its own turn visibly and nothing else."""
    failure = await guard(take_turn(claim, deps), "turn")
    if failure is not None and not isinstance(failure, FenceLost):
        await guard(give_up(claim, deps, DEFECT), "turn that broke off")
    deps.bells.turns.ring()


async def embed_loop(deps: Deps, embedder: Embedder) -> None:
    """Embed what has no vector yet, newest writes first noticed by the bell; a failing embedder is tried again later.

    Vectors of other embedders go when all have ours: once for each name, lest two programs that differ undo each other's for
    ever.
    """
    alone_as = ""
    await _tell_of_others(embedder, deps)
    while True:
        rings = deps.bells.texts.rings
        try:
            await embedder.prepare()
            if await embed_some(embedder, deps) == SLICE:
                continue
            if alone_as != embedder.name:
                await forget_others(embedder, deps)
                alone_as = embedder.name
        except EmbedderDown:
            await deps.clock.sleep(EMBEDDER_RETRY_S)
            continue
        await _wait(deps, deps.bells.texts, rings, until=None)


async def _tell_of_others(embedder: Embedder, deps: Deps) -> None:
    """Say in the log that the embedder was changed."""
    others = [name for name in await deps.store.embedders() if name != embedder.name]
    if others and (waiting := await deps.store.count_unembedded(embedder.name)):
        log.warning(
            "%d texts lack a vector of %s, because %s embedded them; until they have it, their words find them",
            waiting,
            embedder.name,
            ", ".join(others),
        )


async def backup_loop(deps: Deps, guard: Guard) -> None:
    """See now and then whether it is time for a backup, or for taking something out of one; either is a job."""
    await guard(deps.backups.sweep(), "clear the backup folder")
    await deps.clock.sleep(FIRST_BACKUP_LOOK_S)
    while True:
        await guard(schedule_due(deps), "look for a backup that is due")
        await deps.clock.sleep(BACKUP_LOOK_S)


async def tidy_loop(deps: Deps, guard: Guard) -> None:
    """Remove what nobody looks at any more, some minutes after the start and then every few hours."""
    await deps.clock.sleep(FIRST_TIDY_S)
    while True:
        await guard(tidy(deps), "tidy up")
        await deps.clock.sleep(TIDY_EVERY_S)


JOBS: Mapping[str, Callable[[Deps], Coroutine[Any, Any, None]]] = {
    SCRUB: leave_no_trace,
    BACKUP: make_automatic,
}
"""What is done for a job of each kind."""


async def job_loop(deps: Deps, guard: Guard) -> None:
    """Do queued jobs one after another; one that outlived its workers too often is parked instead."""
    kinds = tuple(JOBS)
    while True:
        rings = deps.bells.jobs.rings
        due = await deps.store.next_job_due(kinds)
        if due is None or due > deps.clock.now():
            await _wait(deps, deps.bells.jobs, rings, until=due)
            continue
        lease = Lease(deps.ids.token(), JOB_LEASE_S)
        applied = await deps.store.apply([ClaimJob(kinds=kinds, lease=lease)])
        job = applied.outcomes[0].job
        if job is None:
            await deps.clock.sleep(SHORTEST_WAIT_S)
            continue
        await guard(_do(job, Fence(FenceKind.JOB, job.id, lease.token), deps, guard), f"job {job.kind}")


async def _do(job: Job, fence: Fence, deps: Deps, guard: Guard) -> None:
    failure: Exception | None = None
    if job.attempts <= JOB_ATTEMPTS:
        async with _kept(job, fence, deps):
            failure = await guard(JOBS[job.kind](deps), job.kind)
    await deps.store.apply([_ending(job, failure, deps)], fence)


@asynccontextmanager
async def _kept(job: Job, fence: Fence, deps: Deps) -> AsyncGenerator[None]:
    """Renew the job's lease for as long as the block lasts: a backup of much data may outlast it."""

    async def renew() -> None:
        while True:
            await deps.clock.sleep(JOB_LEASE_S / 3)
            with suppress(PortDown, FenceLost):  # then the end of the job finds out
                await deps.store.apply([KeepJob(job_id=job.id, lease_seconds=JOB_LEASE_S)], fence)

    renewing = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)


def _ending(job: Job, failure: Exception | None, deps: Deps) -> EndJob:
    if job.attempts > JOB_ATTEMPTS:
        return EndJob(job_id=job.id, error="its workers ended before it did")
    if failure is None:
        return EndJob(job_id=job.id)
    retry_at = deps.clock.now() + JOB_RETRY if job.attempts < JOB_ATTEMPTS else None
    return EndJob(job_id=job.id, error=_told(failure), retry_at=retry_at)


def _told(failure: Exception) -> str:
    """What failed, as it may be kept and shown. The text of an error that is not ours may quote what was being worked on."""
    return f"{failure.message} {failure.do}" if isinstance(failure, EchoVesselError) else type(failure).__name__


async def _wait(deps: Deps, bell: Bell, rings: int, until: datetime | None) -> None:
    """Sleep until the bell has rung more than `rings` times, `until` comes, or another process may have left work behind."""
    seconds = LONGEST_WAIT_S
    if until is not None:
        seconds = min(seconds, max(SHORTEST_WAIT_S, (until - deps.clock.now()).total_seconds()))
    heard = asyncio.ensure_future(bell.heard(rings))
    slept = asyncio.ensure_future(deps.clock.sleep(seconds))
    try:
        await asyncio.wait((heard, slept), return_when=asyncio.FIRST_COMPLETED)
    finally:
        heard.cancel()
        slept.cancel()
        await asyncio.gather(heard, slept, return_exceptions=True)
