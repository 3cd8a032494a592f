"""The doctor looks at every model that the settings name: does it answer, how fast, and how much does it hold?"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from echovessel.core.errors import BadInput, PortDown
from echovessel.core.ids import UserId
from echovessel.flows.deps import Deps
from echovessel.flows.doctor.daemon import from_error
from echovessel.flows.doctor.nearby import offer
from echovessel.flows.own_names import own_names
from echovessel.flows.probe import SMALL_CONTEXT, probe
from echovessel.ports.front import Check, Verdict
from echovessel.ports.llm import JsonMode, ProbeResult
from echovessel.ports.settings import ModelSettings

LONGEST_TRY_S = 120.0
"""Seconds that one model may take, whatever its own time-outs allow: whoever asks the doctor waits."""


async def look_at_models(deps: Deps, owner: UserId) -> Sequence[Check]:
    """One check a connection, in the order in which they are tried; then the profiles that no order names."""
    settings = deps.settings.current()
    tried = settings.models_in_order()
    idle = {name: each for name, each in settings.profiles.items() if name not in tried and each.speaks}
    checks = await asyncio.gather(*(_look(name, each, deps, owner) for name, each in {**tried, **idle}.items()))
    spoken = [check if name in tried else _idle(check) for name, check in zip({**tried, **idle}, checks, strict=True)]
    return spoken if tried else [offer(await deps.nearby.look()), *spoken]


async def _look(profile: str, settings: ModelSettings, deps: Deps, owner: UserId) -> Check:
    name = f"model {profile}".rstrip()
    try:
        async with asyncio.timeout(LONGEST_TRY_S):
            result = await probe(settings, deps, owner, profile)
    except TimeoutError:
        return Check(
            name=name,
            verdict=Verdict.BROKEN,
            found=f"It was not done with a short answer after {LONGEST_TRY_S:.0f} seconds; we stopped waiting.",
            do="See whether it is loading or busy where it runs; else choose a smaller model.",
        )
    except (PortDown, BadInput) as wrong:  # the latter: the daily cap needs the owner's time zone
        return _of_profile(from_error(name, wrong), profile)
    if result.worries:
        found = " ".join([_told(result), *(worry.message for worry in result.worries)])
        return Check(name=name, verdict=Verdict.NOTE, found=found, do=" ".join(worry.do for worry in result.worries))
    return Check(name=name, verdict=Verdict.OK, found=_told(result))


def _of_profile(check: Check, profile: str) -> Check:
    """What is said of a profile names its own settings, not those of the section `llm`."""
    if not profile:
        return check
    return replace(check, found=own_names(check.found, profile), do=own_names(check.do, profile))


_JSON: Mapping[JsonMode, str] = {
    "schema": "It keeps to JSON schemas.",
    "object": "It answers in JSON, without schemas.",
    "none": "It has no JSON mode.",
}


def _told(result: ProbeResult) -> str:
    speed = f", {result.tokens_per_s:.0f} tokens a second" if result.tokens_per_s else ""
    window = (
        f" It holds {result.context_tokens} tokens." if result.context_tokens else " How much it holds is not told."
    )
    if any(worry.code == SMALL_CONTEXT for worry in result.worries):  # which says it with what is needed
        window = ""
    return f"{result.model} answered after {result.first_token_s:.1f} seconds{speed}.{window} {_JSON[result.json_mode]}"


def _idle(check: Check) -> Check:
    """A profile that nobody is to speak with keeps nothing from working."""
    if check.verdict is not Verdict.BROKEN:
        return check
    found = f"{check.found} (Not in use: neither llm.profile nor llm.fallback names it.)"
    return replace(check, verdict=Verdict.NOTE, found=found)
