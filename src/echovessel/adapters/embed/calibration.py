"""What makes cosines of one embedder comparable: each language's mean passage vector, and where unrelated pairs end.

A multilingual model keeps its languages apart: raw vectors of one language lie in a cone of their own, so that any two Chinese
lines are nearer to each other than to the same thing said in English. With the mean of its language subtracted, a line
stands where its meaning does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from echovessel.adapters.embed.manner import Manner
from echovessel.core.language import Language, language
from echovessel.core.text import has_tokens
from echovessel.ports.embedder import Vectors


@dataclass(frozen=True)
class Calibration:
    """`means`: a mean passage vector for each language. `lo`, `hi`: the cosines that count as similarity 0 and 1.

    `manner`: what questions about the two who talk sound like.
    """

    means: Mapping[Language, Vectors]
    lo: float
    hi: float
    manner: Manner

    @staticmethod
    def load(file: Path) -> "Calibration":
        """What `save` wrote. Raises OSError, KeyError or ValueError when the file is not there, or is none of ours."""
        with np.load(file, allow_pickle=False) as kept:
            return Calibration.of(kept)

    @staticmethod
    def of(kept: Mapping[str, NDArray[Any]]) -> "Calibration":
        """From the arrays of such a file. Raises KeyError or ValueError when they are none of ours."""
        means = {each: np.asarray(kept[each], np.float32) for each in Language if each in kept}
        if not means or len({mean.shape for mean in means.values()}) > 1:
            raise ValueError("there are no means of one length in it")
        return Calibration(means, float(kept["lo"]), float(kept["hi"]), Manner.of(kept))

    def save(self, file: Path) -> None:
        """Replace the file."""
        np.savez(file, allow_pickle=False, **self.arrays())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What `of` reads."""
        numbers = {"lo": np.array(self.lo), "hi": np.array(self.hi)}
        return {**numbers, **self.manner.arrays(), **{str(each): mean for each, mean in self.means.items()}}

    @property
    def dimension(self) -> int:
        """Length of the vectors it is for."""
        return self._rows.shape[1]

    def centre(self, vectors: Vectors, texts: Sequence[str]) -> Vectors:
        """Unit vectors, each with its language's mean subtracted; a text without a token, and a vector of zeros, stay zero."""
        if not len(texts):
            return vectors
        centred = vectors - self._rows[[self._row_of[language(text)] for text in texts]]
        lengths = np.linalg.norm(centred, axis=1, keepdims=True)
        said = np.array([[has_tokens(text)] for text in texts], dtype=np.bool_)
        said &= vectors.any(axis=1, keepdims=True)
        return np.where(said & (lengths > 0), centred / np.maximum(lengths, np.float32(1e-9)), np.float32(0))

    def relevance(self, cosines: Vectors) -> Vectors:
        """Calibrated similarity."""
        return np.clip((cosines - np.float32(self.lo)) / np.float32(self.hi - self.lo), 0, 1)

    def personal(self, units: Vectors) -> Vectors:
        """See `ports.embedder.Embedder.personal`."""
        return self.manner.personal(units, lo=self.lo, hi=self.hi)

    @cached_property
    def _rows(self) -> Vectors:
        """The means, and last the mean of these: for a text in a language that has none of its own."""
        means = np.stack(list(self.means.values())).astype(np.float32)
        return np.concatenate([means, means.mean(axis=0, keepdims=True)])

    @cached_property
    def _row_of(self) -> Mapping[Language | None, int]:
        own: dict[Language | None, int] = {each: row for row, each in enumerate(self.means)}
        return {each: own.get(each, len(own)) for each in (*Language, None)}
