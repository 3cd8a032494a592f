"""Time expressions in Chinese and English: which stretch of time each one in a text means, seen from when it was said.

fold → find the parts by rule → join neighbours to expressions → read each from its widest part to its narrowest → join ranges

`docs/reference/times.md` tells what is understood, and what an ambiguous one is taken for.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from echovessel.core.han import SIMPLIFIED, TRADITIONAL
from echovessel.memory import time_digits, time_en_rules, time_zh_rules
from echovessel.memory.time_lean import lean_at
from echovessel.memory.time_rules import Rule
from echovessel.memory.time_span import Precision, Rank, Scope, Span

MAX_TEXT = 2_000
"""Only the first so many characters are read: nobody dates what he says beyond them."""
MAX_PARTS = 60
"""So many parts of expressions are read at most: who says more has pasted a table."""

_WIDE = "".join(chr(code) for code in range(0xFF01, 0xFF5F)) + "\u3000’‘"
_NARROW = "".join(chr(code) for code in range(0x21, 0x7F)) + " ''"
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FOLD = str.maketrans(TRADITIONAL + _WIDE + _UPPER, SIMPLIFIED + _NARROW.lower() + _UPPER.lower())

_WORD = re.compile("[a-z]+")
_DIGITS = re.compile("[0-9](?:[0-9]{3})?")
_GLUE = re.compile(r"(?:'s)?[\s,]*(?:[的在]|(?:of|in|on|at)\b)?\s*(?:the )?")
_RANGE = re.compile(r"\s*(?:[-–—~至到]|to|until|till|through)\s*(?:the )?")
_BETWEEN = re.compile(r"\s*(?:and|和|与|跟)\s*")
_OPENS_BETWEEN = re.compile(r"\bbetween (?:the )?$|在$|从$")
_SLACK_DAYS = 62


@dataclass(frozen=True, slots=True)
class Mention:
    """An expression at `text[start:end]`: it means the time from `since` until before `until`, in the zone of the speaker."""

    start: int
    end: int
    since: datetime
    until: datetime
    precision: Precision


@dataclass(frozen=True, slots=True)
class _Part:
    """Where a rule matched."""

    found: re.Match[str]
    rule: Rule

    @property
    def start(self) -> int:
        return self.found.start()

    @property
    def end(self) -> int:
        return self.found.end()


@dataclass(frozen=True, slots=True)
class _Expression:
    """Parts that stand together, one or more, in the order of the text, and what they are read against.

    `span` is what they mean, None when that is nothing yet.
    """

    parts: Sequence[_Part]
    scope: Scope
    span: Span | None

    @property
    def says_something(self) -> bool:
        return self.span is not None and (len(self.parts) > 1 or not self.parts[0].rule.weak)


def find(text: str, said_at: datetime) -> tuple[Mention, ...]:
    """The time expressions of a text, in its order.

    `said_at` is aware: relative ones are counted in its zone. Raises `ValueError` when it is not.
    """
    if said_at.tzinfo is None:
        raise ValueError("said_at has no zone: give an aware time, such as clock.now() in the zone of who speaks.")
    folded = _fold(text[:MAX_TEXT])
    parts = list(islice(_parts(folded, _rules_for(folded)), MAX_PARTS))
    if not parts:
        return ()
    now = said_at.replace(tzinfo=None)
    expressions = [e for e in _expressions(parts, folded, now) if e.says_something]
    return tuple(_mention(said, said_at) for said in _ranges(expressions, folded))


def _fold(text: str) -> str:
    """`text` in lower case, half width and simplified characters, each in its place."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


def _rules_for(folded: str) -> list[Rule]:
    """The rules that may find anything; none for most of what people say."""
    held = set(_WORD.findall(folded))
    rules: list[Rule] = []
    if digits := {len(found) for found in _DIGITS.findall(folded)}:
        held.update("#" * length for length in (1, *digits))
        if time_digits.LIKELY.search(folded):
            rules += time_digits.RULES
    if not folded.isascii():
        rules += time_zh_rules.RULES.likely(set(folded))
    return rules + time_en_rules.RULES.likely(held)


