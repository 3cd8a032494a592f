"""History that was said elsewhere becomes part of the timeline: again changes nothing.

What is wrong with one line or one message is reported, and the rest goes in.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from echovessel.core.errors import BadInput
from echovessel.core.ids import ConversationId, MessageId, TextId
from echovessel.core.pair import Pair
from echovessel.core.talk import Speaker
from echovessel.core.time import zone
from echovessel.flows.deps import Deps
from echovessel.flows.exported import SPEAKERS, OwnWords, joined, read_exported
from echovessel.flows.front import no_such_persona, open_conversation
from echovessel.flows.history import FORM, LONGEST_SHOWN, Said, Told, read_conversation
from echovessel.ports.changes import ImportMessage
from echovessel.ports.front import ImportReport, Lines
from echovessel.ports.records import Persona, User

CHANNEL = "import"
BATCH = 256
"""Messages written in one transaction."""
MOST_REFUSALS = 100
"""Refusals that are told one by one; more are counted."""
MOST_NAMES = 5
"""Speakers that a refusal names."""
USER_NAMES = frozenset({"user", "human", "me", "我", "用户"})
PERSONA_NAMES = frozenset({"persona", "companion", "assistant", "ai", "bot", "char", "model"})
"""Speakers that are the user or the persona when nobody says who is who."""


@dataclass(slots=True)
class _Tally:
    """What happened so far."""

    added: int = 0
    already_there: int = 0
    refusals: list[str] = field(default_factory=list)
    more_refusals: int = 0
    others: int = 0
    own_words: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None

    def refuse(self, place: int, why: BadInput) -> None:
        """Note a line that was not taken."""
        if isinstance(why, OwnWords):
            self.own_words += 1
        else:
            self.pass_over(f"line {place}: {why.message} {why.do}")

    def pass_over(self, what: str) -> None:
        """Note something that was not taken: its place and the reason."""
        if len(self.refusals) < MOST_REFUSALS:
            self.refusals.append(what)
        else:
            self.more_refusals += 1

    def count(self, said: Said, *, fresh: bool) -> None:
        """Note a message that is in the timeline now."""
        self.added += fresh
        self.already_there += not fresh
        self.first_at = min(self.first_at or said.at, said.at)
        self.last_at = max(self.last_at or said.at, said.at)

    def report(self, me: str | None) -> ImportReport:
        """The tally as told to the user. BadInput when nothing was taken."""
        if self.first_at is None and self.others and not self.refusals:
            raise BadInput(
                f"Nobody called {me!r} speaks in this file.",
                field="me",
                do="Name yourself as the file does (its turns have a `speaker`).",
            )
        if self.first_at is None and not self.own_words:
            raise BadInput(
                f"Nothing in this file can be taken. {self.refusals[0] if self.refusals else 'It is empty.'}",
                field="file",
                do=f"Give one conversation a line, as a JSON object: {FORM}",
            )
        more = [f"… and {self.more_refusals} more"] if self.more_refusals else []
        if self.others:
            more.append(f"{self.others} conversations in which {me!r} does not speak")
        if self.own_words:
            more.append(f"what the program itself said ({self.own_words} messages); it is nobody's memory")
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

    async def __call__(self, pair: Pair, lines: Lines, *, me: str | None, dry_run: bool) -> ImportReport:
        """Read a history line by line and store each conversation as it comes. A dry run counts as if none of it were there."""
        persona = await self._deps.store.persona(pair.persona_id)
        user = await self._deps.store.user(pair.user_id)
        if persona is None or user is None:
            raise no_such_persona()
        user_zone = zone(user.zone or "UTC")
        if me is None:
            await self._must_be_one_user(lines, user, persona, user_zone)
        tally = _Tally()
        async for number, read in joined(self._conversations(lines, user_zone), BATCH):
            try:
                told = _readable(read)
                if me is not None and not told.exported and not _speaks(me, told):
                    tally.others += 1
                    continue
                speaker_of = _who_is_who(told, me, user, persona)
            except BadInput as refusal:
                tally.refuse(number, refusal)
                continue
            for reason in told.refused:
                tally.pass_over(f"line {number}, {reason}")
            if dry_run:
                for said in told.said:
                    tally.count(said, fresh=True)
            elif told.said:
                await self._store(pair, told, speaker_of, user_zone.key, tally)
        return tally.report(me)

    async def _conversations(self, lines: Lines, user_zone: ZoneInfo) -> AsyncIterator[tuple[int, Told | BadInput]]:
        """Each line that is not blank with its number: a conversation, or why it is none."""
        number = 0
        async for line in lines():
            number += 1
            if not isinstance(line, str) or line.strip():
                yield number, await asyncio.to_thread(_read, line, user_zone, self._deps.clock.now())

    async def _must_be_one_user(self, lines: Lines, user: User, persona: Persona, user_zone: ZoneInfo) -> None:
        """Nobody named the user: before anything is written, see that every conversation has the same one."""
        users: dict[str, str] = {}
        async for _, told in self._conversations(lines, user_zone):
            try:
                speaker_of = _who_is_who(_readable(told), None, user, persona)
            except BadInput:
                continue
            users |= {name.casefold(): name for name, speaker in speaker_of.items() if speaker is Speaker.USER}
        if len(users) > 1:
            raise BadInput(
                f"This file holds the talks of {_named(list(users.values()))}, and only one of them can be you.",
                field="me",
                do="Say which (--me NAME); the others' talks are then left out.",
            )

    async def _store(
        self, pair: Pair, told: Told, speaker_of: dict[str, Speaker], user_zone: str, tally: _Tally
    ) -> None:
        conversation_id = await open_conversation(self._deps, pair, CHANNEL, f"{pair.persona_id}:{told.conv_id}")
        for start in range(0, len(told.said), BATCH):
            batch = told.said[start : start + BATCH]
            changes = [self._change(pair, said, speaker_of[said.speaker], user_zone, conversation_id) for said in batch]
            applied = await self._deps.store.apply(changes)
            for said, outcome in zip(batch, applied.outcomes, strict=True):
                tally.count(said, fresh=outcome.fresh)
            self._deps.bells.texts.ring()

    def _change(
        self, pair: Pair, said: Said, speaker: Speaker, user_zone: str, conversation_id: ConversationId
    ) -> ImportMessage:
        return ImportMessage(
            message_id=MessageId(self._deps.ids.ulid(said.at)),
            text_id=TextId(self._deps.ids.ulid(said.at)),
            conversation_id=conversation_id,
            pair=pair,
            channel=CHANNEL,
            speaker=speaker,
            text=said.text,
            sent_at=said.at,
            zone=said.zone or user_zone,
            external_id=said.external_id,
            origin=said.origin,
        )


def _read(line: str | BadInput, user_zone: ZoneInfo, now: datetime) -> Told | BadInput:
    try:
        if isinstance(line, BadInput):
            return line
        return read_exported(line, user_zone, now) or read_conversation(line, user_zone, now)
    except BadInput as refusal:
        return refusal


def _readable(told: Told | BadInput) -> Told:
    if isinstance(told, BadInput):
        raise told
    return told


def _speaks(name: str, told: Told) -> bool:
    """Whether someone of this name says something; a conversation of one speaker is whoever's it is said to be."""
    speakers = {said.speaker.casefold() for said in told.said}
    return name.casefold() in speakers or len(speakers) < 2


