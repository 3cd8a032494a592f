"""`echovessel bench scale`: what adding, opening and recalling take as the talk grows, beside the plainest thing that works."""

import multiprocessing
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ParamSpec, TypeVar

from echovessel.core.errors import BadInput
from echovessel.runtime.output import note, show
from echovessel.runtime.scale_figures import Contender, Figures, Scale
from echovessel.runtime.scale_ours import Ours
from echovessel.runtime.scale_plain import Plain
from echovessel.runtime.scale_talk import Synthetic

P = ParamSpec("P")
T = TypeVar("T")

MANY = 1_000_000
PAIRS = 500
"""From `MANY` messages on, so many pairs said them: nobody says a million to one persona."""
SMALLEST = 100
LARGEST = 10_000_000
_UNITS = {"": 1, "k": 1000, "m": 1_000_000}
_COLUMNS = {
    "messages": "",
    "contender": "",
    "import CPU": "ms",
    "add CPU": "ms",
    "add p50": "ms",
    "add p95": "ms",
    "open to first recall": "s",
    "its CPU": "s",
    "first of a pair p50": "ms",
    "recall p50": "ms",
    "recall p95": "ms",
    "peak memory": "MB",
    "disk": "MB",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One contender at one size."""

    messages: int
    pairs: int
    contender: str
    figures: Figures


def scales(sizes: str) -> list[Scale]:
    """Sizes such as `1k,10k,1m`. BadInput for anything else."""
    found: list[Scale] = []
    for size in sizes.lower().split(","):
        match = re.fullmatch(r"(\d{1,8})([km]?)", size.strip())
        messages = int(match[1]) * _UNITS[match[2]] if match else 0
        if not SMALLEST <= messages <= LARGEST:
            raise BadInput(
                f"{size.strip()!r} is no size.",
                field="sizes",
                do="Write sizes from 100 to 10m, such as 1k,10k,100k,1m.",
            )
        found.append(Scale(messages=messages, pairs=PAIRS if messages >= MANY else 1))
    return found


def bench_scale(sizes: str, *, as_json: bool) -> None:
    """Measure every size, and print the table or the JSON."""
    rows = [row for scale in scales(sizes) for row in measure(scale, [Ours(), Plain()])]
    data = {"vectors": Synthetic.name, "rows": [asdict(row) for row in rows]}
    show(data, table(rows), as_json=as_json)


def measure(scale: Scale, contenders: Iterable[Contender]) -> list[Row]:
    """Every contender at one size, each in a temporary folder of its own, which is removed afterwards."""
    rows: list[Row] = []
    for contender in contenders:
        note(f"{contender.name}: {scale} messages …")
        with TemporaryDirectory(prefix="echovessel-bench-") as folder:
            spent = _elsewhere(contender.fill, Path(folder), scale)
            figures = _elsewhere(contender.measure, Path(folder), scale, spent)
        rows.append(Row(scale.messages, scale.pairs, contender.name, figures))
    return rows


def table(rows: Sequence[Row]) -> Iterable[str]:
    """The rows as Markdown."""
    yield "Vectors are synthetic, and so are the texts, Chinese and English: times and sizes only, not how well it recalls."
    yield "Add and recall are without embedding. Memory is the whole process: of EchoVessel with HTTP and the real embedder."
    yield ""
    yield "| " + " | ".join(f"{name}, {unit}" if unit else name for name, unit in _COLUMNS.items()) + " |"
    yield "|---" * len(_COLUMNS) + "|"
    for row in rows:
        cells = [str(Scale(messages=row.messages, pairs=row.pairs)), row.contender, *_cells(asdict(row.figures))]
        yield f"| {' | '.join(cells)} |"


def _cells(figures: Mapping[str, float | None]) -> Iterable[str]:
    for name, value in figures.items():
        if value is None:
            yield "–"
        else:
            yield f"{value:.0f}" if name.endswith("_mb") else f"{value:.2f}"


def _elsewhere(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do it in a process of its own, so that its memory is its own."""
    with ProcessPoolExecutor(max_workers=1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *args, **kwargs).result()
