"""Knowing that one does not know: whether anything that was said bears on a question at all.

    evidence = personal + named + of_self + similarity + words + length − size − doubt        each times its weight
    certainty = 1 / (1 + e^−evidence)                                   at ½ and above, something comes to mind

A logistic model of seven signs, fitted to questions that had an answer among what was said and to lines that had none.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

MIN_COVERAGE = 0.3
"""The share of a question's terms, by weight, that a message must hold when words are all there is to go by."""
_FULL_FROM = 0.6
"""The coverage from which on it speaks for a message by itself."""
_USUAL_SIZE = 250
"""Messages of the talks that the model was fitted to; fewer count as so many."""
_MOST_EVIDENCE = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What a question and what was said show, taken together.

    `personal`: how much the question sounds like one about the two who talk, a log ratio; below 0, anyone could ask it.
    `named`: whether it tells of one of the two by name. `of_self`: whether someone asks about themselves.
    `similarity`: the highest calibrated similarity of a message, 0…1. `coverage`: the largest share of the question's terms
    that a message holds, 0…1. `length`: of the question, in estimated tokens. `size`: how many messages there are. `heard`:
    whether meanings could be compared; else only words are.
    """

    personal: float
    named: bool
    of_self: bool
    similarity: float
    coverage: float
    length: int
    size: int
    heard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowing:
    """What each sign counts.

    `size`: the best of many unrelated messages is nearer than the best of few, by about the logarithm of their number.
    """

    personal: float = 3.5
    named: float = 6.0
    of_self: float = 2.5
    similarity: float = 14.0
    words: float = 4.0
    length: float = 1.5
    size: float = 0.5
    doubt: float = 12.5


@dataclass(frozen=True, slots=True)
class Verdict:
    """`comes`: whether anything may come to mind. `certainty`: that something bears on the question, 0…1. `evidence`: what each
    sign added, by name."""

    comes: bool
    certainty: float
    evidence: Mapping[str, float]


def judge(signs: Signs, weights: Knowing | None = None) -> Verdict:
    """Whether something that was said bears on the question."""
    if not signs.size:
        return Verdict(False, 0.0, {})
    if not signs.heard:
        return Verdict(signs.coverage >= MIN_COVERAGE, signs.coverage, {"words": signs.coverage})
    weights = weights or Knowing()
    evidence = {
        "personal": weights.personal * signs.personal,
        "named": weights.named * signs.named,
        "of_self": weights.of_self * signs.of_self,
        "similarity": weights.similarity * signs.similarity,
        "words": weights.words * max(0.0, signs.coverage - _FULL_FROM) / (1 - _FULL_FROM),
        "length": weights.length * math.log1p(signs.length),
        "size": -weights.size * math.log(max(signs.size, _USUAL_SIZE) / _USUAL_SIZE),
        "doubt": -weights.doubt,
    }
    whole = max(-_MOST_EVIDENCE, min(_MOST_EVIDENCE, sum(evidence.values())))
    certainty = 1 / (1 + math.exp(-whole))
    return Verdict(certainty >= 0.5, certainty, evidence)
