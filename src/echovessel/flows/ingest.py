"""History that was said elsewhere becomes part of the timeline: one conversation a line, again changes nothing.

Line: {"conv_id", "sessions": [{"turns": [{"turn_id", "speaker", "at", "text"}]}]}; times are ISO 8601, in the user's zone where
they name none. What is wrong with one line or one message is reported, and the rest goes in.
"""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast
from zoneinfo import ZoneInfo

from echovessel.core.errors import BadInput
from echovessel.core.ids import ConversationId, MessageId, TextId
from echovessel.core.pair import Pair
from echovessel.core.talk import Speaker
from echovessel.core.text import clean_input
from echovessel.core.time import require_utc, zone
from echovessel.flows.deps import Deps
from echovessel.flows.front import no_such_persona, open_conversation
from echovessel.ports.changes import ImportMessage
from echovessel.ports.front import ImportReport

CHANNEL = "import"
BATCH = 256
"""Messages written in one transaction."""
MOST_REFUSALS = 100
"""Refusals that are told one by one; more are counted."""
PERSONA_NAMES = frozenset({"persona", "companion", "assistant", "ai", "bot", "char", "model"})
"""Speakers that are the persona when nobody says who is who."""

_FORM = '{"conv_id": …, "sessions": [{"turns": [{"turn_id", "speaker", "at", "text"}]}]}'


@dataclass(frozen=True, slots=True)
class _Said:
    """One message of a history."""

    external_id: str
    speaker: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class _Told:
    """A conversation and what was said in it, in the order of the file."""

    conv_id: str
    said: Sequence[_Said]


@dataclass(slots=True)
class _Tally:
    """What happened so far."""

    added: int = 0
    already_there: int = 0
    refusals: list[str] = field(default_factory=list)
    more_refusals: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None

    def refuse(self, where: str, why: str) -> None:
        """Note something that was not taken."""
        if len(self.refusals) < MOST_REFUSALS:
            self.refusals.append(f"{where}: {why}")
        else:
            self.more_refusals += 1

    def count(self, said: _Said, *, fresh: bool) -> None:
        """Note a message that is in the timeline now."""
        self.added += fresh
        self.already_there += not fresh
        self.first_at = min(self.first_at or said.at, said.at)
        self.last_at = max(self.last_at or said.at, said.at)

    def report(self) -> ImportReport:
        """The tally as told to the user."""
        more = [f"… and {self.more_refusals} more"] if self.more_refusals else []
        return ImportReport(
            added=self.added,
            already_there=self.already_there,
            refused=(*self.refusals, *more),
            first_at=self.first_at,
            last_at=self.last_at,
        )


