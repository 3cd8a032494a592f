"""One turn: what the user said is answered.

    hear (flows/front) → claim (runtime/loops) → take_turn:
    scene → care → remember → render → speak → finish

Read `take_turn` downwards: that is the order in which it happens. Everything it writes is fenced by the claim's lease, so a
worker that lost its lease writes nothing.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from echovessel.core.errors import EchoVesselError
from echovessel.core.ids import MessageId, TextId
from echovessel.core.talk import Message, MessageState, Trouble, Turn, TurnState
from echovessel.flows import care, turn_trace
from echovessel.flows.deps import Deps
from echovessel.flows.ledger import ModelCall
from echovessel.flows.live import LiveReply
from echovessel.flows.remember import remember
from echovessel.flows.scene import Scene, set_scene
from echovessel.flows.speaking import Spoken, speak
from echovessel.ports.changes import Change, Fence, FinishTurn, Quotes, Reply, SayMessage
from echovessel.ports.llm import ChatRequest, Role
from echovessel.prompts import keeper, render
from echovessel.prompts.render import PromptBudget, ReplyMaterial, ReplyPrompt

log = logging.getLogger(__name__)

ATTEMPTS = 2
"""A turn that ended twice without a word is not tried a third time by itself."""

INTERRUPTED = Trouble(
    code="interrupted",
    message="The reply was interrupted: the program stopped while it was being worded.",
    do="Press retry to have it worded again.",
)
STOPPED = Trouble(
    code="stopped",
    message="Stopped before a word came.",
    do="Press retry to have it answered after all.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claimed turn: our fence, and the instant of the claim, which is when its reply counts as sent.

    The ids of what the persona will say are made at that instant too, so that whatever is heard later sorts after it.
    """

    turn: Turn
    fence: Fence
    at: datetime
    care_id: MessageId
    reply_id: MessageId


async def take_turn(claim: Claim, deps: Deps) -> None:
    """Answer the turn, or end it with words that say why it was not answered."""
    turn = claim.turn
    if turn.attempts > 1 and (turn.draft or turn.attempts > ATTEMPTS):
        await _finish(claim, deps, TurnState.FAILED, _kept(turn.draft), INTERRUPTED)
        return
    scene = await set_scene(turn, deps)
    if scene is None:
        await _finish(claim, deps, TurnState.STOPPED, None)
        return
    if turn.asked_to_stop:
        await _finish(claim, deps, TurnState.STOPPED, _kept(""), STOPPED)
        return

    verdict = await _checked(scene.unanswered)
    if verdict.crisis and (await _checked(scene.uncared)).crisis:
        await _say_care(claim, scene, deps)
    material = _material(claim, scene, verdict)
    model = next(iter(deps.models.in_order()), None)
    if model is None:
        remembered = await remember(turn.pair, scene, scene.asked, deps)
        material = replace(material, remembered=remembered.passages)
        await _answer_by_rule(claim, material, turn_trace.write(remembered, verdict), deps)
        return
    frame = await asyncio.to_thread(render.frame, material, _budget(deps), deps.catalog)
    remembered = await remember(turn.pair, scene, frame.shown, deps)
    prompt = await asyncio.to_thread(render.reply, frame, remembered.passages)
    call = ModelCall(
        _request(prompt, deps), model=model, user=scene.user, turn_id=turn.id, prompt=prompt.name, deps=deps
    )
    trace = turn_trace.write(remembered, verdict, prompt)
    made_by = f"{prompt.name} {model.name(Role.MAIN)}"
    await _answer_by_model(_Answering(claim, scene, material, trace, made_by), call, deps)


async def _checked(messages: Sequence[Message]) -> care.CareVerdict:
    return await asyncio.to_thread(care.check, [m.text for m in messages])  # long texts take a tenth of a second


@dataclass(frozen=True, slots=True)
class _Answering:
    """A turn on its way to a model's reply: what it is made from, and what will be said of it."""

    claim: Claim
    scene: Scene
    material: ReplyMaterial
    trace: str
    made_by: str


async def _answer_by_rule(claim: Claim, material: ReplyMaterial, trace: str, deps: Deps) -> None:
    """No model is connected: the keeper answers."""
    text, quotes = _keeper_says(material, deps)
    words = _Words(text, MessageState.COMPLETE, keeper.KEEPER, quotes)
    await _finish(claim, deps, TurnState.DONE, words, extra=[turn_trace.change(claim.turn, trace)])


async def _answer_by_model(answering: _Answering, call: ModelCall, deps: Deps) -> None:
    """The model words the reply, in front of whoever follows; then it is stored and taken off the board."""
    claim, material = answering.claim, answering.material
    live = deps.live.begin(claim.turn.id, claim.turn.pair, claim.turn.attempts)
    recorded = False
    try:
        spoken = await speak(call, claim.turn, claim.fence, live, deps)
        if material.asks_if_ai and spoken.state is MessageState.COMPLETE:
            spoken = _own_up(spoken, live, material, deps)
        state, trouble, quotes = TurnState.DONE, None, None
        if spoken.down is not None:
            state = TurnState.FAILED
            trouble, quotes = await _trouble(spoken.down, answering, deps)
        elif spoken.state is not MessageState.COMPLETE:
            state, trouble = TurnState.STOPPED, None if spoken.text else STOPPED
        words = _Words(spoken.text, spoken.state, answering.made_by, quotes)
        record: list[Change] = [turn_trace.change(claim.turn, answering.trace), call.record()]
        await _finish(claim, deps, state, words, trouble, extra=record)
        recorded = True
    finally:
        deps.live.end(live)
        if call.asked and not recorded:
            await deps.store.apply([call.record()])


