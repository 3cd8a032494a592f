"""Set the scene of a turn: who speaks to whom, what was said so far, what is to be answered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from echovessel.core.ids import MessageId
from echovessel.core.talk import Message, MessageState, Speaker, Turn, Voice, voice_of
from echovessel.flows.care import CARE, DANGER_LASTS
from echovessel.flows.deps import Deps
from echovessel.ports.records import CoreBlock, Persona, User
from echovessel.prompts.history import fills
from echovessel.prompts.material import SMALLEST_BUDGET

HISTORY_MESSAGES = 400
"""How many messages before the burst are read at most."""
HISTORY_PAGE = 128
"""How many are read at once, until the longest prompt has no room for more; mostly the first are enough."""

_ANSWERS = (Voice.PERSONA, Voice.KEEPER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything a reply is worded from, besides what is recalled.

    `burst` is what the reply answers: the turn's own messages, or those before the message that is worded again. `history` ends
    where the burst begins, and goes back no further than a prompt could show. `cared` is what was shown about where help is in
    the last `DANGER_LASTS`. A persona without a zone of its own lives in the user's.
    """

    user: User
    persona: Persona
    blocks: tuple[CoreBlock, ...]
    history: tuple[Message, ...]
    burst: tuple[Message, ...]
    cared: tuple[Message, ...]

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
        return tuple(m.text for m in self.cared if m.sent_at >= since)

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
    since = deps.clock.now() - DANGER_LASTS
    stage = await deps.store.stage(turn, history=HISTORY_PAGE, aside=CARE, since=since)
    burst = tuple(m for m in stage.said if m.speaker is Speaker.USER)
    if stage.user is None or stage.persona is None or not burst:
        return None
    return Scene(
        user=stage.user,
        persona=replace(stage.persona, zone=stage.persona.zone or stage.user.zone),
        blocks=tuple(stage.blocks),
        history=await _history(turn, stage.history, burst, deps),
        burst=burst,
        cared=tuple(stage.aside),
    )


async def _history(
    turn: Turn, newest: Sequence[Message], burst: tuple[Message, ...], deps: Deps
) -> tuple[Message, ...]:
    """What was said before, older to newer, from its `newest` page back.

    When a reply is worded again that ends where its burst begins. Else it is everything but the burst and what the user said
    after it, which the next turn answers.
    """
    prompt = deps.settings.current().prompt
    room = int(max(prompt.token_budget, SMALLEST_BUDGET) * prompt.history_share)
    page, history = newest, list[Message]()
    while True:
        history += [m for m in page if not _is_unanswered(m, burst)]
        if len(page) < HISTORY_PAGE or len(history) >= HISTORY_MESSAGES or fills(history, room):
            return tuple(reversed(history))
        page = await deps.store.messages(turn.pair, before=page[-1].id, limit=HISTORY_PAGE)


def _is_unanswered(message: Message, burst: tuple[Message, ...]) -> bool:
    """Whether it is of the burst, or what the user said after it."""
    last = burst[-1]
    later = message.speaker is Speaker.USER and (message.sent_at, message.id) > (last.sent_at, last.id)
    return later or any(message.id == m.id for m in burst)