class FlowIngest:
    """Implements `ports.front.Ingest`."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps

    async def __call__(self, pair: Pair, lines: AsyncIterator[str], *, me: str | None, dry_run: bool) -> ImportReport:
        """Read a history line by line and store each conversation as it comes. A dry run counts as if none of it were there."""
        persona = await self._deps.store.persona(pair.persona_id)
        user = await self._deps.store.user(pair.user_id)
        if persona is None or user is None:
            raise no_such_persona()
        user_zone = zone(user.zone or "UTC")
        persona_names = {name.casefold() for name in (persona.name, *PERSONA_NAMES)}
        tally, number, taken = _Tally(), 0, 0
        async for line in lines:
            number += 1
            if not line.strip():
                continue
            try:
                told = _read(line, f"line {number}", user_zone, tally)
                speaker_of = _who_is_who(told, me, persona_names)
            except BadInput as refusal:
                tally.refuse(f"line {number}", f"{refusal.message} {refusal.do}")
                continue
            taken += 1
            await self._store(pair, told, speaker_of, user_zone.key, tally, dry_run=dry_run)
        if not taken:
            raise BadInput(
                f"Nothing in this file can be taken. {tally.refusals[0] if tally.refusals else 'It is empty.'}",
                field="file",
                do=f"Give one conversation a line, as a JSON object: {_FORM}",
            )
        return tally.report()

    async def _store(
        self,
        pair: Pair,
        told: _Told,
        speaker_of: dict[str, Speaker],
        user_zone: str,
        tally: _Tally,
        *,
        dry_run: bool,
    ) -> None:
        if dry_run:
            for said in told.said:
                tally.count(said, fresh=True)
            return
        conversation_id = await open_conversation(self._deps, pair, CHANNEL, f"{pair.persona_id}:{told.conv_id}")
        for start in range(0, len(told.said), BATCH):
            batch = told.said[start : start + BATCH]
            changes = [self._change(pair, said, speaker_of, user_zone, conversation_id) for said in batch]
            applied = await self._deps.store.apply(changes)
            for said, outcome in zip(batch, applied.outcomes, strict=True):
                tally.count(said, fresh=outcome.fresh)
            self._deps.bell.ring()

    def _change(
        self,
        pair: Pair,
        said: _Said,
        speaker_of: dict[str, Speaker],
        user_zone: str,
        conversation_id: ConversationId,
    ) -> ImportMessage:
        return ImportMessage(
            message_id=MessageId(self._deps.ids.ulid(said.at)),
            text_id=TextId(self._deps.ids.ulid(said.at)),
            conversation_id=conversation_id,
            pair=pair,
            channel=CHANNEL,
            speaker=speaker_of[said.speaker],
            text=said.text,
            sent_at=said.at,
            zone=user_zone,
            external_id=said.external_id,
        )


def _who_is_who(told: _Told, me: str | None, persona_names: set[str]) -> dict[str, Speaker]:
    """Each speaker of a conversation as user or persona. BadInput when that is anybody's guess."""
    speakers = list(dict.fromkeys(s.speaker for s in told.said))
    if me is not None:
        users = [s for s in speakers if s.casefold() == me.casefold()]
    else:
        users = [s for s in speakers if s.casefold() not in persona_names]
    if len(users) != 1 or len(speakers) > 2:
        names = ", ".join(repr(s) for s in speakers)
        raise BadInput(
            f"It has the speakers {names}, and it is not clear which one is you.",
            field="me",
            do="Name yourself with --me; a history has one user and at most one persona.",
        )
    return {s: Speaker.USER if s in users else Speaker.PERSONA for s in speakers}


def _read(line: str, where: str, user_zone: ZoneInfo, tally: _Tally) -> _Told:
    """A line as a conversation, without the messages that cannot be taken. BadInput when nothing of it can."""
    try:
        conversation = _fields(json.loads(line))
    except (ValueError, RecursionError) as cause:
        raise _no_conversation("It is not JSON.") from cause
    conv_id, sessions = conversation.get("conv_id"), conversation.get("sessions")
    if not isinstance(conv_id, str | int) or not isinstance(sessions, list):
        raise _no_conversation("It has no `conv_id` and `sessions`.")
    said: list[_Said] = []
    for at, turn in enumerate(_turns(cast("list[object]", sessions)), start=1):
        try:
            said.append(_turn(turn, str(conv_id), user_zone))
        except BadInput as refusal:
            tally.refuse(f"{where}, turn {at}", refusal.message)
    if not said:
        raise _no_conversation("It holds no message that can be taken.")
    return _Told(str(conv_id), said)


def _no_conversation(why: str) -> BadInput:
    return BadInput(why, field="file", do=f"Write it as {_FORM}.")


def _turns(sessions: list[object]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for session in sessions:
        turns = _fields(session).get("turns")
        found += [_fields(turn) for turn in cast("list[object]", turns)] if isinstance(turns, list) else []
    return found


def _turn(turn: dict[str, object], conv_id: str, user_zone: ZoneInfo) -> _Said:
    turn_id, speaker, at, text = (turn.get(key) for key in ("turn_id", "speaker", "at", "text"))
    if not isinstance(turn_id, str | int) or not isinstance(speaker, str) or not isinstance(text, str):
        raise BadInput("no `turn_id`, `speaker` and `text`", field="turn", do="Give all three.")
    return _Said(f"{conv_id}:{turn_id}", speaker, _instant(at, user_zone), clean_input(text, "text"))


def _instant(at: object, user_zone: ZoneInfo) -> datetime:
    try:
        moment = datetime.fromisoformat(at) if isinstance(at, str) else None
        if moment is not None:
            return require_utc(moment if moment.tzinfo else moment.replace(tzinfo=user_zone))
    except (ValueError, OverflowError):
        moment = None
    raise BadInput(f"`at` is {at!r}, not a time", field="at", do="Write it as 2026-03-02T09:30:00+08:00.")


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
