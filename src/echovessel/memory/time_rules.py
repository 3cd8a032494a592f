"""What a rule for a part of a date is, and which rules of a book may find anything in a text: for most texts, none."""

import re
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cache

from echovessel.memory.time_span import Rank, Scope, Span

Read = Callable[[re.Match[str], Scope], Span | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A part of a date: where it stands, how wide it is, how it is read.

    `needs`: it finds nothing in a text without any of these (characters in Chinese, words in English, # for a digit, #### for
    four). One that is `weak` says nothing by itself.
    """

    source: str
    rank: Rank
    read: Read
    needs: frozenset[str]
    weak: bool = False

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Where it stands in a text."""
        return _compiled(self.source).finditer(text)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)  # when first needed: all of them together take a tenth of a second


class RuleBook:
    """Rules, and which of them are worth a look."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._by_need: dict[str, set[int]] = {}
        for place, rule in enumerate(self.rules):
            for need in rule.needs:
                self._by_need.setdefault(need, set()).add(place)

    def likely(self, held: Set[str]) -> list[Rule]:
        """The rules, in their order, that a text may meet which holds these characters, words, or #."""
        hits = self._by_need.keys() & held
        if not hits:
            return []
        return [self.rules[place] for place in sorted({place for hit in hits for place in self._by_need[hit]})]
