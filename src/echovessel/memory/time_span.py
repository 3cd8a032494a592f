"""Spans of time, and what a rule is handed to make one: pure calendar arithmetic in local time.

A span is half open and carries no zone: `time_expr` adds that of the one who speaks. Weeks begin on Monday. Seasons are the
meteorological ones of the northern hemisphere (spring: March to May); the winter of a year begins in its December.
A night lasts until six in the morning.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import IntEnum, StrEnum

DAY = timedelta(days=1)
SATURDAY = 5
SOON = 62 * DAY
"""What begins within this time may be a plan also where the tense is past."""


class Precision(StrEnum):
    """What one would call the span; `SPAN` is any other stretch of time."""

    MOMENT = "moment"
    PART = "part of day"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    SPAN = "span"


class Lean(IntEnum):
    """Where a text looks: to what was, more to what was, to what will be, or it does not say."""

    MAYBE_PAST = -2
    PAST = -1
    NONE = 0
    FUTURE = 1


LOOKS_BACK = frozenset({Lean.PAST, Lean.MAYBE_PAST})


class Rank(IntEnum):
    """How wide a part of a date is: within an expression, the wider parts are read first. What stands beside the rest (the
    day before Christmas) is read last."""

    BESIDE = 0
    CLOCK = 1
    PART = 2
    DAY = 3
    WEEK = 4
    PHASE = 5
    MONTH = 6
    SEASON = 7
    YEAR = 8


@dataclass(frozen=True, slots=True)
class Span:
    """From `since` until before `until`, local time."""

    since: datetime
    until: datetime
    precision: Precision


@dataclass(frozen=True, slots=True)
class Scope:
    """What a part of an expression is read against: when it was said, where the text looks, and the wider part, if any."""

    now: datetime
    lean: Lean
    within: Span | None = None

    @property
    def today(self) -> date:
        """The day on which it was said."""
        return self.now.date()


# ---------------------------------------------------------------- spans by name


def days(first: date, count: int = 1, precision: Precision = Precision.DAY) -> Span:
    """`count` days from `first` on."""
    since = datetime.combine(first, time.min)
    return Span(since, since + count * DAY, precision)


def dates(of_year: int, of_month: int, first: int, last: int) -> Span | None:
    """From one day of a month to another, both included; None when the month has no such days."""
    if not 1 <= first <= last <= (month(of_year, of_month).until - DAY).day:
        return None
    precision = Precision.DAY if first == last else Precision.SPAN
    return days(date(of_year, of_month, first), last - first + 1, precision)


def from_to(first: date, last: date, precision: Precision = Precision.SPAN) -> Span:
    """From one day to another, both included."""
    return days(first, (last - first).days + 1, precision)


def week(around: date, offset: int = 0) -> Span:
    """The week of a day, or one before or after it."""
    return days(weekday(around, 0, offset), 7, Precision.WEEK)


def weekend(around: date, offset: int = 0) -> Span:
    """Saturday and Sunday of that week."""
    return days(weekday(around, SATURDAY, offset), 2, Precision.SPAN)


def weekday(around: date, number: int, offset: int = 0) -> date:
    """A day of the week (0 is Monday) in the week of `around`, or `offset` weeks from it."""
    return around + timedelta(days=number - around.weekday() + 7 * offset)


def month(year: int, number: int) -> Span:
    """A month; a number beyond 1…12 counts on into the years beside."""
    return _months(year, number, 1, Precision.MONTH)


def season(year: int, number: int) -> Span:
    """0 is spring, 3 the winter that begins in December of that year."""
    return _months(year, 3 + 3 * number, 3, Precision.SEASON)


def year(number: int) -> Span:
    """A calendar year."""
    return years(number, 1, Precision.YEAR)


def years(first: int, count: int, precision: Precision = Precision.SPAN) -> Span:
    """So many years from the first one on."""
    return from_to(date(first, 1, 1), date(first + count - 1, 12, 31), precision)


def _months(of_year: int, first: int, count: int, precision: Precision) -> Span:
    begin, end = of_year * 12 + first - 1, of_year * 12 + first - 1 + count
    return from_to(date(begin // 12, begin % 12 + 1, 1), date(end // 12, end % 12 + 1, 1) - DAY, precision)


def months_from(today: date, first: int, last: int) -> Span:
    """From one month to another, both counted from this one."""
    return _months(
        today.year, today.month + first, last - first + 1, Precision.MONTH if first == last else Precision.SPAN
    )


def hours(day: Span, first: float, last: float, precision: Precision = Precision.PART) -> Span:
    """Some hours of a day; those from 24 on belong to the next day."""
    return Span(day.since + timedelta(hours=first), day.since + timedelta(hours=last), precision)


def phase(of: Span, part: int) -> Span:
    """The first (0), middle (1) or last (2) third of a span, in whole days; of a year its first or last three months, or
    May to August."""
    if of.precision is Precision.YEAR:
        first, count = ((1, 3), (5, 4), (10, 3))[part]
        return _months(of.since.year, first, count, Precision.SPAN)
    whole = (of.until - of.since).days
    cuts = [whole * third // 3 for third in range(4)]
    return days(of.since.date() + cuts[part] * DAY, cuts[part + 1] - cuts[part], Precision.SPAN)


# ---------------------------------------------------------------- which one is meant


def meant(candidates: Iterable[Span | None], scope: Scope) -> Span | None:
    """Of several that bear the same name, the one meant: the last that has begun when the text looks back, the first that has
    not ended when it looks ahead, else the nearest. When it more or less looks back, what is soon may be a plan."""
    there = sorted((span for span in candidates if span is not None), key=lambda span: span.since)
    begun = [span for span in there if span.since <= scope.now]
    coming = [span for span in there if span.until > scope.now]
    soon = [span for span in coming if span.since - scope.now <= SOON]
    if begun and (scope.lean is Lean.PAST or (scope.lean is Lean.MAYBE_PAST and not soon)):
        return begun[-1]
    if scope.lean is Lean.FUTURE and coming:
        return coming[0]
    return min(there, key=lambda span: _distance(span, scope.now), default=None)


def _distance(span: Span, now: datetime) -> timedelta:
    return max(span.since - now, now - span.until, timedelta(0))


def year_within(scope: Scope) -> int | None:
    """The year of the wider part, when it is one."""
    within = scope.within
    return within.since.year if within is not None and within.precision is Precision.YEAR else None


def of_year(scope: Scope, make: Callable[[int], Span | None]) -> Span | None:
    """What every year has once: that of the year which is named, else the one meant."""
    named = year_within(scope)
    if named is not None:
        return make(named)
    if scope.within is not None:
        return None
    return meant((make(scope.today.year + step) for step in (-1, 0, 1)), scope)


def day_of_month(number: int, scope: Scope) -> Span | None:
    """A day without its month: that of the month named before it, else the one meant."""
    if scope.within is not None:
        since = scope.within.since
        return dates(since.year, since.month, number, number) if scope.within.precision is Precision.MONTH else None
    months = [month(scope.today.year, scope.today.month + step).since for step in (-1, 0, 1)]
    return meant((dates(since.year, since.month, number, number) for since in months), scope)


def meant_weekday(number: int, scope: Scope) -> Span | None:
    """A weekday (0 is Monday) without its week: that of the week named before it, else of this week, unless the text looks the
    other way."""
    if scope.within is not None:
        return days(weekday(scope.within.since.date(), number)) if scope.within.precision is Precision.WEEK else None
    this = weekday(scope.today, number)
    if scope.lean in LOOKS_BACK and this > scope.today:
        this -= 7 * DAY
    elif scope.lean is Lean.FUTURE and this < scope.today:
        this += 7 * DAY
    return days(this)


def ago(today: date, unit: str, low: int, high: int) -> Span | None:
    """`low` to `high` units before today (after it when they are negative). Units: day, week, month, year.

    Days are exact. A single week is the seven days around that day; months and years are those of the calendar.
    """
    match unit:
        case "day":
            return from_to(today - high * DAY, today - low * DAY, Precision.DAY if low == high else Precision.SPAN)
        case "week":
            width = Precision.WEEK if low == high else Precision.SPAN
            return from_to(today - (7 * high + 3) * DAY, today - (7 * low - 3) * DAY, width)
        case "month":
            return months_from(today, -high, -low)
        case "year":
            return years(today.year - high, high - low + 1, Precision.YEAR if low == high else Precision.SPAN)
        case _:
            return None


def beside(of: Span, unit: str, *, before: bool) -> Span | None:
    """The day, night, week, weekend or month that comes right before or after a span."""
    first, last = of.since.date(), of.until.date() - DAY
    match unit:
        case "day":
            return days(first - DAY if before else last + DAY)
        case "night":
            return hours(days(first - DAY if before else last), 18, 30)
        case "week":
            return days(first - 7 * DAY if before else last + DAY, 7, Precision.WEEK)
        case "weekend":
            return weekend(first, -1) if before else weekend(last, 0 if last.weekday() < SATURDAY else 1)
        case _:
            return days(first - 30 * DAY if before else last + DAY, 30, Precision.SPAN)


def past(today: date, unit: str, count: int) -> Span:
    """The last `count` units up to today, today included."""
    return from_to(today - count * {"day": 1, "week": 7, "month": 30, "year": 365}[unit] * DAY, today)
