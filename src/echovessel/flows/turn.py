"""One turn: what the user said is answered.

    hear (flows/front) → claim (runtime/loops) → take_turn:
    scene → care → ask the models (flows/answering) → finish

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
from echovessel.flows.answering import Answer, Asking, Question
from echovessel.flows.deps import Deps
from echovessel.flows.live import LiveReply
from echovessel.flows.own_names import own_names
from echovessel.flows.remember import remember
from echovessel.flows.scene import Scene, set_scene
from echovessel.flows.speaking import Spoken
from echovessel.ports.changes import Change, Fence, FinishTurn, Quotes, Reply, SayMessage
from echovessel.ports.llm import LLM
from echovessel.prompts import keeper
from echovessel.prompts.render import ReplyMaterial

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
    models = deps.models.in_order()
    if not models:
        remembered = await remember(turn.pair, scene, scene.asked, deps)
        material = replace(material, remembered=remembered.passages)
        await _answer_by_rule(claim, material, turn_trace.write(remembered, verdict), deps)
        return
    question = Question(turn=turn, fence=claim.fence, scene=scene, material=material, verdict=verdict)
    await _answer_by_model(claim, question, models, deps)


async def _checked(messages: Sequence[Message]) -> care.CareVerdict:
    return await asyncio.to_thread(care.check, [m.text for m in messages])  # long texts take a tenth of a second


async def _answer_by_rule(claim: Claim, material: ReplyMaterial, trace: str, deps: Deps) -> None:
    """No model is connected: the keeper answers."""
    text, quotes = _keeper_says(material, deps)
    words = _Words(text, MessageState.COMPLETE, keeper.KEEPER, quotes)
    await _finish(claim, deps, TurnState.DONE, words, extra=[turn_trace.change(claim.turn, trace)])


async def _answer_by_model(claim: Claim, question: Question, models: Sequence[LLM], deps: Deps) -> None:
    """A model words the reply, in front of whoever follows; then it is stored and taken off the board."""
    live = deps.live.begin(claim.turn.id, claim.turn.pair, claim.turn.attempts)
    asking = Asking(question, live, deps)
    recorded = False
    try:
        answer = await asking.answer(models)
        spoken = answer.spoken
        if question.material.asks_if_ai and spoken.state is MessageState.COMPLETE:
            spoken = _own_up(spoken, live, question.material, deps)
        state, trouble, quotes = TurnState.DONE, None, None
        if spoken.down is not None:
            state = TurnState.FAILED
            trouble, quotes = await _trouble(spoken.down, answer, question, deps)
        elif spoken.state is not MessageState.COMPLETE:
            state, trouble = TurnState.STOPPED, None if spoken.text else STOPPED
        words = _Words(spoken.text, spoken.state, answer.made_by, quotes)
        record: list[Change] = [turn_trace.change(claim.turn, answer.trace), *asking.records()]
        await _finish(claim, deps, state, words, trouble, extra=record)
        recorded = True
    finally:
        deps.live.end(live)
        if not recorded:
            await asking.record_anyway()


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
    deps.bells.texts.ring()


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


async def _trouble(
    down: EchoVesselError, answer: Answer, question: Question, deps: Deps
) -> tuple[Trouble, Quotes | None]:
    """What the page shows of a failure, with what the keeper can still say.

    The keeper shows no history, so it may also recall what the prompt would have shown anyway.
    """
    log.info("reply failed", extra={"code": down.code, "turn": question.turn.id})
    others = f" The other models failed too: {', '.join(answer.also_failed)}." if answer.also_failed else ""
    plain = Trouble(code=down.code, message=down.message + others, do=own_names(down.do, answer.profile))
    recalled = await remember(question.turn.pair, question.scene, question.scene.asked, deps)
    material = replace(question.material, remembered=recalled.passages)
    aside, quotes = _keeper_says(material, deps, plain)
    return replace(plain, aside=aside), quotes


def _keeper_says(material: ReplyMaterial, deps: Deps, why: Trouble | None = None) -> tuple[str, Quotes | None]:
    """The keeper's words, and whose they repeat."""
    said = keeper.answer(material, deps.catalog, why=why)
    unquoted = keeper.answer(replace(material, remembered=()), deps.catalog, why=why)
    return said, None if said == unquoted else Quotes(of=keeper.quoted(material), instead=unquoted)
