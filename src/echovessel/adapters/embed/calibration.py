"""What makes cosines of one embedder comparable: each language's mean passage vector, and where unrelated pairs end.

A multilingual model keeps its languages apart: raw vectors of one language lie in a cone of their own, so that any two Chinese
lines are nearer to each other than to the same thing said in English. With the mean of its language subtracted, a line
stands where its meaning does. `data/lines.tsv` holds the lines this was measured on, `scripts/calibrate_embedders.py` measures.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from echovessel.core.text import Script, has_tokens, script
from echovessel.ports.embedder import Vectors

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Calibration:
    """`zh`, `en`: mean passage vectors. `lo`, `hi`: the cosines that count as similarity 0 and 1."""

    zh: Vectors
    en: Vectors
    lo: float
    hi: float

    @staticmethod
    def load(name: str) -> "Calibration":
        """The stored calibration of the engine in package `name`."""
        with np.load(DATA / f"{name}.npz", allow_pickle=False) as kept:
            return Calibration(kept["zh"], kept["en"], float(kept["lo"]), float(kept["hi"]))

    def save(self, name: str) -> None:
        """Replace the stored calibration."""
        np.savez(DATA / f"{name}.npz", zh=self.zh, en=self.en, lo=self.lo, hi=self.hi)

    def centre(self, vectors: Vectors, texts: list[str]) -> Vectors:
        """Unit vectors, each with its language's mean subtracted; a text without a token, and a vector of zeros, stay zero."""
        centred = vectors - np.stack([self._mean(text) for text in texts]) if texts else vectors
        lengths = np.linalg.norm(centred, axis=1, keepdims=True)
        said = np.array([[has_tokens(text)] for text in texts], dtype=np.bool_).reshape(-1, 1)
        said &= vectors.any(axis=1, keepdims=True)
        return np.where(said & (lengths > 0), centred / np.maximum(lengths, np.float32(1e-9)), np.float32(0))

    def relevance(self, cosines: Vectors) -> Vectors:
        """Calibrated similarity."""
        return np.clip((cosines - np.float32(self.lo)) / np.float32(self.hi - self.lo), 0, 1)

    def _mean(self, text: str) -> Vectors:
        match script(text):
            case Script.HAN:
                return self.zh
            case Script.LATIN:
                return self.en
            case _:
                return (self.zh + self.en) / np.float32(2)
