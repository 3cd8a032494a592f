"""How the vessel is: status, usage, jobs."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query

from echovessel import __version__
from echovessel.api.doors import Doors, DoorsDep, OwnerDep
from echovessel.api.dto.system import (
    Cap,
    EmbedderStatus,
    JobList,
    JobsQuery,
    JobView,
    ModelStatus,
    SpentOnView,
    SpentView,
    Status,
    Usage,
    UsageQuery,
)
from echovessel.api.dto.talk import TroubleView
from echovessel.core.addresses import without_login
from echovessel.core.talk import Trouble
from echovessel.core.time import day_begins, require_utc
from echovessel.ports.llm import Role
from echovessel.ports.records import JobState

router = APIRouter(tags=["how it is"])


@router.get("/status", operation_id="getStatus")
async def get_status(user: OwnerDep, doors: DoorsDep) -> Status:
    """Version, model, embedder, where the data is, and what today cost."""
    caps = doors.settings.current().llm
    return Status(
        version=__version__,
        model=_model(doors),
        embedder=await _embedder(doors),
        home=doors.home,
        daily=SpentView.of(await doors.store.spent(day_begins(doors.clock.now(), user.zone))),
        cap=Cap(cost=caps.daily_cost_cap, tokens=caps.daily_token_cap),
        troubles=[TroubleView.of(trouble) for trouble in _troubles(doors)],
    )


@router.get("/usage", operation_id="getUsage")
async def get_usage(query: Annotated[UsageQuery, Query()], user: OwnerDep, doors: DoorsDep) -> Usage:
    """What model calls cost since an instant."""
    since = require_utc(query.since) if query.since else day_begins(doors.clock.now(), user.zone)
    by_model = [
        SpentOnView(profile=on.profile, model=on.model, **SpentView.of(on.spent).model_dump())
        for on in await doors.store.spent_on(since)
    ]
    return Usage(since=since, by_model=by_model, **SpentView.of(await doors.store.spent(since)).model_dump())


@router.get("/jobs", operation_id="listJobs")
async def list_jobs(query: Annotated[JobsQuery, Query()], user: OwnerDep, doors: DoorsDep) -> JobList:
    """Work that waits, runs, is done, or was given up."""
    state = None if query.state is None else JobState(query.state)
    jobs = await doors.store.jobs(state=state, limit=query.limit)
    return JobList(items=[JobView.of(job) for job in jobs if job.user_id in (None, user.id)])


def _troubles(doors: Doors) -> Iterator[Trouble]:
    for error in (doors.store.down, doors.settings.problem):
        if error:
            yield Trouble(code=error.code, message=error.message, do=error.do)
    if waiting := doors.settings.at_next_start:
        yield Trouble(
            code="at-next-start",
            message=f"{', '.join(waiting)} of the settings was changed, and is not in force yet.",
            do="Stop EchoVessel and start it again, then it is.",
        )


def _model(doors: Doors) -> ModelStatus:
    models = doors.models.in_order()
    if not models:
        return ModelStatus(connected=False, profile="", base_url="", file="", model="", fallback=[])
    speaking = models[0]
    return ModelStatus(
        connected=True,
        profile=speaking.profile,
        base_url=without_login(speaking.settings.base_url),
        file=speaking.settings.file,
        model=speaking.name(Role.MAIN),
        fallback=[model.profile for model in models[1:]],
    )


async def _embedder(doors: Doors) -> EmbedderStatus:
    if doors.embedder is None:
        return EmbedderStatus(name="", waiting=0)
    name = doors.embedder.name
    return EmbedderStatus(name=name, waiting=await doors.store.count_unembedded(name))
