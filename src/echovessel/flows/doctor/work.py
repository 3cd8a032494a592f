"""The doctor looks at what runs: jobs that were given up, loops that failed, settings that wait for the next start."""

from collections.abc import Mapping, Sequence

from echovessel.flows.deps import Deps
from echovessel.ports.front import Check, Verdict
from echovessel.ports.records import JobState

MANY = 5
"""Failures of one loop or piece of work since the start that are no accident any more."""


async def look_at_jobs(deps: Deps) -> Check:
    """Whether every job was done."""
    given_up = (await deps.store.backlog()).jobs.get(JobState.PARKED, 0)
    if not given_up:
        return Check(name="jobs", verdict=Verdict.OK, found="None was given up.")
    parked = await deps.store.jobs(state=JobState.PARKED, limit=5)
    told = "; ".join(f"{job.kind}: {job.last_error}" for job in parked)
    return Check(
        name="jobs",
        verdict=Verdict.BROKEN,
        found=f"{given_up} were given up ({told}).",
        do="Look into the log of the home, and report what is there.",
    )


def look_at_restart(waiting: Sequence[str]) -> Check:
    """Whether the settings in force are those of the file. `waiting`: those that take effect at the next start only."""
    if not waiting:
        return Check(name="restart", verdict=Verdict.OK, found="No setting waits for the next start.")
    return Check(
        name="restart",
        verdict=Verdict.NOTE,
        found=f"Changed, and not in force yet: {', '.join(waiting)}.",
        do="Stop EchoVessel and start it again, then it is.",
    )


def look_at_loops(failures: Mapping[str, int]) -> Check:
    """Whether what runs beside the front door runs well. `failures`: by name of the work, since the start."""
    if not failures:
        return Check(name="loops", verdict=Verdict.OK, found="Nothing failed in the background since the start.")
    told = ", ".join(f"{name} {count} times" for name, count in sorted(failures.items(), key=lambda it: -it[1]))
    many = max(failures.values()) >= MANY
    return Check(
        name="loops",
        verdict=Verdict.BROKEN if many else Verdict.NOTE,
        found=f"Since the start this failed in the background, and was begun again: {told}.",
        do="Look into logs/echovessel.log of the home for the lines with `failure`, and start EchoVessel again; if it goes on, "
        "report them.",
    )
