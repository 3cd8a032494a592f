"""What comes to mind: embed the burst, let the index name candidates, select, fetch the words."""

from dataclasses import dataclass

from echovessel.core.errors import EmbedderDown
from echovessel.core.ids import MessageId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message
from echovessel.flows.deps import Deps
from echovessel.flows.scene import Scene
from echovessel.memory import recall
from echovessel.memory.question import ask
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.index import Query

PASSAGES = 12
"""How many passages may come to mind at most; the budget usually allows fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """The passages in order of their score, each in the order it was said; `lost` names the arms that were down."""

    passages: tuple[tuple[Message, ...], ...]
    trace: tuple[recall.TraceRow, ...]
    lost: tuple[str, ...]


async def remember(pair: Pair, scene: Scene, exclude: frozenset[MessageId], deps: Deps) -> Remembered:
    """Recall what fits the burst and was said before it, within the prompt's share; `exclude` stands in the prompt anyway."""
    began = deps.clock.monotonic()
    prompt = deps.settings.current().prompt
    asked = ask("\n".join(m.text for m in scene.burst), user_name=scene.user.name, persona_name=scene.persona.name)
    vector, lost = await query_vector(asked.text, deps)
    until = scene.burst[-1].sent_at
    query = Query(text=asked.text, about=asked.about, vector=vector, exclude=exclude, until=until)
    candidates = await deps.index.candidates(pair, query)
    recalled = recall.select(
        candidates,
        budget_tokens=int(prompt.token_budget * prompt.recall_share),
        limit=PASSAGES,
    )
    ids = [i for passage in recalled.passages for i in passage.messages]
    words = {m.id: m for m in await deps.store.messages_by_id(pair.user_id, ids, variants=False)}
    deps.meter.recall.took(deps.clock.monotonic() - began)
    passages = (tuple(words[i] for i in p.messages if i in words) for p in recalled.passages)
    return Remembered(passages=tuple(p for p in passages if p), trace=recalled.trace, lost=lost)


async def query_vector(text: str, deps: Deps) -> tuple[Vectors | None, tuple[str, ...]]:
    """The raw query vector; without an embedder, or with one that is down, None and what was lost by it."""
    if deps.embedder is None:
        return None, ()
    try:
        vectors = await deps.embedder.embed([text], Kind.QUERY)
    except EmbedderDown as down:
        return None, (down.code,)
    return vectors[0], ()
