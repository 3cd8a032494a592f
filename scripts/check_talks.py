"""Check our evaluation talks: numbers, times, kinds, and how many questions share no word with their evidence.

`python scripts/check_talks.py [--folder FOLDER] [TALK …]`: a line for each talk and for each fault; the status is 1 when there
is one.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from echovessel.core.errors import BadInput
from echovessel.memory.question import terms
from echovessel.memory.stop_words import is_stop_word
from echovessel.runtime.recall_bench.folders import OWN
from echovessel.runtime.recall_bench.talks import Ask, Talk, read_talk, talk_names

FEWEST_MESSAGES = 220
FEWEST_QUESTIONS = 34
"""Of a talk, besides the unrelated lines."""
FEWEST = {
    "fact": 4, "several": 3, "time": 3, "update": 3, "negation": 2, "alias": 3, "pronoun": 3, "others": 3, "feelings": 2,
    "implicit": 4, "cross": 3, "unanswerable": 3, "unrelated": 20,
}  # fmt: skip
NOTHING = frozenset({"unanswerable", "unrelated"})
"""Kinds of lines where nothing should come up."""
LANGUAGES = frozenset({"zh", "en"})


def main() -> int:
    """Check the named talks, or all."""
    options = argparse.ArgumentParser(description="Check our evaluation talks.")
    options.add_argument("talks", nargs="*", help="all of the folder when none is named")
    options.add_argument("--folder", type=Path, default=OWN)
    asked = options.parse_args()
    talks: list[Talk] = []
    found = 0
    for name in asked.talks or talk_names(asked.folder):
        try:
            talk = read_talk(asked.folder, name)
        except BadInput as wrong:
            print(f"{name}: {wrong}")
            found += 1
            continue
        talks.append(talk)
        print(f"{name}: {summary([talk])}")
        for fault in faults(talk):
            found += 1
            print(f"  {fault}")
    print(f"{len(talks)} talks: {summary(talks)}")
    return 1 if found else 0


def summary(talks: list[Talk]) -> str:
    """How much there is of some talks."""
    lines = sum(ask.kind == "unrelated" for talk in talks for ask in talk.asks)
    questions = sum(len(talk.asks) for talk in talks) - lines
    wanted = [ask for talk in talks for ask in talk.asks if ask.evidence]
    apart = sum(not shared(ask, talk) for talk in talks for ask in talk.asks if ask.evidence)
    return (
        f"{sum(len(talk.lines) for talk in talks)} messages, {questions} questions and {lines} unrelated lines; "
        f"{apart} of {len(wanted)} share no word with their evidence"
    )


def shared(ask: Ask, talk: Talk) -> set[str]:
    """The telling words that a question has in common with its evidence."""
    asked = telling(ask.text)
    return {word for group in ask.evidence for number in group for word in telling(talk.lines[number - 1].text) & asked}


def telling(text: str) -> set[str]:
    """The telling words of a text: of Chinese pairs of characters, of English stems."""
    return {
        term for term in terms(text) if not is_stop_word(term) and (len(term) > 1 or not "\u3400" <= term <= "\u9fff")
    }


def faults(talk: Talk) -> Iterator[str]:
    """What is wrong with a talk and its questions, a sentence each."""
    if len(talk.lines) < FEWEST_MESSAGES:
        yield f"{len(talk.lines)} messages; at least {FEWEST_MESSAGES} are wanted"
    for earlier, later in pairwise(talk.lines):
        if later.said_at <= earlier.said_at:
            yield f"message {later.number} is not said after {earlier.number}"
    yield from _faults_of_kinds(Counter(ask.kind for ask in talk.asks))
    wanted = [ask for ask in talk.asks if ask.evidence]
    apart = sum(not shared(ask, talk) for ask in wanted)
    if 2 * apart < len(wanted):
        yield f"only {apart} of {len(wanted)} questions share no word with their evidence; at least half are wanted"
    for row, ask in enumerate(talk.asks, start=1):
        yield from (f"question {row} ({ask.kind}): {fault}" for fault in _faults_of(ask, talk))
    for text, times in Counter(ask.text for ask in talk.asks if not ask.context).items():
        if times > 1:
            yield f"{text!r} is asked {times} times"


def _faults_of_kinds(counted: Mapping[str, int]) -> Iterator[str]:
    for kind in counted.keys() - FEWEST.keys():
        yield f"no kind is called {kind!r}"
    for kind, fewest in FEWEST.items():
        if counted.get(kind, 0) < fewest:
            yield f"{counted.get(kind, 0)} of kind {kind}; at least {fewest} are wanted"
    questions = sum(counted.values()) - counted.get("unrelated", 0)
    if questions < FEWEST_QUESTIONS:
        yield f"{questions} questions besides the unrelated lines; at least {FEWEST_QUESTIONS} are wanted"


def _faults_of(ask: Ask, talk: Talk) -> Iterator[str]:
    if ask.lang not in LANGUAGES:
        yield f"{ask.lang!r} is no language of ours"
    if (ask.kind in NOTHING) != (not ask.evidence):
        yield "evidence does not go with the kind"
    if ask.kind == "several" and len(ask.evidence) < 2:
        yield "one piece of evidence is not several"
    if ask.kind == "pronoun" and not ask.context:
        yield "a pronoun needs its context"
    if ask.asked_at <= talk.lines[-1].said_at:
        yield "it is asked before the talk ended"


if __name__ == "__main__":
    sys.exit(main())