def _who_is_who(told: Told, me: str | None, user: User, persona: Persona) -> dict[str, Speaker]:
    """Each speaker of a conversation as user or persona. BadInput when that is anybody's guess."""
    if told.exported:
        return dict(SPEAKERS)
    speakers = list(dict.fromkeys(s.speaker for s in told.said))
    known_users = {name.casefold() for name in ((me,) if me is not None else (user.name, *USER_NAMES)) if name}
    known_personas = {name.casefold() for name in (persona.name, *PERSONA_NAMES)}
    users = [s for s in speakers if s.casefold() in known_users]
    if not users and me is None and len(speakers) > 1:
        users = [s for s in speakers if s.casefold() not in known_personas]
    others = [s for s in speakers if s not in users]
    if len(users) > 1 or len(others) > 1 or (not users and not {s.casefold() for s in others} <= known_personas):
        raise _unclear(speakers, me)
    return {s: Speaker.USER if s in users else Speaker.PERSONA for s in speakers}


def _unclear(speakers: Sequence[str], me: str | None) -> BadInput:
    which = "which one is you" if me is None else f"how {me!r} fits in"
    return BadInput(
        f"It has the speakers {_named(speakers)}, and it is not clear {which}.",
        field="me",
        do="Name yourself as the file does (--me); a history has one user and at most one persona.",
    )


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:LONGEST_SHOWN]) for name in names[:MOST_NAMES])
    return f"{shown} and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else shown
