"""Check the evaluation talks in bench/data: numbers, times, kinds, and how many questions share no word with their evidence.

`python scripts/check_talks.py [TALK …]`: prints a line for each talk and each fault; exits with 1 when there is one.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from echovessel.core.errors import BadInput
from echovessel.memory.question import terms
from echovessel.memory.stop_words import is_stop_word
from echovessel.runtime.recall_bench.talks import Ask, Talk, read_talk, talk_names

FOLDER = Path(__file__).parents[1] / "bench" / "data"
LEAST = {
    "fact": 4, "several": 3, "time": 3, "update": 3, "negation": 2, "alias": 3, "pronoun": 3, "others": 3, "feelings": 2,
    "implicit": 4, "cross": 3, "unanswerable": 3, "unrelated": 20,
}  # fmt: skip
NOTHING = frozenset({"unanswerable", "unrelated"})


def main() -> int:
    """Check the named talks, or all."""
    found = 0
    for name in sys.argv[1:] or talk_names(FOLDER):
        try:
            talk = read_talk(FOLDER, name)
        except BadInput as wrong:
            print(f"{name}: {wrong}")
            found += 1
            continue
        asked = [ask for ask in talk.asks if ask.evidence]
        apart = sum(not shared(ask, talk) for ask in asked)
        print(f"{name}: {len(talk.lines)} messages, {len(talk.asks)} questions, {apart} of {len(asked)} share no word")
        for fault in faults(talk, apart, len(asked)):
            found += 1
            print(f"  {fault}")
    return 1 if found else 0


def shared(ask: Ask, talk: Talk) -> set[str]:
    """The content words (of Chinese: pairs of characters) that a question has in common with its evidence."""
    words = {number: content(line.text) for number, line in enumerate(talk.lines, start=1)}
    asked = content(ask.text)
    return {word for group in ask.evidence for number in group for word in words[number] & asked}


def content(text: str) -> set[str]:
    """The telling words of a text; single Chinese characters are no words."""
    return {
        term for term in terms(text) if not is_stop_word(term) and (len(term) > 1 or not "\u3400" <= term <= "\u9fff")
    }


def faults(talk: Talk, apart: int, asked: int) -> Iterator[str]:
    """What is wrong with a talk and its questions, a sentence each."""
    yield from _faults_of_lines(talk)
    yield from _faults_of_numbers(talk)
    if 2 * apart < asked:
        yield f"only {apart} of {asked} questions share no word with their evidence; at least half are wanted"
    for row, ask in enumerate(talk.asks, start=1):
        yield from (f"question {row} ({ask.kind}): {fault}" for fault in _faults_of(ask, talk))


def _faults_of_lines(talk: Talk) -> Iterator[str]:
    if len(talk.lines) < 220:
        yield f"{len(talk.lines)} messages; at least 220 are wanted"
    for earlier, later in pairwise(talk.lines):
        if later.said_at <= earlier.said_at:
            yield f"message {later.number} is not said after {earlier.number}"


def _faults_of_numbers(talk: Talk) -> Iterator[str]:
    counted = Counter(ask.kind for ask in talk.asks)
    for kind in counted.keys() - LEAST.keys():
        yield f"no kind is called {kind!r}"
    for kind, least in LEAST.items():
        if counted[kind] < least:
            yield f"{counted[kind]} of kind {kind}; at least {least} are wanted"
    if sum(counted.values()) - counted["unrelated"] < 34:
        yield "fewer than 34 questions besides the unrelated lines"


def _faults_of(ask: Ask, talk: Talk) -> Iterator[str]:
    if ask.lang not in {"zh", "en"}:
        yield f"{ask.lang!r} is no language of ours"
    if (ask.kind in NOTHING) != (not ask.evidence):
        yield "evidence does not go with the kind"
    if ask.kind == "pronoun" and not ask.context:
        yield "a pronoun needs its context"
    if any(not 1 <= number <= len(talk.lines) for group in ask.evidence for number in group):
        yield "its evidence names a message that is not there"
    if talk.lines and ask.asked_at <= talk.lines[-1].said_at:
        yield "it is asked before the talk ended"


if __name__ == "__main__":
    sys.exit(main())
