"""What comes to mind: ask memory with the burst and the talk before it, select, fetch the words."""

from dataclasses import dataclass

from echovessel.core.ids import MessageId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message
from echovessel.core.time import zone
from echovessel.flows.deps import Deps
from echovessel.flows.recollect import recollect
from echovessel.flows.scene import Scene
from echovessel.memory import recall
from echovessel.memory.knowing import Verdict
from echovessel.ports.recollecting import Said

PASSAGES = 12
"""How many passages may come to mind at most; the budget usually allows fewer."""
CARRIED_FROM = 8
"""Of so many messages before the burst, the last ones may be needed to know what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """The passages in order of their score, each in the order it was said; `lost` names the arms that were down.

    `knowing`: whether anything that was said bears on the burst, and what spoke for it.
    """

    passages: tuple[tuple[Message, ...], ...]
    knowing: Verdict
    trace: tuple[recall.TraceRow, ...]
    lost: tuple[str, ...]


async def remember(pair: Pair, scene: Scene, exclude: frozenset[MessageId], deps: Deps) -> Remembered:
    """Recall what fits the burst and was said before it, within the prompt's share; `exclude` stands in the prompt anyway."""
    began = deps.clock.monotonic()
    prompt = deps.settings.current().prompt
    zone_of_user = zone(scene.user.zone)
    said = Said(
        text="\n".join(m.text for m in scene.burst),
        before=[m.text for m in scene.history[-CARRIED_FROM:]],
        at=scene.burst[-1].sent_at.astimezone(zone_of_user),
        user_name=scene.user.name,
        persona_name=scene.persona.name,
        exclude=exclude,
        until=scene.burst[-1].sent_at,
    )
    found = await recollect(pair, said, deps)
    recalled = recall.select(
        found.candidates,
        budget_tokens=int(prompt.token_budget * prompt.recall_share),
        limit=PASSAGES,
    )
    ids = [i for passage in recalled.passages for i in passage.messages]
    words = {m.id: m for m in await deps.store.messages_by_id(pair.user_id, ids, variants=False)}
    deps.meter.recall.took(deps.clock.monotonic() - began)
    passages = (tuple(words[i] for i in p.messages if i in words) for p in recalled.passages)
    return Remembered(
        passages=tuple(p for p in passages if p), knowing=recalled.verdict, trace=recalled.trace, lost=found.lost
    )
