"""`echovessel bench tune`: learn the weights of recall anew from talks, see how they do elsewhere, and write them if wanted."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from echovessel.adapters.index.weights import FILE, load_weights
from echovessel.core.errors import BadInput
from echovessel.memory.scoring import Weights
from echovessel.runtime.output import note, show
from echovessel.runtime.recall_bench.data import RecallSet
from echovessel.runtime.recall_bench.exercises import exercises_of
from echovessel.runtime.recall_bench.folders import own_folder, sets
from echovessel.runtime.recall_bench.metrics import Summary
from echovessel.runtime.recall_bench.tuning import Exercise, Tuned, tune

HELD_BACK = "test"
"""The half of our own talks that is only measured."""


def bench_tune(folders: Sequence[Path], vectors: Path | None, *, write: bool, as_json: bool) -> None:
    """Learn from our own talks meant for it and from every set in `folders`, and print weights and figures.

    `write`: put the weights where they are shipped from. BadInput when there is nothing to learn from.
    """
    found = [data for folder in (own_folder(), *folders) for data in sets(folder) if data.name != HELD_BACK]
    shipped = load_weights()
    tuned = tune(asyncio.run(_exercises(found, vectors)), shipped)
    show(_data(tuned), table(tuned, shipped), as_json=as_json)
    if write:
        FILE.write_text(written(FILE.read_text(encoding="utf-8"), tuned.weights), encoding="utf-8")
        note(f"Written to {FILE}.")


async def _exercises(found: Sequence[RecallSet], vectors: Path | None) -> list[Exercise]:
    exercises: list[Exercise] = []
    for data in found:
        note(f"{data.name}: {len(data.questions)} questions to {len(data.conversations)} talks …")
        exercises += await exercises_of(data, vectors=vectors)
    if not exercises:
        raise BadInput("There is no question to learn from.", field="folder", do="Name a folder of recall data.")
    return exercises


def written(text: str, weights: Weights) -> str:
    """A file of weights with these in it; its comments stay."""
    for name, weight in weights.items():
        text = re.sub(rf"(?m)^({name} *= *)-?[\d.]+", rf"\g<1>{weight}", text)
    return text


def table(tuned: Tuned, shipped: Weights) -> Iterable[str]:
    """The weights and the figures as Markdown."""
    yield "| factor | shipped | learned |"
    yield "|---|---|---|"
    for name, weight in tuned.weights.items():
        yield f"| {name} | {shipped[name]:g} | {weight:g} |"
    yield ""
    yield "In per cent; each talk is ranked by weights that were learned from all the others."
    yield ""
    yield "| set | weights | questions | R@1 | R@5 | R@10 | MRR |"
    yield "|---|---|---|---|---|---|---|"
    for label, summaries in (("shipped", tuned.shipped), ("learned elsewhere", tuned.elsewhere)):
        for name, summary in summaries.items():
            cells = [f"{100 * summary.measures[each].value:.1f}" for each in ("R@1", "R@5", "R@10", "MRR")]
            yield f"| {name} | {label} | {summary.measures['R@10'].n} | {' | '.join(cells)} |"


def _data(tuned: Tuned) -> Mapping[str, object]:
    def values(summaries: Mapping[str, Summary]) -> Mapping[str, Mapping[str, float]]:
        return {name: {each: f.value for each, f in summary.measures.items()} for name, summary in summaries.items()}

    return {
        "weights": tuned.weights,
        "shipped": values(tuned.shipped),
        "learned elsewhere": values(tuned.elsewhere),
    }
