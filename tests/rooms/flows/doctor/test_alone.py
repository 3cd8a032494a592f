from collections.abc import Sequence

from echovessel.core.errors import PortDown
from echovessel.flows.doctor.alone import alone
from echovessel.ports.front import Check, Verdict
from echovessel.runtime.supervisor import Supervisor
from echovessel.testing.clock import StoppedClock

WELL = Check(name="clock", verdict=Verdict.OK, found="It goes right.")


async def test_a_look_that_comes_to_its_end_is_told_as_it_is() -> None:
    async def look() -> Sequence[Check]:
        return [WELL]

    looked = await alone("clock", look, Supervisor(StoppedClock()).guard)
    assert (looked.whole, list(looked.checks)) == (True, [WELL])


async def test_an_error_of_ours_is_told_with_its_remedy_and_is_no_defect() -> None:
    async def look() -> Sequence[Check]:
        raise PortDown("The clock stopped.", do="Wind it up.")

    supervisor = Supervisor(StoppedClock())
    looked = await alone("clock", look, supervisor.guard)
    [broken] = looked.checks
    assert (looked.whole, broken.name, broken.found, broken.do) == (False, "clock", "The clock stopped.", "Wind it up.")
    assert supervisor.failures == {}


async def test_a_defect_is_told_without_its_words_and_counted() -> None:
    async def look() -> Sequence[Check]:
        raise KeyError("what was said")

    supervisor = Supervisor(StoppedClock())
    looked = await alone("clock", look, supervisor.guard)
    [broken] = looked.checks
    assert (looked.whole, broken.verdict, "KeyError" in broken.found) == (False, Verdict.BROKEN, True)
    assert "what was said" not in f"{broken.found} {broken.do}"
    assert supervisor.failures == {"doctor: clock": 1}
