"""The doctor looks at who owns the home, at what keeps EchoVessel from starting, and at the address it would take."""

from dataclasses import dataclass

from echovessel.core.errors import EchoVesselError, StoreUnusable
from echovessel.ports.front import Check, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerFacts:
    """The process that owns the home. `pid` None: the system does not tell. `url` "": it does not say how it is reached.
    `answers`: whether it did in time."""

    pid: int | None
    url: str
    answers: bool


def look_at_owner(owner: OwnerFacts | None) -> Check:
    """Judge the process that owns the home; None when there is none, and we look alone."""
    if owner is None:
        return Check(name="daemon", verdict=Verdict.OK, found="Not running; this command looks for itself.")
    who = f"Process {owner.pid}" if owner.pid else "Another process"
    if owner.answers:
        return Check(name="daemon", verdict=Verdict.OK, found=f"{who} runs at {owner.url}.")
    what = f"does not answer at {owner.url}" if owner.url else "does not say how it is reached"
    end = f"End it (`kill {owner.pid}`, and if it stays `kill -9 {owner.pid}`)" if owner.pid else "End it"
    return Check(
        name="daemon",
        verdict=Verdict.BROKEN,
        found=f"{who} owns the home and {what}.",
        do=f"{end}, and start EchoVessel again: everything that was acknowledged is kept.",
    )


def look_at_settings(where: str, wrong: EchoVesselError | None, *, blank: bool = False) -> Check:
    """Judge what came of reading the settings file at `where`, and the environment. `blank`: the file is there, and empty."""
    if wrong is not None:
        return from_error("settings", wrong)
    if blank:
        return Check(
            name="settings",
            verdict=Verdict.NOTE,
            found=f"{where} is empty: every setting that no variable gives has its default.",
            do="If you did not empty it: remove it, run `echovessel init`, and set again what was set.",
        )
    return Check(name="settings", verdict=Verdict.OK, found=f"{where} and the environment hold nothing wrong.")


def look_at_address(where: str, taken: EchoVesselError | None) -> Check:
    """Judge the address that a start would listen at; `taken` is why it cannot."""
    if taken is not None:
        return from_error("address", taken)
    return Check(name="address", verdict=Verdict.OK, found=f"{where} is free for the next start.")


def what_keeps_it_from_starting(error: EchoVesselError) -> Check:
    """The one thing that kept us from looking further."""
    return from_error("database" if isinstance(error, StoreUnusable) else "start", error)


def from_error(name: str, error: EchoVesselError) -> Check:
    """An error as a check."""
    return Check(name=name, verdict=Verdict.BROKEN, found=error.message, do=error.do)
