"""Whether a question sounds like one about the two who talk, or like one that anyone could put to anybody.

There are no rules for it: lines of both kinds were written (`data/asked.tsv`), and a question is compared with all of them.
What it is nearer to is the ratio of two densities on the sphere, each estimated from the lines of one kind. Source: Hall,
Watson and Cabrera, "Kernel density estimation with spherical data", Biometrika 74 (1987).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from echovessel.ports.embedder import Vectors

NARROW = 12.6
"""How fast a line's say fades as its calibrated similarity falls: by a factor e for each 1 / NARROW."""
_STEPS = 127


@dataclass(frozen=True)
class Manner:
    """Centred unit query vectors of the lines of both kinds, shapes (n, dimension) and (m, dimension)."""

    ours: Vectors
    anyone: Vectors

    @staticmethod
    def of(kept: Mapping[str, NDArray[Any]]) -> "Manner":
        """From what `arrays` gave. Raises KeyError or ValueError when it is none of ours."""
        ours, anyone = (_units(kept[kind], kept[f"{kind}_scale"]) for kind in ("ours", "anyone"))
        if ours.ndim != 2 or anyone.ndim != 2 or ours.shape[1] != anyone.shape[1]:
            raise ValueError("the lines of both kinds are not vectors of one length")
        return Manner(ours, anyone)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """To be kept: 8-bit steps with one scale for each kind."""
        kept: dict[str, NDArray[Any]] = {}
        for kind, units in (("ours", self.ours), ("anyone", self.anyone)):
            scale = max(float(np.abs(units).max(initial=0)), 1e-9) / _STEPS
            kept[kind] = np.rint(units / np.float32(scale)).astype(np.int8)
            kept[f"{kind}_scale"] = np.array(scale, np.float32)
        return kept

    def personal(self, units: Vectors, *, lo: float, hi: float) -> Vectors:
        """ln(density among `ours` / density among `anyone`) for each row of `units`, shape (len(units),).

        `lo`, `hi`: the cosines that count as similarity 0 and 1. 0 for a vector of zeros, which sounds like nothing.
        """
        width = np.float32(NARROW / (hi - lo))
        told = _log_mean_exp(units @ self.ours.T * width) - _log_mean_exp(units @ self.anyone.T * width)
        return np.where(units.any(axis=1), told, np.float32(0)).astype(np.float32)


def _units(steps: NDArray[Any], scale: NDArray[Any]) -> Vectors:
    return np.asarray(steps, np.float32) * np.float32(scale)


def _log_mean_exp(values: Vectors) -> Vectors:
    highest = values.max(axis=1, keepdims=True)
    return highest[:, 0] + np.log(np.exp(values - highest).mean(axis=1))
