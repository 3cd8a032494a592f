"""The keyword arm: which messages hold a token, scored by BM25.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with k1 = 0.9, b = 0.4
(messages are short, and a long one is little worse for it), and the inverse document frequency
ln(1 + (n − df + 0.5)/(df + 0.5)), which is never negative.
"""

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from echovessel.adapters.index.growing import Growing
from echovessel.memory.scoring import Column, Mask, Rows, to_best

K1 = 0.9
B = 0.4
TELLING = 1.5
"""So many of the rarest words make a row count in full."""
MOST_TERMS = 256
_ROW_BITS = 24
_LAST_ROW = (1 << _ROW_BITS) - 1
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
        """Add the next rows, each by its tokens; a thousand at once take a fifth of the time of a thousand alone."""
        lengths = [len(tokens) for tokens in texts]
        first = len(self._lengths)
        row_of = np.repeat(np.arange(first, first + len(texts), dtype=np.int64), lengths)
        said = list(chain.from_iterable(texts))
        numbers = {token: number for number, token in enumerate(dict.fromkeys(said))}
        number_of = np.fromiter(map(numbers.__getitem__, said), np.int64, len(said))
        # Sorted by token and then by row, so that each token's list grows once.
        places, times = np.unique(number_of << _ROW_BITS | row_of, return_counts=True)
        packed = ((places & _LAST_ROW) << _COUNT_BITS | np.minimum(times, _MOST)).astype(np.uint32)
        ends = np.searchsorted(places, np.arange(1, len(numbers) + 1) << _ROW_BITS).tolist()
        begin = 0
        for token, end in zip(numbers, ends, strict=True):
            if (held := self._lists.get(token)) is None:
                held = self._lists[token] = array("I")
            held.frombytes(packed[begin:end].tobytes())
            begin = end
        self._total += len(places)
        self._lengths.extend(lengths)

    def score(self, terms: Mapping[str, float], also: Mapping[str, float] | None = None) -> tuple[Column, Column]:
        """BM25 of every row against the best, and the share of the question it covers, both 0…1 and of shape (n,).

        Where not even the best row holds `TELLING` terms as rare as can be, it counts as less than 1: of a question whose
        words nobody used, what is left are the commonest. Covered in full is a question whose every term stands once in a
        message of average length. A term that no message holds counts as the rarest there is. Terms to look for `also` count
        where they are found, and are not missed where they are not.
        """
        lengths = self._lengths.rows
        n = len(lengths)
        scores = np.zeros(n, np.float32)
        if not n:
            return scores, scores.copy()
        damping = np.float32(K1) * (np.float32(1 - B) + np.float32(B) * lengths / max(float(lengths.mean()), 1.0))
        whole = self._add(scores, damping, terms)
        self._add(scores, damping, also or {})
        covered = np.minimum(scores / np.float32(max(whole, 1e-9)), np.float32(1))
        return to_best(scores, TELLING * _rarity(0, n)), covered

    def holding(self, terms: Iterable[str], rows: Rows) -> Mask:
        """Which of some rows hold every one of the terms."""
        held = np.ones(len(rows), np.bool_)
        first = rows.astype(np.uint32) << _COUNT_BITS
        for token in terms:
            packed = self._packed(token)
            if not len(packed):
                return np.zeros(len(rows), np.bool_)
            places = np.minimum(np.searchsorted(packed, first), len(packed) - 1)
            held &= packed[places] >> _COUNT_BITS == rows
        return held

    def _add(self, scores: Column, damping: Column, terms: Mapping[str, float]) -> float:
        """Add what the terms give each row; answers what they are worth together."""
        whole = 0.0
        for packed, worth in self._most_telling(terms):
            whole += worth
            rows, times = packed >> _COUNT_BITS, (packed & _MOST).astype(np.float32)
            scores[rows] += np.float32(worth * (K1 + 1)) * times / (times + damping[rows])
        return whole

    def _most_telling(self, terms: Mapping[str, float]) -> list[tuple[NDArray[np.uint32], float]]:
        """The postings of each term with what it is worth, of a very long question only the `MOST_TERMS` that tell most."""
        n = len(self._lengths)
        found = [(packed := self._packed(token), weight * _rarity(len(packed), n)) for token, weight in terms.items()]
        if len(found) > MOST_TERMS:
            found.sort(key=lambda each: each[1], reverse=True)
        return found[:MOST_TERMS]

    def _packed(self, token: str) -> NDArray[np.uint32]:
        return np.frombuffer(self._lists.get(token, b""), np.uint32)


def _rarity(holding: int, rows: int) -> float:
    """The inverse document frequency."""
    return math.log(1 + (rows - holding + 0.5) / (holding + 0.5))
