"""One set, measured with the real store, embedder, index and ranker, in a home of its own.

Each conversation is imported as the history of its own pair; every question is asked as a turn would ask it, and those of
other people's talks too, to see whether something comes to mind that should not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from echovessel.core.errors import BadInput
from echovessel.flows.deps import Deps
from echovessel.ports.embedder import Embedder
from echovessel.runtime.recall_bench.asking import Memory
from echovessel.runtime.recall_bench.data import Question, RecallSet, Told
from echovessel.runtime.recall_bench.home import remember_talks, vessel
from echovessel.runtime.recall_bench.metrics import Judged, Summary, judge, summarise
from echovessel.runtime.recall_bench.restraint import FOREIGN_LINE, FOREIGN_QUESTION, Met, Restraint, restraint

OURS = "EchoVessel"
UNGATED = "the same, all that is ranked"
FOREIGN_LINES = 20
"""Lines of another talk that each talk is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Summaries by retriever, when nothing comes to mind, and the milliseconds of a recall (index and ranker, without
    embedding the question). `headline`: the questions that count."""

    set: str
    embedder: str
    conversations: int
    messages: int
    headline: int
    retrievers: Mapping[str, Summary]
    restraint: Restraint
    ms_median: float
    ms_p95: float


@dataclass(slots=True)
class _Tally:
    """What the questions brought so far."""

    judged: dict[str, list[Judged]]
    met: list[Met]
    times: list[float]


async def measure(data: RecallSet, *, embedder: Embedder | None = None, vectors: Path | None = None) -> Report:
    """Import and ask everything; `embedder` None takes the configured one. `vectors`: a folder that keeps them."""
    if not any(question.headline and question.evidence for question in data.questions):
        raise BadInput(f"{data.name} has no headline question.", field="set", do="Mark some with `headline: true`.")
    async with vessel(embedder, vectors) as deps:
        return await _measure(data, deps)


async def _measure(data: RecallSet, deps: Deps) -> Report:
    memories = await remember_talks(data.conversations, deps)
    tally = _Tally({}, [], [])
    for question in data.questions:
        memory = memories[question.conv_id]
        came = await _ask(question, memory, tally, deps)
        tally.met.append(Met(question.conv_id, question.category, bool(question.evidence), came))
    for told, question in foreign(data):
        answer = await memories[told.conv_id].ask(question, deps)
        tally.met.append(Met(told.conv_id, question.category, expected=False, came=bool(answer.fitting)))
    times = sorted(tally.times)
    return Report(
        set=data.name,
        embedder=deps.embedder.name if deps.embedder else "none",
        conversations=len(data.conversations),
        messages=sum(len(told.said_at) for told in data.conversations),
        headline=sum(question.headline for question in data.questions),
        retrievers={retriever: summarise(each) for retriever, each in tally.judged.items()},
        restraint=restraint(tally.met),
        ms_median=times[len(times) // 2],
        ms_p95=times[int(0.95 * (len(times) - 1))],
    )


async def _ask(question: Question, memory: Memory, tally: _Tally, deps: Deps) -> bool:
    """Ask, and judge each retriever's answer if there is a right one; whether anything came to mind."""
    ours = await memory.ask(question, deps)
    tally.times.append(ours.seconds * 1000)
    if question.evidence:
        plain = await memory.ask_plainly(question, deps)
        for retriever, ranked in {**plain, OURS: ours.fitting, UNGATED: ours.ranked}.items():
            tally.judged.setdefault(retriever, []).append(judge(question, ranked, memory.told))
    return bool(ours.fitting)


def foreign(data: RecallSet) -> Iterator[tuple[Told, Question]]:
    """To each talk, what belongs to the next talk of someone else: its questions with evidence, and some lines of its user."""
    talks = data.conversations
    for place, told in enumerate(talks):
        others = (each for each in (*talks[place + 1 :], *talks[:place]) if each.person != told.person)
        if other := next(others, None):
            asked = [q for q in data.questions if q.conv_id == other.conv_id and q.headline and q.evidence]
            yield from ((told, replace(question, category=FOREIGN_QUESTION)) for question in asked)
            step = max(1, len(other.own_lines) // FOREIGN_LINES)
            yield from ((told, _line(text, told)) for text in other.own_lines[::step][:FOREIGN_LINES])


def _line(text: str, told: Told) -> Question:
    """Something that another user said, said after this talk."""
    return Question(
        conv_id=told.conv_id,
        text=text,
        category=FOREIGN_LINE,
        asked_at=max(told.said_at.values()) + timedelta(days=1),
        headline=False,
        evidence=(),
    )
