"""The doctor looks at the home from outside: facts gathered by whoever asks, judged here."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from echovessel.ports.front import Check, Verdict

LITTLE_SPACE = 200 * 1024 * 1024
"""Bytes; below this a database may fail to grow soon."""


class Token(StrEnum):
    """What the file `token` of a home holds."""

    GOOD = "good"
    MISSING = "missing"
    SPOILT = "spoilt"


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeFacts:
    """The home as its folder shows it. `open_to_others`: paths that other people of this machine may read. `free_bytes` on its
    disk. `unwritable` and `unlogged`: why nothing can be written into the home or into its log; empty when it can."""

    path: str
    exists: bool
    open_to_others: Sequence[str]
    free_bytes: int
    page_built: bool
    token: Token = Token.GOOD
    unwritable: str = ""
    unlogged: str = ""


def look_at_home(facts: HomeFacts) -> tuple[Check, ...]:
    """Judge the home."""
    inside = (_writing(facts), _token(facts), _log(facts)) if facts.exists else ()
    return (_home(facts), _space(facts), *inside, _page(facts))


def _home(facts: HomeFacts) -> Check:
    if not facts.exists:
        return Check(
            name="home",
            verdict=Verdict.BROKEN,
            found=f"There is no home at {facts.path} yet.",
            do="Make it with `echovessel init`, or start EchoVessel with `echovessel run` (in a clone: `make run`).",
        )
    if facts.open_to_others:
        return Check(
            name="home",
            verdict=Verdict.BROKEN,
            found=f"Other people of this machine may read: {', '.join(facts.open_to_others)}.",
            do="Start EchoVessel: it closes its home. Then make a new token: remove the file `token` and start again.",
        )
    return Check(name="home", verdict=Verdict.OK, found=f"{facts.path} is yours alone.")


def _space(facts: HomeFacts) -> Check:
    megabytes = facts.free_bytes // (1024 * 1024)
    found = f"{megabytes} MB are free." if megabytes < 10_000 else f"{megabytes // 1024} GB are free."
    if facts.free_bytes < LITTLE_SPACE:
        return Check(name="disk", verdict=Verdict.BROKEN, found=found, do="Free some space on the disk of the home.")
    return Check(name="disk", verdict=Verdict.OK, found=found)


def _writing(facts: HomeFacts) -> Check:
    if facts.unwritable:
        return Check(
            name="writing",
            verdict=Verdict.BROKEN,
            found=f"Nothing can be written into {facts.path}: {facts.unwritable}.",
            do="Make it a folder that you may write to, on a disk that is not read-only; or name another home in "
            "ECHOVESSEL_HOME.",
        )
    return Check(name="writing", verdict=Verdict.OK, found="The home can be written to.")


def _token(facts: HomeFacts) -> Check:
    match facts.token:
        case Token.GOOD:
            return Check(name="token", verdict=Verdict.OK, found="The token is there.")
        case Token.MISSING:
            return Check(
                name="token",
                verdict=Verdict.BROKEN,
                found="The file `token` is missing or empty: without it nobody is let in.",
                do="Start EchoVessel anew: it makes another one. Then open the page by the address that it shows.",
            )
        case Token.SPOILT:
            return Check(
                name="token",
                verdict=Verdict.BROKEN,
                found="The file `token` holds no token, and EchoVessel does not start with it.",
                do="Remove the file; a new token is made at the next start.",
            )


def _log(facts: HomeFacts) -> Check:
    if facts.unlogged:
        return Check(
            name="log",
            verdict=Verdict.BROKEN,
            found=f"The log cannot be written: {facts.unlogged}.",
            do="Make logs/ in the home a folder, and logs/echovessel.log a file, that you may write to; or move them away. "
            "On a full disk, free some space.",
        )
    return Check(name="log", verdict=Verdict.OK, found="The log can be written.")


def _page(facts: HomeFacts) -> Check:
    if facts.page_built:
        return Check(name="page", verdict=Verdict.OK, found="The page is built.")
    return Check(
        name="page",
        verdict=Verdict.NOTE,
        found="The page is not built; terminal and API work.",
        do="In a clone: run `make setup`. Else install the wheel again.",
    )
