"""What the doctor found, as a page for people."""

import textwrap
from collections.abc import Iterator, Sequence

from echovessel.ports.front import Check, Verdict

_MARKS = {Verdict.BROKEN: "BROKEN", Verdict.NOTE: "note", Verdict.OK: "ok"}
_NARROWEST = 30
"""Columns that the words get on the narrowest of terminals."""


def page_of(checks: Sequence[Check], columns: int | None) -> Iterator[str]:
    """What is broken first, then what to note, then what is in order; each with its remedy below, and a last line that counts.

    `columns` of the terminal; None where there is none: then nothing is wrapped.
    """
    width = max(len(check.name) for check in checks)
    margin = " " * (8 + width + 2)
    room = None if columns is None else max(_NARROWEST, columns - len(margin) - 1)
    for verdict, mark in _MARKS.items():
        for check in checks:
            if check.verdict is verdict:
                first, *rest = _wrapped(check.found, room)
                yield f"{mark:6}  {check.name:{width}}  {first}"
                remedy = _wrapped(f"→ {check.do}", room) if check.do else ()
                yield from (margin + line for line in (*rest, *remedy))
    counted = {verdict: sum(check.verdict is verdict for check in checks) for verdict in _MARKS}
    yield ""
    yield f"{counted[Verdict.BROKEN]} broken, {counted[Verdict.NOTE]} to note, {counted[Verdict.OK]} in order."


def _wrapped(text: str, room: int | None) -> Sequence[str]:
    return textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) if room else [text]
