"""The models are asked in their order, those that rest last, until one speaks.

    for each model: frame → remember → render → speak

The prompt is made anew for each, as long as that one can hold. A reply that has begun is never begun again by another model.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from echovessel.core.errors import DailyCapReached, EchoVesselError
from echovessel.core.talk import Turn
from echovessel.flows import turn_trace
from echovessel.flows.care import CareVerdict
from echovessel.flows.deps import Deps
from echovessel.flows.ledger import ModelCall
from echovessel.flows.live import LiveReply
from echovessel.flows.remember import remember
from echovessel.flows.scene import Scene
from echovessel.flows.speaking import Spoken, speak
from echovessel.ports.changes import Fence, RecordCall
from echovessel.ports.llm import LLM, ChatRequest, Role
from echovessel.ports.settings import PromptSettings
from echovessel.prompts import render
from echovessel.prompts.render import PromptBudget, ReplyMaterial

log = logging.getLogger(__name__)

_COUNTED_WELL = 0.9
"""Of what a model holds, this much is filled: our count of tokens is an estimate."""
_LARGEST_REPLY = 4
"""A reply may take a quarter of what a model holds at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is to be answered, before it is known by whom."""

    turn: Turn
    fence: Fence
    scene: Scene
    material: ReplyMaterial
    verdict: CareVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of asking: the words, or the failure of the model that was asked first. `also_failed` names the others, each
    with its failure's code; `trace` tells of all."""

    spoken: Spoken
    profile: str
    made_by: str
    trace: str
    also_failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Room:
    """Tokens that a prompt and a reply may take."""

    prompt: int
    reply: int


def room_for(context_tokens: int | None, budget: int, reply: int) -> Room:
    """The room of a model that holds this much (None: nobody knows), within the owner's `budget` and longest `reply`."""
    if context_tokens is None:
        return Room(budget, reply)
    reply = min(reply, max(context_tokens // _LARGEST_REPLY, 1))
    return Room(min(budget, int((context_tokens - reply) * _COUNTED_WELL)), reply)


class Asking:
    """One question on its way through the models. `calls` are all that were made for it, also when a defect ends it."""

    def __init__(self, question: Question, live: LiveReply, deps: Deps) -> None:
        self._question = question
        self._live = live
        self._deps = deps
        self.calls: list[ModelCall] = []

    async def answer(self, models: Sequence[LLM]) -> Answer:
        """Ask one after the other, while another may do better. Raises FenceLost when another worker took the turn over."""
        deps, failed = self._deps, list[Answer]()
        for model in deps.resting.last(models, deps.clock.monotonic()):
            answer = await self._ask(model)
            if answer.spoken.down is None or answer.spoken.text:
                if failed and answer.spoken.text:
                    self._log_who_failed()
                return answer
            failed.append(answer)
            if isinstance(answer.spoken.down, DailyCapReached):
                break
        others = tuple(f"{call.asked_of} ({call.outcome})" for call in self.calls[1:])
        return replace(failed[0], trace=failed[-1].trace, also_failed=others)

    def records(self) -> list[RecordCall]:
        """The ledger's lines."""
        return [call.record() for call in self.calls]

    async def record_anyway(self) -> None:
        """Something else went wrong: keep what was paid for, and let no second failure hide the first."""
        paid = [call.record() for call in self.calls if call.asked]
        if not paid:
            return
        try:
            await self._deps.store.apply(paid)
        except EchoVesselError as down:
            log.warning("calls were not recorded", extra={"code": down.code, "calls": len(paid)})

    def _log_who_failed(self) -> None:
        """Nobody sees on a reply that it is another model's: the log tells, without a word of what was said."""
        *failed, answered = self.calls
        why = ", ".join(f"{call.asked_of} ({call.outcome})" for call in failed)
        log.warning("another model answered", extra={"failed": why, "answered": answered.asked_of})

    async def _ask(self, model: LLM) -> Answer:
        question, deps = self._question, self._deps
        settings, prompts = model.settings, deps.settings.current().prompt
        room = room_for(await model.context_tokens(), prompts.token_budget, settings.max_reply_tokens)
        frame = await asyncio.to_thread(render.frame, question.material, _budget(room, prompts), deps.catalog)
        remembered = await remember(question.turn.pair, question.scene, frame.shown, deps)
        prompt = await asyncio.to_thread(render.reply, frame, remembered.passages)
        request = ChatRequest(
            role=Role.MAIN, messages=prompt.messages, max_tokens=room.reply, temperature=settings.temperature
        )
        call = ModelCall(
            request, model=model, user=question.scene.user, turn_id=question.turn.id, prompt=prompt.name, deps=deps
        )
        self.calls.append(call)
        spoken = await speak(call, question.turn, question.fence, self._live, deps)
        if spoken.down or spoken.text:
            deps.resting.note(model, spoken.down, deps.clock.monotonic())
        return Answer(
            spoken=spoken,
            profile=model.profile,
            made_by=f"{prompt.name} {model.name(Role.MAIN)}",
            trace=turn_trace.write(remembered, question.verdict, prompt, self.records()),
        )


def _budget(room: Room, prompt: PromptSettings) -> PromptBudget:
    return PromptBudget(tokens=room.prompt, history_share=prompt.history_share, recall_share=prompt.recall_share)
