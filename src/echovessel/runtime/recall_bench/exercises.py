"""The questions of a set as something to learn from: what each factor says of every message of the talk."""

from collections.abc import Mapping
from pathlib import Path

from echovessel.adapters.index import load_weights
from echovessel.adapters.index.timeline import Timeline
from echovessel.flows.deps import Deps
from echovessel.flows.recollect import query_of
from echovessel.ports.embedder import Embedder
from echovessel.runtime.recall_bench.asking import Memory
from echovessel.runtime.recall_bench.data import RecallSet
from echovessel.runtime.recall_bench.home import remember_talks, vessel
from echovessel.runtime.recall_bench.tuning import Exercise, exercise


async def exercises_of(
    data: RecallSet, *, embedder: Embedder | None = None, vectors: Path | None = None
) -> list[Exercise]:
    """Those that count and have evidence; `embedder` and `vectors` as `home.vessel` takes them."""
    async with vessel(embedder, vectors) as deps:
        memories = await remember_talks(data.conversations, deps)
        timelines = {conv_id: await _timeline(memory, deps) for conv_id, memory in memories.items()}
        return await _exercises(data, memories, timelines, deps)


async def _exercises(
    data: RecallSet, memories: Mapping[str, Memory], timelines: Mapping[str, Timeline], deps: Deps
) -> list[Exercise]:
    found: list[Exercise] = []
    for question in data.questions:
        if question.headline and question.evidence:
            memory = memories[question.conv_id]
            query, _ = await query_of(memory.said(question), deps)
            ids, factors = timelines[question.conv_id].measured(query)
            found.append(exercise(data.name, question, memory.told, [memory.turns[each] for each in ids], factors))
    return found


async def _timeline(memory: Memory, deps: Deps) -> Timeline:
    """A pair's timeline as the index holds it."""
    timeline = Timeline(deps.embedder, load_weights())
    timeline.put(await deps.store.index_rows(memory.pair, deps.embedder.name if deps.embedder else ""))
    return timeline
