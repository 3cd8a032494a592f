"""Dates in digits, which need no language: 2023-05-08, 2023/5/8, 2023.5.8, 2023-05, 5/8/2023, and 5/8 where that is a date.

With slashes and no year first, the month comes before the day, unless the first number can be no month.
"""

import re

from echovessel.memory.time_rules import Rule
from echovessel.memory.time_span import Rank, Scope, Span, dates, month, of_year

LIKELY = re.compile(r"\d[-/.]\d")
"""A text without this holds no date in digits."""

_BEFORE = 10
"""So many characters before a date say whether it is one."""
_DATE_BEFORE = re.compile(r"(?:\b(?:on|by|since|until|before|after|from|dated?) |[\u3400-\u9fff][ (]?)$")
_HAN_AFTER = re.compile(r" ?[\u3400-\u9fff]")


def _day(found: re.Match[str], _: Scope) -> Span | None:
    return dates(int(found["year"]), int(found["month"]), int(found["day"]), int(found["day"]))


def _month(found: re.Match[str], _: Scope) -> Span:
    return month(int(found["year"]), int(found["month"]))


def _slashed(found: re.Match[str], _: Scope) -> Span | None:
    year = int(found["year"])
    return _either_order(year + 2000 if year < 100 else year, int(found["first"]), int(found["second"]))


def _short(found: re.Match[str], scope: Scope) -> Span | None:
    said_before = _DATE_BEFORE.search(found.string, max(0, found.start() - _BEFORE), found.start())
    is_date = said_before or _HAN_AFTER.match(found.string, found.end())
    if not is_date and scope.within is None:
        return None
    return of_year(scope, lambda year: _either_order(year, int(found["first"]), int(found["second"])))


def _either_order(year: int, first: int, second: int) -> Span | None:
    for number, day in ((first, second), (second, first)):
        if 1 <= number <= 12 and (span := dates(year, number, day, day)):
            return span
    return None


_DIGITS = frozenset("#")
RULES = (
    Rule(
        r"(?<![\d.])(?P<year>(?:19|20)\d\d)([-/.])(?P<month>0?[1-9]|1[0-2])\2(?P<day>0?[1-9]|[12]\d|3[01])(?!\d)",
        Rank.DAY,
        _day,
        _DIGITS,
    ),
    Rule(r"(?<![\d.])(?P<year>(?:19|20)\d\d)[-/](?P<month>0[1-9]|1[0-2])(?![-/.\d])", Rank.MONTH, _month, _DIGITS),
    Rule(
        r"(?<![\d/])(?P<first>\d{1,2})/(?P<second>\d{1,2})/(?P<year>(?:20|19)?\d\d)(?![\d/])",
        Rank.DAY,
        _slashed,
        _DIGITS,
    ),
    Rule(r"(?<![\d/.])(?P<first>\d{1,2})/(?P<second>\d{1,2})(?![\d/.%])", Rank.DAY, _short, _DIGITS),
)
