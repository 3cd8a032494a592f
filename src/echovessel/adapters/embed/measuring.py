"""Calibrate an embedder on the lines in `data/lines.tsv` and `data/asked.tsv`, which every embedder is given."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.manner import Manner
from echovessel.core.language import Language
from echovessel.ports.embedder import Vectors

DATA = Path(__file__).parent / "data"
MIN_SIMILARITY = 0.4
"""The similarity that unrelated lines do not reach."""
UNRELATED = 99.0
"""Percent of the pairs of unrelated lines that stay below `MIN_SIMILARITY`."""
ASKED = (Language.ZH, Language.EN)
"""The languages with enough lines to say where unrelated ones end; theirs are embedded as questions too."""


@cache
def lines() -> Mapping[Language, tuple[str, ...]]:
    """The lines by language; those at the same place say the same thing."""
    head, *told = _rows("lines.tsv")
    return {Language(name): tuple(row[i] for row in told if i < len(row)) for i, name in enumerate(head)}


@cache
def asked_lines() -> Mapping[str, tuple[str, ...]]:
    """What people say to a companion in the languages of `ASKED`, by its kind: `ours` and `anyone`."""
    _, *told = _rows("asked.tsv")
    return {kind: tuple(text for row in told if row[0] == kind for text in row[1:]) for kind in ("ours", "anyone")}


def _rows(file: str) -> list[list[str]]:
    rows = (DATA / file).read_text(encoding="utf-8").splitlines()
    return [row.split("\t") for row in rows if not row.startswith("#")]


def calibrate(
    passages: Mapping[Language, Vectors], queries: Mapping[Language, Vectors], asked: Mapping[str, Vectors]
) -> Calibration:
    """From the raw vectors of `lines`, all as passages and those of `ASKED` as queries too, and of `asked_lines` as queries.

    `lo`: 0, where centred vectors of unrelated lines meet on average. `hi`: so that `MIN_SIMILARITY` sits above `UNRELATED` %
    of the pairs of a line as a question and another line as a passage, whichever of `ASKED` they are in. A model that hardly
    tells lines apart would need more than the cosine of a line with itself: then `hi` is that, 1, and `lo` rises instead.
    """
    means = {each: vectors.mean(axis=0) for each, vectors in passages.items()}
    said = [_unit(passages[each] - means[each]) for each in ASKED]
    questions = [_unit(queries[each] - means[each]) for each in ASKED]
    nearest = max(_highest(ours, theirs) for ours in questions for theirs in said)
    lo = max(0.0, (nearest - MIN_SIMILARITY) / (1 - MIN_SIMILARITY))
    calibration = Calibration(means, lo, min(1.0, nearest / MIN_SIMILARITY), Manner(**asked))
    centred = {kind: calibration.centre(vectors, asked_lines()[kind]) for kind, vectors in asked.items()}
    return replace(calibration, manner=Manner(**centred))


def _highest(asked: Vectors, said: Vectors) -> float:
    """The cosine that `UNRELATED` % of the pairs of different lines stay below."""
    cosines = asked @ said.T
    return float(np.percentile(cosines[~np.eye(*cosines.shape, dtype=np.bool_)], UNRELATED))


def _unit(vectors: Vectors) -> Vectors:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9))