def _parts(folded: str, rules: Sequence[Rule]) -> Iterator[_Part]:
    """All matches without overlaps: the one that begins first is kept, of several the longest, then that of the first rule."""
    found = [_Part(match, rule) for rule in rules for match in rule.matches(folded)]
    free_from = 0
    for part in sorted(found, key=lambda part: (part.start, -part.end)):
        if part.start >= free_from:
            free_from = part.end
            yield part


def _expressions(parts: Sequence[_Part], folded: str, now: datetime) -> list[_Expression]:
    made: list[_Expression] = []
    for part in parts:
        scope = Scope(now, lean_at(folded, part.start))
        alone = _Expression((part,), scope, _read((part,), scope))
        before = made[-1] if made else None
        if before is not None and _GLUE.fullmatch(folded, before.parts[-1].end, part.start):
            joined = _join(before, part)
            if joined.span is not None or (before.span is None and alone.span is None):
                made[-1] = joined
                continue
        made.append(alone)
    return made


def _join(before: _Expression, part: _Part) -> _Expression:
    parts = (*before.parts, part)
    ranks = {p.rule.rank for p in parts}
    return _Expression(parts, before.scope, _read(parts, before.scope) if len(ranks) == len(parts) else None)


def _read(parts: Sequence[_Part], scope: Scope) -> Span | None:
    """What the parts mean together, read from the widest to the narrowest; None when one does not fit into the others."""
    span: Span | None = None
    for part in sorted(parts, key=lambda part: part.rule.rank, reverse=True):
        narrower = _read_one(part, replace(scope, within=span))
        beside = part.rule.rank is Rank.BESIDE
        if narrower is None or (span is not None and not beside and not _lies_in(narrower, span)):
            return None
        span = narrower
    return span


def _read_one(part: _Part, scope: Scope) -> Span | None:
    try:
        return part.rule.read(part.found, scope)
    except (ValueError, OverflowError):  # a day that the calendar does not have, or a year beyond it
        return None


def _lies_in(span: Span, within: Span) -> bool:
    """Whether one begins in the other: with two months of slack at the end, where a Chinese year goes on."""
    return within.since <= span.since and (span.since - within.until).days < _SLACK_DAYS


# ---------------------------------------------------------------- ranges


def _ranges(expressions: Sequence[_Expression], folded: str) -> Iterator[tuple[int, int, Span]]:
    """Start, end and span of each expression, where "from March to May" is one."""
    index = 0
    while index < len(expressions):
        first = expressions[index]
        second = expressions[index + 1] if index + 1 < len(expressions) else None
        span = _range(first, second, folded) if second is not None else None
        if second is not None and span is not None:
            yield first.parts[0].start, second.parts[-1].end, span
            index += 2
            continue
        if first.span is not None:
            yield first.parts[0].start, first.parts[-1].end, first.span
        index += 1


def _range(first: _Expression, second: _Expression, folded: str) -> Span | None:
    begin, end = first.parts[-1].end, second.parts[0].start
    between = _BETWEEN.fullmatch(folded, begin, end) and _OPENS_BETWEEN.search(folded, 0, first.parts[0].start)
    if not between and not _RANGE.fullmatch(folded, begin, end):
        return None
    earlier, later = _read(_completed(first, second), first.scope), _read(_completed(second, first), first.scope)
    if earlier is None or later is None or earlier.since >= later.until:
        return None
    return Span(earlier.since, max(earlier.until, later.until), Precision.SPAN)


def _completed(expression: _Expression, other: _Expression) -> tuple[_Part, ...]:
    """The parts of one end of a range, with the wider ones that only the other end names."""
    widest = max(part.rule.rank for part in expression.parts)
    return (*(part for part in other.parts if part.rule.rank > widest), *expression.parts)


def _mention(said: tuple[int, int, Span], said_at: datetime) -> Mention:
    start, end, span = said
    zone = said_at.tzinfo
    return Mention(start, end, span.since.replace(tzinfo=zone), span.until.replace(tzinfo=zone), span.precision)
