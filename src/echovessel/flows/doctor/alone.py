"""Each look of the doctor stands alone: what breaks in one is a finding of its own, and the others are still taken."""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from echovessel.core.errors import EchoVesselError
from echovessel.flows.doctor.daemon import from_error
from echovessel.ports.front import Check, Verdict

Look = Callable[[], Awaitable[Sequence[Check]]]


class Guard(Protocol):
    """Does `work`, logs what it raised, and returns it."""

    async def __call__(self, work: Coroutine[Any, Any, None], name: str) -> Exception | None: ...


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look found. `whole`: whether it came to its end; else its only check says what broke."""

    checks: Sequence[Check]
    whole: bool


async def alone(name: str, look: Look, guard: Guard) -> Looked:
    """Take a look; what breaks it becomes a check called `name`."""
    looked: list[Looked] = []

    async def work() -> None:
        try:
            looked.append(Looked(await look(), whole=True))
        except EchoVesselError as error:
            looked.append(Looked([from_error(name, error)], whole=False))

    defect = await guard(work(), f"doctor: {name}")
    return looked[0] if defect is None else Looked([_broken(name, defect)], whole=False)


def _broken(name: str, defect: Exception) -> Check:
    return Check(
        name=name,
        verdict=Verdict.BROKEN,
        found=f"This could not be looked at: something inside EchoVessel broke ({type(defect).__name__}).",
        do=f"Look into logs/echovessel.log of the home for `doctor: {name}`, and report what is there.",
    )
