"""`echovessel bench recall`: how well the real store, embedder, index and ranker find what was said.

Beside it stand three plain retrievers that are given the same questions.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from echovessel.runtime.output import note, show
from echovessel.runtime.recall_bench.data import RecallSet
from echovessel.runtime.recall_bench.folders import own_folder, sets
from echovessel.runtime.recall_bench.measure import Report, measure
from echovessel.runtime.recall_bench.table import table


def bench_recall(folders: Sequence[Path], name: str | None, vectors: Path | None, *, as_json: bool) -> None:
    """Measure the sets of all folders (none: our own talks), or the one of that `name`, and print the tables or the JSON.

    BadInput when there is nothing to measure. `vectors`: a folder that keeps the vectors for the next time.
    """
    found = [data for folder in folders or [own_folder()] for data in sets(folder, name)]
    reports = asyncio.run(_measure(found, vectors))
    show([asdict(report) for report in reports], table(reports), as_json=as_json)


async def _measure(found: Sequence[RecallSet], vectors: Path | None) -> list[Report]:
    reports: list[Report] = []
    for data in found:
        note(f"{data.name}: {len(data.questions)} questions to {len(data.conversations)} talks …")
        reports.append(await measure(data, vectors=vectors))
    return reports
