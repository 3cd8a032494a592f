"""Set the scene of a turn: who speaks to whom, what was said so far, what is to be answered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from echovessel.core.ids import MessageId
from echovessel.core.talk import Message, MessageState, Speaker, Turn, Voice, voice_of
from echovessel.flows.deps import Deps
from echovessel.ports.records import CoreBlock, Persona, User

HISTORY_MESSAGES = 400
"""How many messages before the burst are read; the prompt's budget decides how many of them it takes."""

_ANSWERS = (Voice.PERSONA, Voice.KEEPER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything a reply is worded from, besides what is recalled.

    `burst` is what the reply answers: the turn's own messages, or those before the message that is worded again. `history` ends
    where the burst begins. A persona without a zone of its own lives in the user's.
    """

    user: User
    persona: Persona
    blocks: tuple[CoreBlock, ...]
    history: tuple[Message, ...]
    burst: tuple[Message, ...]

    @property
    def last_spoke(self) -> datetime | None:
        """When someone last said something before the burst."""
        return self.history[-1].sent_at if self.history else None

    @property
    def unanswered(self) -> tuple[Message, ...]:
        """The burst, and what the user said before it without an answer."""
        return (*_users_since(self.history, *_ANSWERS), *self.burst)

    @property
    def uncared(self) -> tuple[Message, ...]:
        """What is unanswered and was said since it was last shown where help is."""
        return (*_users_since(self.history, *_ANSWERS, Voice.CARE), *self.burst)

    def care_since(self, since: datetime) -> tuple[str, ...]:
        """What was shown about where help is, from an instant on."""
        return tuple(m.text for m in self.history if m.sent_at >= since and m.text and _voice(m) is Voice.CARE)

    @property
    def asked(self) -> frozenset[MessageId]:
        """The messages of the burst: they are what recall is asked with, never what it brings up."""
        return frozenset(m.id for m in self.burst)


def _users_since(history: Sequence[Message], *voices: Voice) -> tuple[Message, ...]:
    """What the user said after the last words of one of these voices."""
    since = next(
        (i for i in range(len(history), 0, -1) if _has_words(history[i - 1]) and _voice(history[i - 1]) in voices), 0
    )
    return tuple(m for m in history[since:] if m.speaker is Speaker.USER and _has_words(m))


def _has_words(message: Message) -> bool:
    return bool(message.text.strip()) and message.state in {MessageState.COMPLETE, MessageState.PARTIAL}


def _voice(message: Message) -> Voice:
    return voice_of(message.speaker, message.made_by)


async def set_scene(turn: Turn, deps: Deps) -> Scene | None:
    """The scene, or None when there is nothing to answer: the messages were deleted, or the persona is gone."""
    pair = turn.pair
    user = await deps.store.user(pair.user_id)
    persona = await deps.store.persona(pair.persona_id)
    burst = await _burst(turn, deps)
    if user is None or persona is None or not burst:
        return None
    return Scene(
        user=user,
        persona=replace(persona, zone=persona.zone or user.zone),
        blocks=tuple(await deps.store.core_blocks(pair)),
        history=await _history(turn, burst, deps),
        burst=burst,
    )


async def _burst(turn: Turn, deps: Deps) -> tuple[Message, ...]:
    """The user's messages the reply answers: this turn's, or those of the turn whose reply is worded again."""
    answers = turn.id
    if turn.regenerates is not None:
        worded = await deps.store.message(turn.pair.user_id, turn.regenerates)
        if worded is None or worded.turn_id is None:
            return ()
        answers = worded.turn_id
    said = await deps.store.turn_messages(turn.pair.user_id, answers)
    return tuple(m for m in said if m.speaker is Speaker.USER)


async def _history(turn: Turn, burst: tuple[Message, ...], deps: Deps) -> tuple[Message, ...]:
    """What was said before, older to newer.

    When a reply is worded again that ends where its burst begins. Else it is everything but the burst and what the user said
    after it, which the next turn answers.
    """
    if turn.regenerates is not None:
        page = await deps.store.messages(turn.pair, before=burst[0].id, limit=HISTORY_MESSAGES)
        return tuple(reversed(page))
    page = await deps.store.messages(turn.pair, limit=HISTORY_MESSAGES + len(burst))
    answered = {m.id for m in burst}
    end = (burst[-1].sent_at, burst[-1].id)
    later = {m.id for m in page if m.speaker is Speaker.USER and (m.sent_at, m.id) > end}
    return tuple(m for m in reversed(page) if m.id not in answered | later)
