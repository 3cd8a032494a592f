"""History that was said elsewhere, as a file tells it: one conversation a line, every message checked on its own.

Line: {"conv_id", "sessions": [{"turns": [{"turn_id", "speaker", "at", "text"}]}]}; other fields are passed over. Times are ISO
8601, in the user's zone where they name none.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import cast
from zoneinfo import ZoneInfo

from echovessel.core.errors import BadInput
from echovessel.core.ids import MessageId
from echovessel.core.text import clean_input
from echovessel.core.time import from_milliseconds, milliseconds, require_utc

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
CLOCKS_DIFFER = timedelta(days=1)
"""How far in the future a message may lie: the clock or zone of another machine may have been wrong."""
LONGEST_ID = 200
LONGEST_SHOWN = 60
"""Characters of a wrong value that a refusal repeats."""
FORM = '{"conv_id": …, "sessions": [{"turns": [{"turn_id", "speaker", "at", "text"}]}]}'


@dataclass(frozen=True, slots=True)
class Said:
    """One message. `external_id` is the same whenever the same file is read, and differs between two messages. `zone`: where it
    was said, None when the file does not tell; `origin`: its id in the vessel that it was exported from."""

    external_id: str
    speaker: str
    at: datetime
    text: str
    zone: str | None = None
    origin: MessageId | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A conversation: what was said, in the order of the file, and which turns cannot be taken, with place and reason. One
    `exported` from a vessel says itself who is who."""

    conv_id: str
    said: Sequence[Said]
    refused: Sequence[str]
    exported: bool = False


def read_conversation(line: str, user_zone: ZoneInfo, now: datetime) -> Told:
    """A line as a conversation. BadInput when it is none."""
    try:
        conversation = _fields(json.loads(line))
    except (ValueError, RecursionError) as cause:
        raise _no_conversation("It is not JSON.") from cause
    conv_id, sessions = _id(conversation.get("conv_id")), conversation.get("sessions")
    if not conv_id or not isinstance(sessions, list):
        raise _no_conversation("It has no `conv_id` and `sessions`.")
    said: dict[str, Said] = {}
    refused: list[str] = []
    for place, turn in _turns(cast("list[object]", sessions)):
        try:
            message = _message(turn, conv_id, user_zone, now)
        except BadInput as refusal:
            refused.append(f"{place}: {refusal.message}")
            continue
        if message.external_id in said:
            refused.append(f"{place}: its `turn_id` and `at` stand here twice")
        said.setdefault(message.external_id, message)
    if not said and not refused:
        raise _no_conversation("It holds no message.")
    return Told(conv_id, _in_file_order(list(said.values())), refused)


def turn_id_of(external_id: str) -> str:
    """The `turn_id` in the file of a message that was read from it."""
    return str(json.loads(external_id)[1])


def _turns(sessions: list[object]) -> Iterator[tuple[str, object]]:
    """Every turn with its place; a session without turns is one that cannot be taken."""
    for number, session in enumerate(sessions, start=1):
        turns = _fields(session).get("turns")
        if not isinstance(turns, list):
            yield f"session {number}", None
            continue
        for at, turn in enumerate(cast("list[object]", turns), start=1):
            yield f"session {number}, turn {at}", turn


def _message(turn: object, conv_id: str, user_zone: ZoneInfo, now: datetime) -> Said:
    fields = _fields(turn)
    turn_id, speaker, at, text = _id(fields.get("turn_id")), *(fields.get(key) for key in ("speaker", "at", "text"))
    if not turn_id or not isinstance(speaker, str) or not speaker.strip() or not isinstance(text, str):
        raise BadInput("no `turn_id`, `speaker` and `text`", field="turn", do="Give all three.")
    return Said(
        json.dumps([conv_id, turn_id, at], ensure_ascii=False),
        speaker.strip(),
        instant_of(at, user_zone, now),
        clean_input(text, "text"),
    )


def instant_of(at: object, user_zone: ZoneInfo, now: datetime) -> datetime:
    """The instant that `at` names. BadInput when it is none, or cannot be when something was said."""
    moment = _instant(at, user_zone)
    if not EARLIEST <= moment <= now + CLOCKS_DIFFER:
        raise BadInput(f"`at` is {at}, which lies in the future or before 1970", field="at", do="Correct the time.")
    return moment


def _instant(at: object, user_zone: ZoneInfo) -> datetime:
    """The instant that `at` names, in whole milliseconds as the store keeps it."""
    try:
        # Any character may stand before the time of day, also one that no file can hold.
        moment = datetime.fromisoformat(at) if isinstance(at, str) and at.isascii() and at.isprintable() else None
        if moment is not None:
            return from_milliseconds(
                milliseconds(require_utc(moment if moment.tzinfo else moment.replace(tzinfo=user_zone)))
            )
    except (ValueError, OverflowError):
        moment = None
    raise BadInput(
        f"`at` is {repr(at)[:LONGEST_SHOWN]}, not a time", field="at", do="Write it as 2026-03-02T09:30:00+08:00."
    )


def _in_file_order(said: Sequence[Said]) -> list[Said]:
    """Messages of one instant a millisecond apart, since a timeline has no other order: files that know the day only."""
    met: dict[datetime, int] = {}
    ordered: list[Said] = []
    for message in said:
        before = met.get(message.at, 0)
        met[message.at] = before + 1
        ordered.append(replace(message, at=message.at + timedelta(milliseconds=before)))
    return ordered


def _id(value: object) -> str:
    """An id as text; empty when it is none that we keep."""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    return text if len(text) <= LONGEST_ID and text.isprintable() else ""


def _no_conversation(why: str) -> BadInput:
    return BadInput(why, field="file", do=f"Write it as {FORM}.")


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
