"""A talk as a pair's memory, and a question put to it the way a turn does."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

from echovessel.core.ids import MessageId
from echovessel.core.pair import Pair
from echovessel.core.time import zone
from echovessel.flows.deps import Deps
from echovessel.flows.history import turn_id_of
from echovessel.flows.recollect import query_of, query_vector
from echovessel.memory.question import ask
from echovessel.memory.recall import fitting, rank
from echovessel.ports.index import Query
from echovessel.ports.recollecting import Said
from echovessel.runtime.recall_bench.baselines import Baselines
from echovessel.runtime.recall_bench.data import Question, Told
from echovessel.runtime.recall_bench.metrics import DEPTH


@dataclass(frozen=True, slots=True)
class Remembered:
    """Turn ids, best first: those that fit, and all as they were ranked; and how many seconds that took, without embedding."""

    fitting: tuple[str, ...]
    ranked: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Memory:
    """An imported talk. `turns`: the turn id of each of its messages."""

    told: Told
    pair: Pair
    turns: Mapping[MessageId, str]
    baselines: Baselines

    @staticmethod
    async def of(told: Told, pair: Pair, deps: Deps) -> "Memory":
        """Of a talk that was imported and embedded."""
        baselines = await Baselines.of(pair, deps)
        messages = await deps.store.messages_by_id(pair.user_id, list(baselines.ids))
        return Memory(told, pair, {m.id: turn_id_of(m.external_id or "") for m in messages}, baselines)

    async def ask(self, question: Question, deps: Deps) -> Remembered:
        """What a turn would have at hand for it."""
        query, _ = await query_of(self.said(question), deps)
        began = perf_counter()
        candidates = await deps.index.candidates(self.pair, query)
        best, fits = rank(candidates), fitting(candidates)
        seconds = perf_counter() - began
        ranked = [self.turns[message_id] for message_id, _, _ in best[:DEPTH]]
        chosen = [self.turns[message_id] for message_id, _, _ in best if message_id in fits][:DEPTH]
        return Remembered(tuple(chosen), tuple(ranked), seconds)

    def said(self, question: Question) -> Said:
        """What the memory is asked with: the line, the live talk before it, and when it is said where the user is."""
        return Said(
            text=question.text,
            before=[words for _, words in question.context],
            at=question.asked_at.astimezone(zone(self.told.zone)),
            user_name=self.told.me,
            persona_name=self.told.other,
        )

    async def ask_plainly(self, question: Question, deps: Deps) -> Mapping[str, list[str]]:
        """Turn ids, best first, of each plain retriever; they are given the line alone, without the talk before it."""
        answers = self.baselines.rankings(await self._query(question, deps), DEPTH)
        return {name: [self.turns[message_id] for message_id in ids] for name, ids in answers.items()}

    async def _query(self, question: Question, deps: Deps) -> Query:
        asked = ask(question.text, user_name=self.told.me, persona_name=self.told.other)
        vector, _ = await query_vector(asked.text, deps)
        return Query(asked=asked, vector=vector)