@dataclass(frozen=True, slots=True)
class _Words:
    """What the turn leaves on the timeline. `quotes`: whose words the keeper repeated, here or in the trouble."""

    text: str
    state: MessageState
    made_by: str
    quotes: Quotes | None = None


def _kept(draft: str) -> _Words:
    """What there was when the wording broke off."""
    return _Words(draft, MessageState.PARTIAL if draft else MessageState.FAILED, "draft")


async def give_up(claim: Claim, deps: Deps, trouble: Trouble) -> None:
    """End a turn that a defect of ours broke off, with the words that were saved, so that it never blocks the talk."""
    turn = await deps.store.turn(claim.turn.pair.user_id, claim.turn.id) or claim.turn
    await _finish(claim, deps, TurnState.FAILED, _kept(turn.draft), trouble)


async def _finish(
    claim: Claim,
    deps: Deps,
    state: TurnState,
    words: _Words | None,
    trouble: Trouble | None = None,
    extra: list[Change] | None = None,
) -> None:
    """Store the reply, its trace and its cost in one transaction."""
    turn = claim.turn
    reply = words and Reply(
        message_id=claim.reply_id,
        text_id=TextId(deps.ids.ulid(claim.at)),
        text=words.text,
        state=words.state,
        made_by=words.made_by,
        sent_at=claim.at,
    )
    finish = FinishTurn(
        user_id=turn.pair.user_id,
        turn_id=turn.id,
        state=state,
        reply=reply,
        trouble=trouble,
        quotes=words and words.quotes,
    )
    await deps.store.apply([finish, *(extra or [])], claim.fence)
    deps.bell.ring()


async def _say_care(claim: Claim, scene: Scene, deps: Deps) -> None:
    """Before the persona, and without any model: say where help is. Once a burst, also when it is answered anew."""
    turn = claim.turn
    await deps.store.apply(
        [
            SayMessage(
                message_id=claim.care_id,
                text_id=TextId(deps.ids.ulid(claim.at)),
                turn_id=turn.id,
                conversation_id=turn.conversation_id,
                pair=turn.pair,
                channel=turn.channel,
                text=care.care_text(
                    [m.text for m in scene.burst],
                    scene.user.locale,
                    said_lately=scene.care_since(claim.at - care.FULL_TEXT_LASTS),
                ),
                made_by=care.CARE,
                sent_at=claim.at,
                zone=scene.user.zone,
                external_id=f"care:{scene.burst[0].turn_id}",
            )
        ],
        claim.fence,
    )


def _own_up(spoken: Spoken, live: LiveReply, material: ReplyMaterial, deps: Deps) -> Spoken:
    """A reply to a sincere question that denies being an AI gets one honest sentence more."""
    honest = care.owns_up(spoken.text, material.persona.locale)
    if honest is None:
        return spoken
    deps.live.say(live, f"\n\n{honest}")
    return Spoken(live.text, spoken.state)


def _material(claim: Claim, scene: Scene, verdict: care.CareVerdict) -> ReplyMaterial:
    """Everything but what is remembered, which depends on what the prompt shows anyway."""
    return ReplyMaterial(
        persona=scene.persona,
        user=scene.user,
        blocks=scene.blocks,
        history=scene.history,
        burst=scene.burst,
        remembered=(),
        now=claim.at,
        last_spoke=scene.last_spoke,
        care=verdict.crisis,
        care_before=bool(scene.care_since(claim.at - care.DANGER_LASTS)),
        asks_if_ai=verdict.asks_if_ai,
    )


def _budget(deps: Deps) -> PromptBudget:
    prompt = deps.settings.current().prompt
    return PromptBudget(
        tokens=prompt.token_budget, history_share=prompt.history_share, recall_share=prompt.recall_share
    )


def _request(prompt: ReplyPrompt, deps: Deps) -> ChatRequest:
    llm = deps.settings.current().llm
    return ChatRequest(
        role=Role.MAIN, messages=prompt.messages, max_tokens=llm.max_reply_tokens, temperature=llm.temperature
    )


async def _trouble(down: EchoVesselError, answering: _Answering, deps: Deps) -> tuple[Trouble, Quotes | None]:
    """What the page shows of a failure, with what the keeper can still say.

    The keeper shows no history, so it may also recall what the prompt would have shown anyway.
    """
    log.info("reply failed", extra={"code": down.code, "turn": answering.claim.turn.id})
    plain = Trouble(code=down.code, message=down.message, do=down.do)
    recalled = await remember(answering.claim.turn.pair, answering.scene, answering.scene.asked, deps)
    material = replace(answering.material, remembered=recalled.passages)
    aside, quotes = _keeper_says(material, deps, plain)
    return replace(plain, aside=aside), quotes


def _keeper_says(material: ReplyMaterial, deps: Deps, why: Trouble | None = None) -> tuple[str, Quotes | None]:
    """The keeper's words, and whose they repeat."""
    said = keeper.answer(material, deps.catalog, why=why)
    unquoted = keeper.answer(replace(material, remembered=()), deps.catalog, why=why)
    return said, None if said == unquoted else Quotes(of=keeper.quoted(material), instead=unquoted)
