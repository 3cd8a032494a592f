"""`echovessel bench recall`: how well the real store, embedder, index and ranker find what was said.

In a home of its own, each conversation is imported as the history of its own pair, its texts are embedded, and every question
is asked as a turn would ask it. Beside it stand three plain retrievers that are given the same question.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from echovessel.adapters.home import Home
from echovessel.core.errors import BadInput
from echovessel.core.ids import PersonaId, UserId
from echovessel.core.pair import Pair
from echovessel.flows.deps import Deps
from echovessel.flows.embedding import embed_some
from echovessel.flows.history import turn_id_of
from echovessel.flows.ingest import FlowIngest
from echovessel.flows.remember import query_vector
from echovessel.memory.question import ask
from echovessel.memory.recall import rank
from echovessel.ports.changes import PutPersona, PutUser
from echovessel.ports.embedder import Embedder
from echovessel.ports.index import Query
from echovessel.ports.records import Persona, PersonaKind, User
from echovessel.runtime.output import note, show
from echovessel.runtime.recall_baselines import Baselines
from echovessel.runtime.recall_data import Question, RecallSet, Told, load
from echovessel.runtime.recall_metrics import DEPTH, MEASURES, Judged, Summary, judge, summarise
from echovessel.runtime.wiring import Overrides, build, open_settings

OURS = "EchoVessel"


@dataclass(frozen=True, slots=True)
class Report:
    """Summaries by retriever, and how many milliseconds a recall took (index and ranker, without embedding the question)."""

    set: str
    embedder: str
    messages: int
    retrievers: Mapping[str, Summary]
    ms_median: float
    ms_p95: float


@dataclass(frozen=True, slots=True)
class _Talk:
    """An imported conversation."""

    told: Told
    pair: Pair
    baselines: Baselines


def bench_recall(folder: Path, name: str, *, as_json: bool) -> None:
    """Measure, and print the table or the JSON. BadInput when the folder has no such set."""
    report = asyncio.run(measure(load(folder, name), name))
    show(asdict(report), table(report), as_json=as_json)


async def measure(data: RecallSet, name: str, embedder: Embedder | None = None) -> Report:
    """Import and ask everything; `embedder` None takes the configured one."""
    if not any(question.headline for question in data.questions):
        raise BadInput(f"{name} has no headline question.", field="set", do="Mark some with `headline: true`.")
    with TemporaryDirectory(prefix="echovessel-bench-") as folder:
        home = Home(Path(folder))
        settings = open_settings(home, {"database.url": ""})
        vessel = await build(home, Overrides(settings=settings, embedder=embedder))
        try:
            return await _measure(data, name, vessel.deps)
        finally:
            await vessel.close()


async def _measure(data: RecallSet, name: str, deps: Deps) -> Report:
    pairs = {told.conv_id: await _import(told, deps) for told in data.conversations}
    messages = sum(len(told.said_at) for told in data.conversations)
    note(f"{messages} messages imported; embedding them takes about 20–60 ms each.")
    while deps.embedder is not None and await embed_some(deps.embedder, deps):
        pass
    talks = {
        told.conv_id: _Talk(told, pairs[told.conv_id], await Baselines.of(pairs[told.conv_id], deps))
        for told in data.conversations
    }
    judged: dict[str, list[Judged]] = {}
    times: list[float] = []
    for question in data.questions:
        talk = talks[question.conv_id]
        rankings, seconds = await _ask(question, talk, deps)
        times.append(seconds * 1000)
        for retriever, ranked in rankings.items():
            judged.setdefault(retriever, []).append(judge(question, ranked, talk.told))
    times.sort()
    return Report(
        set=name,
        embedder=deps.embedder.name if deps.embedder else "none",
        messages=messages,
        retrievers={retriever: summarise(each) for retriever, each in judged.items()},
        ms_median=times[len(times) // 2],
        ms_p95=times[int(0.95 * (len(times) - 1))],
    )


async def _import(told: Told, deps: Deps) -> Pair:
    """Make the two people, and import what they said."""
    now = deps.clock.now()
    pair = Pair(UserId(deps.ids.ulid(now)), PersonaId(deps.ids.ulid(now)))
    user = User(id=pair.user_id, name=told.me, zone="UTC", locale="en", created_at=now)
    persona = Persona(
        id=pair.persona_id, name=told.other, kind=PersonaKind.RESEARCH, locale="en", zone="UTC", created_at=now
    )
    await deps.store.apply([PutUser(user=user), PutPersona(persona=persona)])
    report = await FlowIngest(deps)(pair, lambda: _lines(told), me=told.me, dry_run=False)
    for refusal in report.refused:
        note(f"{told.conv_id}: {refusal}")
    return pair


async def _lines(told: Told) -> AsyncIterator[str]:
    yield told.line


async def _ask(question: Question, talk: _Talk, deps: Deps) -> tuple[dict[str, list[str]], float]:
    """The turn ids each retriever answers with, best first, and how many seconds ours took."""
    asked = ask(question.text, user_name=talk.told.me, persona_name=talk.told.other)
    vector, _ = await query_vector(asked.text, deps)
    query = Query(text=asked.text, about=asked.about, vector=vector)
    began = perf_counter()
    best = rank(await deps.index.candidates(talk.pair, query))[:DEPTH]
    seconds = perf_counter() - began
    plain = talk.baselines.rankings(query, DEPTH)
    answers = {name: list(ids) for name, ids in plain.items()} | {OURS: [message_id for message_id, _, _ in best]}
    ids = {message_id for answer in answers.values() for message_id in answer}
    messages = await deps.store.messages_by_id(talk.pair.user_id, list(ids))
    turn_of = {m.id: turn_id_of(m.external_id or "") for m in messages}
    return {name: [turn_of[message_id] for message_id in answer] for name, answer in answers.items()}, seconds


def table(report: Report) -> Iterable[str]:
    """The report as Markdown."""
    yield f"## {report.set}: {report.messages} messages, embedder {report.embedder}"
    yield ""
    yield f"| retriever | n | {' | '.join(MEASURES)} | old/new |"
    yield f"|---|---|{'---|' * len(MEASURES)}---|"
    for name, summary in report.retrievers.items():
        measures = " | ".join(_percent(summary.measures[each]) for each in MEASURES)
        ratio = "–" if summary.old_to_new is None else f"{summary.old_to_new:.2f}"
        yield f"| {name} | {summary.questions} | {measures} | {ratio} |"
    yield ""
    yield from _breakdown("R@10 by category", {name: s.categories for name, s in report.retrievers.items()})
    yield from _breakdown("R@10 by age of the evidence", {name: s.ages for name, s in report.retrievers.items()})
    yield f"A recall took {report.ms_median:.1f} ms (median), {report.ms_p95:.1f} ms (p95), without embedding the question."


def _breakdown(title: str, values: Mapping[str, Mapping[str, float]]) -> Iterable[str]:
    columns = list(next(iter(values.values())))
    yield f"| {title} | {' | '.join(columns)} |"
    yield f"|---|{'---|' * len(columns)}"
    for name, row in values.items():
        yield f"| {name} | {' | '.join(_percent(row[column]) for column in columns)} |"
    yield ""


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"
