"""The keyword arm: which messages hold a token, scored by BM25.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the usual k1 = 1.2, b = 0.75 and
the inverse document frequency ln(1 + (n − df + 0.5)/(df + 0.5)), which is never negative.
"""

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from echovessel.adapters.index.growing import Growing
from echovessel.memory.scoring import Column

K1 = 1.2
B = 0.75
_COUNT_BITS = 8
_MOST = (1 << _COUNT_BITS) - 1
_BYTES_A_TOKEN = 200


class Postings:
    """Rows are numbered in the order they are added. A posting packs a row (24 bits) and its count of the token (8 bits)."""

    def __init__(self) -> None:
        self._lists: dict[str, array[int]] = {}
        self._lengths: Growing[np.float32] = Growing(np.float32)
        self._total = 0

    @property
    def nbytes(self) -> int:
        """About how much memory this takes."""
        return self._lengths.nbytes + 4 * self._total + _BYTES_A_TOKEN * len(self._lists)

    def extend(self, texts: Sequence[Sequence[str]]) -> None:
        """Add the next rows, each by its tokens."""
        lists = self._lists
        for row, tokens in enumerate(texts, len(self._lengths)):
            first = row << _COUNT_BITS
            counted = Counter(tokens)
            for token, times in counted.items():
                if (held := lists.get(token)) is None:
                    held = lists[token] = array("I")
                held.append(first | min(_MOST, times))
            self._total += len(counted)
        self._lengths.extend([len(tokens) for tokens in texts])

    def score(self, terms: Mapping[str, float]) -> tuple[Column, Column]:
        """BM25 of every row, and the share of the question it covers (0…1), both of shape (n,).

        Covered in full is a question whose every term stands once in a message of average length. A term that no message
        holds counts as the rarest there is.
        """
        lengths = self._lengths.rows
        n = len(lengths)
        scores = np.zeros(n, np.float32)
        if not n:
            return scores, scores.copy()
        damping = np.float32(K1) * (np.float32(1 - B) + np.float32(B) * lengths / max(float(lengths.mean()), 1.0))
        whole = 0.0
        for token, weight in terms.items():
            packed = np.frombuffer(self._lists.get(token, b""), np.uint32)
            worth = weight * math.log(1 + (n - len(packed) + 0.5) / (len(packed) + 0.5))
            whole += worth
            rows, times = packed >> _COUNT_BITS, (packed & _MOST).astype(np.float32)
            scores[rows] += np.float32(worth * (K1 + 1)) * times / (times + damping[rows])
        return scores, np.minimum(scores / np.float32(max(whole, 1e-9)), np.float32(1))
