"""Time expressions in English: how each part of one is read, in lower case, with straight apostrophes."""

import re
from datetime import timedelta

from echovessel.memory import time_span
from echovessel.memory.time_feasts import EN as FEASTS
from echovessel.memory.time_numbers import how_many, ordinal
from echovessel.memory.time_span import (
    DAY,
    LOOKS_BACK,
    Lean,
    Precision,
    Scope,
    Span,
    ago,
    dates,
    days,
    from_to,
    hours,
    meant,
    meant_weekday,
    month,
    months_from,
    of_year,
    past,
    phase,
    season,
    week,
    weekday,
    weekend,
    year,
    years,
)

SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
PARTS = {
    "dawn": (4, 8), "morning": (5, 12), "noon": (11, 13), "lunchtime": (11, 14), "afternoon": (12, 18), "evening": (17, 24),
    "night": (18, 30), "midnight": (23, 25),
}  # fmt: skip
_MONTHS: list[str] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAYS: list[str] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_STEPS = {
    "last": -1,
    "past": -1,
    "this past": -1,
    "previous": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "following": 1,
}
_PHASES = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
_DAYS = {"day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "day after tomorrow": 2}


def _step(found: re.Match[str]) -> int:
    return _STEPS[found["step"]]


def _month_number(name: str) -> int:
    return _MONTHS.index(name[:3]) + 1


# ---------------------------------------------------------------- years, seasons, months


def named_year(found: re.Match[str], _: Scope) -> Span:
    """2019."""
    return year(int(found["year"]))


def decade(found: re.Match[str], scope: Scope) -> Span:
    """The 90s, the 1990s."""
    number = int(found["decade"])
    if number < 100:
        number += 1900 if number >= 30 else scope.today.year // 100 * 100
    return years(number, 10)


def relative_year(found: re.Match[str], scope: Scope) -> Span:
    """Last year."""
    return year(scope.today.year + _step(found))


def named_season(found: re.Match[str], scope: Scope) -> Span | None:
    """In the summer: none when nothing says which one."""
    if scope.within is None and scope.lean is Lean.NONE:
        return None
    return of_year(scope, lambda number: season(number, SEASONS[found["season"]]))


def relative_season(found: re.Match[str], scope: Scope) -> Span | None:
    """Last summer."""
    return _relative(found, scope, [season(scope.today.year + step, SEASONS[found["season"]]) for step in range(-2, 3)])


def named_month(found: re.Match[str], scope: Scope) -> Span | None:
    """March: of the year named, else the one meant."""
    return of_year(scope, lambda number: month(number, _month_number(found["month"])))


def relative_month(found: re.Match[str], scope: Scope) -> Span:
    """Last month."""
    return months_from(scope.today, _step(found), _step(found))


def relative_named_month(found: re.Match[str], scope: Scope) -> Span | None:
    """Last March."""
    number = _month_number(found["month"])
    return _relative(found, scope, [month(scope.today.year + step, number) for step in range(-2, 3)])


def _relative(found: re.Match[str], scope: Scope, each_year: list[Span]) -> Span | None:
    """Last: the latest that is over; next: the first that has not begun; this: that of this year."""
    match _step(found):
        case -1:
            return max(
                (span for span in each_year if span.until <= scope.now), key=lambda span: span.since, default=None
            )
        case 0:
            return next((span for span in each_year if span.since.year == scope.today.year), None)
        case _:
            return min(
                (span for span in each_year if span.since > scope.now), key=lambda span: span.since, default=None
            )


def in_phase(found: re.Match[str], scope: Scope) -> Span | None:
    """Early, mid, late; the beginning, middle, end of."""
    return phase(scope.within, _PHASES[found["phase"]]) if scope.within is not None else None


def nth_week(found: re.Match[str], scope: Scope) -> Span | None:
    """The second week of a month: its days 8 to 14; the last one: its last seven days. A weekend: that which begins in them."""
    within, number = scope.within, ordinal(found["nth"])
    if within is None or within.precision is not Precision.MONTH:
        return None
    is_last = found["nth"] == "last"
    if not is_last and (number is None or number > 5):
        return None
    first = within.until.date() - 7 * DAY if is_last else within.since.date() + 7 * ((number or 1) - 1) * DAY
    if found["unit"] == "week":
        return days(first, 7, Precision.WEEK)
    return days(first + (5 - first.weekday()) % 7 * DAY, 2, Precision.SPAN)


def beside(found: re.Match[str], scope: Scope) -> Span | None:
    """The night before Christmas, the week after 3 May."""
    return time_span.beside(scope.within, found["unit"], before=found["way"] == "before") if scope.within else None


def feast(found: re.Match[str], scope: Scope) -> Span | None:
    """Christmas: of the year named, else the one meant."""
    return of_year(scope, FEASTS[found["feast"]])


def relative_feast(found: re.Match[str], scope: Scope) -> Span | None:
    """Last Christmas."""
    spans = [FEASTS[found["feast"]](scope.today.year + step) for step in range(-2, 3)]
    return _relative(found, scope, [span for span in spans if span is not None])


# ---------------------------------------------------------------- weeks and days


def relative_week(found: re.Match[str], scope: Scope) -> Span:
    """Last week."""
    return week(scope.today, _step(found))


def before_last(found: re.Match[str], scope: Scope) -> Span | None:
    """The week before last, the year after next."""
    step = -2 if found["way"] == "before last" else 2
    unit = found["unit"]
    match unit:
        case "week":
            return week(scope.today, step)
        case "weekend":
            return weekend(scope.today, step)
        case "month":
            return months_from(scope.today, step, step)
        case "year":
            return year(scope.today.year + step)
        case "night":
            return hours(days(scope.today + step * DAY), *PARTS["night"])
        case _:
            return season(scope.today.year + step, SEASONS[unit]) if unit in SEASONS else None


def weekend_of(found: re.Match[str], scope: Scope) -> Span | None:
    """Last, this or next weekend; without such a word the one meant."""
    if found["step"]:
        return weekend(scope.today, _step(found))
    return meant((weekend(scope.today, step) for step in (-1, 0, 1)), scope)


def relative_weekday(found: re.Match[str], scope: Scope) -> Span:
    """Last Friday: the latest before today. This Friday: that of this week. Next Friday: that of next week."""
    number = _WEEKDAYS.index(found["day"][:3])
    if _step(found) == -1:
        return days(scope.today - ((scope.today.weekday() - number - 1) % 7 + 1) * DAY)
    if found["step"] in {"coming", "following"}:
        return days(scope.today + ((number - scope.today.weekday() - 1) % 7 + 1) * DAY)
    return days(weekday(scope.today, number, _step(found)))


def named_weekday(found: re.Match[str], scope: Scope) -> Span | None:
    """Friday."""
    return meant_weekday(_WEEKDAYS.index(found["day"][:3]), scope)


def relative_day(found: re.Match[str], scope: Scope) -> Span:
    """The day before yesterday."""
    return days(scope.today + _DAYS[found["day"]] * DAY)


def other_day(_: re.Match[str], scope: Scope) -> Span:
    """The other day."""
    return from_to(scope.today - 7 * DAY, scope.today - DAY)


def part_of_today(found: re.Match[str], scope: Scope) -> Span:
    """This morning, tonight."""
    return hours(days(scope.today), *PARTS[found["part"] or "night"])


def last_night(_: re.Match[str], scope: Scope) -> Span:
    """Last night: until six in the morning."""
    return hours(days(scope.today - DAY), *PARTS["night"])


def month_and_day(found: re.Match[str], scope: Scope) -> Span | None:
    """May 8, 8 May, the eighth of May; May 8–10."""
    number, first = _month_number(found["month"]), ordinal(found["day"])
    last = ordinal(found.groupdict().get("last") or found["day"])
    if first is None or last is None or last < first:
        return None

    return of_year(scope, lambda year_number: dates(year_number, number, first, last))


def day_of_month(found: re.Match[str], scope: Scope) -> Span | None:
    """On the 5th: of the month named, else the one meant."""
    number = ordinal(found["day"])
    return None if number is None else time_span.day_of_month(number, scope)


def units_ago(found: re.Match[str], scope: Scope) -> Span | None:
    """Two weeks ago, a couple of months back."""
    many = how_many(" ".join(found["count"].split()))
    if many is None:
        return None
    unit, half = found["unit"], 1 if found["half"] else 0
    if half and unit == "year":
        return months_from(scope.today, -12 * many[1] - 7, -12 * many[0] - 5)
    return _counted(scope, unit, *many)


def half_a_year_ago(_: re.Match[str], scope: Scope) -> Span:
    """Half a year ago: the three months around that."""
    return months_from(scope.today, -7, -5)


def units_ahead(found: re.Match[str], scope: Scope) -> Span | None:
    """In two weeks, three days from now. "I read it in two days" names none."""
    many = how_many(" ".join(found["count"].split()))
    if many is None or scope.lean in LOOKS_BACK:
        return None
    return _counted(scope, found["unit"], -many[1], -many[0])


def _counted(scope: Scope, unit: str, low: int, high: int) -> Span | None:
    """`low` to `high` units before now."""
    match unit:
        case "minute" | "hour":
            step = timedelta(minutes=1) if unit == "minute" else timedelta(hours=1)
            return Span(scope.now - (high + 0.5) * step, scope.now - (low - 0.5) * step, Precision.MOMENT)
        case "fortnight":
            return ago(scope.today, "week", 2 * low, 2 * high)
        case "weekend":
            return weekend(scope.today, -low) if low == high else ago(scope.today, "week", low, high)
        case "decade":
            return years(scope.today.year - 10 * high - 2, 10 * (high - low) + 5)
        case _:
            return ago(scope.today, unit, low, high)


def past_units(found: re.Match[str], scope: Scope) -> Span | None:
    """The past three weeks, the last few days."""
    many = how_many(" ".join((found["count"] or "one").split()))
    return None if many is None else past(scope.today, found["unit"], many[1])


# ---------------------------------------------------------------- parts of a day


def part_of_day(found: re.Match[str], scope: Scope) -> Span | None:
    """In the evening: of the day named."""
    within = scope.within
    if within is None or within.precision is not Precision.DAY:
        return None
    return hours(within, *PARTS[found["part"]])


def clock(found: re.Match[str], scope: Scope) -> Span | None:
    """3 pm, 3:30, 15:30; in the afternoon and evening 3:30 is 15:30."""
    within = scope.within
    hour, minutes, half = int(found["hour"]), found["minute"], (found.groupdict().get("half") or "").replace(".", "")
    if within is None or within.precision not in {Precision.DAY, Precision.PART} or hour > 24:
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    elif within.precision is Precision.PART and within.since.hour >= 12 and hour < 12:
        hour += 12
    begin = hour + int(minutes or 0) / 60
    return hours(days(within.since.date()), begin, begin + (1 / 60 if minutes else 1), Precision.MOMENT)
