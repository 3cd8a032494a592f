"""Knowing that it does not know: how often something comes to mind where nothing should, and nothing where something should."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from echovessel.runtime.recall_bench.resampling import Figure, Resampling, Values

FOREIGN_QUESTION = "question of another talk"
FOREIGN_LINE = "line of another talk"


@dataclass(frozen=True, slots=True)
class Met:
    """One line that was put to a talk's memory, and whether anything came to mind."""

    talk: str
    kind: str
    expected: bool
    came: bool


@dataclass(frozen=True, slots=True)
class Restraint:
    """`false`: of the lines where nothing should come to mind, by kind, the share where something did. `missed`: of the
    questions with evidence, the share that was met with nothing."""

    false: Mapping[str, Figure]
    missed: Figure | None


def restraint(met: Sequence[Met]) -> Restraint:
    """Both shares."""
    draws = Resampling([each.talk for each in met])
    came = np.array([each.came for each in met], np.float64)
    expected = np.array([each.expected for each in met], np.float64)
    kinds = sorted({each.kind for each in met if not each.expected})
    false = {
        kind: figure for kind in kinds if (figure := draws.share(came * (of := _of_kind(met, kind)), of)) is not None
    }
    return Restraint(false, draws.share((1 - came) * expected, expected))


def _of_kind(met: Sequence[Met], kind: str) -> Values:
    return np.array([each.kind == kind and not each.expected for each in met], np.float64)
