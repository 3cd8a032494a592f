"""Time expressions in Chinese: how each part of one is read, in simplified characters and half width."""

import re
from datetime import timedelta

from echovessel.memory import time_lunar, time_span
from echovessel.memory.time_feasts import ZH as FEASTS
from echovessel.memory.time_numbers import han_number, how_many
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
    year_within,
    years,
)

_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "明年": 1, "后年": 2, "大后年": 3}
_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_SEASONS = "春夏秋冬"
_WEEKDAYS = "一二三四五六日"
PARTS = {
    "凌晨": (0, 6), "清晨": (5, 9), "清早": (5, 9), "一大早": (5, 9), "早晨": (5, 10), "早上": (5, 12), "早": (5, 12),
    "上午": (6, 12), "中午": (11, 14), "午后": (12, 15), "下午": (12, 18), "傍晚": (16, 20), "晚上": (18, 30), "晚": (18, 30),
    "夜里": (18, 30), "夜": (18, 30), "深夜": (22, 30), "半夜": (22, 30), "午夜": (23, 25),
}  # fmt: skip
_LUNAR_MONTHS = {"大年": 1, "正": 1, "冬": 11, "腊": 12}
_PHASES = {"初": 0, "上旬": 0, "中": 1, "中旬": 1, "底": 2, "末": 2, "下旬": 2}


def _offset(words: str) -> int:
    """上 −1, 上上 −2, 这 0, 下下 2."""
    return words.count("下") - words.count("上")


def _number(text: str) -> int:
    return han_number(text) or 0


def _unit(found: re.Match[str]) -> str:
    return _UNITS[found["unit"].removeprefix("个")]


# ---------------------------------------------------------------- years


def named_year(found: re.Match[str], _: Scope) -> Span | None:
    """2023年, 二〇二三年, 23年."""
    number = han_number(found["year"])
    if number is None:
        return None
    return year(number if number > 99 else number + (2000 if number < 70 else 1900))


def relative_year(found: re.Match[str], scope: Scope) -> Span:
    """去年."""
    return year(scope.today.year + _YEARS[found[0]])


def decade(found: re.Match[str], scope: Scope) -> Span | None:
    """90年代, 八十年代."""
    number = han_number(found["decade"])
    if number is None or number % 10:
        return None
    if number < 100:
        number += 1900 if number >= 50 else scope.today.year // 100 * 100
    return years(number, 10)


def year_phase(found: re.Match[str], scope: Scope) -> Span | None:
    """年初, 年中, 年底."""
    if scope.within is None and scope.lean is Lean.NONE:
        return phase(year(scope.today.year), _PHASES[found["phase"]])
    return of_year(scope, lambda number: phase(year(number), _PHASES[found["phase"]]))


def named_season(found: re.Match[str], scope: Scope) -> Span | None:
    """夏天: none when nothing says which one."""
    if year_within(scope) is None and scope.lean is Lean.NONE:
        return None
    return of_year(scope, lambda number: season(number, _SEASONS.index(found["season"])))


# ---------------------------------------------------------------- months


def relative_month(found: re.Match[str], scope: Scope) -> Span:
    """上个月."""
    step = _offset(found[0])
    return months_from(scope.today, step, step)


def named_month(found: re.Match[str], scope: Scope) -> Span | None:
    """三月: of the year named, else the one meant."""
    number = _number(found["month"])
    return of_year(scope, lambda of: month(of, number)) if 1 <= number <= 12 else None


def in_phase(found: re.Match[str], scope: Scope) -> Span | None:
    """初, 中旬, 底 after a year or month."""
    return phase(scope.within, _PHASES[found["phase"]]) if scope.within is not None else None


def month_phase(found: re.Match[str], scope: Scope) -> Span | None:
    """月初, 月底."""
    of = scope.within or month(scope.today.year, scope.today.month)
    return phase(of, _PHASES[found["phase"]]) if of.precision is Precision.MONTH else None


def lunar_day(found: re.Match[str], scope: Scope) -> Span | None:
    """正月初五, 腊月二十三, 农历五月初五."""
    name = found["month"]
    number = _LUNAR_MONTHS.get(name) or _number(name)
    day = _number(found["day"].removeprefix("初").replace("廿", "二十"))
    leap = found["leap"] is not None
    named = year_within(scope)
    around = [scope.today.year + step for step in (-1, 0, 1)] if named is None else [named]
    dates = (time_lunar.solar(of, number, day, leap=leap) for of in around)
    return meant((days(found_date) for found_date in dates if found_date is not None), scope)


def lunar_month(found: re.Match[str], scope: Scope) -> Span | None:
    """正月, 腊月."""

    def whole(of: int) -> Span | None:
        number = _LUNAR_MONTHS[found["month"]]
        first = time_lunar.solar(of, number, 1)
        return (
            None if first is None else days(first, 29 + (time_lunar.solar(of, number, 30) is not None), Precision.MONTH)
        )

    return of_year(scope, whole)


def feast(found: re.Match[str], scope: Scope) -> Span | None:
    """中秋节: of the year named, else the one meant."""
    return of_year(scope, FEASTS[found[0]])


# ---------------------------------------------------------------- weeks and days


def beside(found: re.Match[str], scope: Scope) -> Span | None:
    """中秋前一天, 国庆后一周."""
    unit = {"天": "day", "晚": "night", "夜": "night", "周": "week", "月": "month"}.get(found["unit"], "week")
    return time_span.beside(scope.within, unit, before=found["way"] == "前") if scope.within else None


def relative_week(found: re.Match[str], scope: Scope) -> Span:
    """上周, 下下周."""
    return week(scope.today, _offset(found["which"]))


def weekday_of(found: re.Match[str], scope: Scope) -> Span | None:
    """上周三, 周三."""
    number = _WEEKDAYS.index(found["day"].replace("天", "日"))
    if found["which"]:
        return days(weekday(scope.today, number, _offset(found["which"])))
    return meant_weekday(number, scope)


def weekend_of(found: re.Match[str], scope: Scope) -> Span | None:
    """上周末, 周末."""
    if found["which"]:
        return weekend(scope.today, _offset(found["which"]))
    return meant((weekend(scope.today, step) for step in (-1, 0, 1)), scope)


def relative_day(found: re.Match[str], scope: Scope) -> Span:
    """昨天, 大前天."""
    return days(scope.today + _DAYS[found["day"]] * DAY)


def part_of_relative_day(found: re.Match[str], scope: Scope) -> Span:
    """昨晚, 今早."""
    return hours(days(scope.today + _DAYS[found["day"]] * DAY), *PARTS[found["part"]])


def day_of_month(found: re.Match[str], scope: Scope) -> Span | None:
    """8号, of the month named, else the one meant."""
    return time_span.day_of_month(_number(found["day"]), scope)


def days_of_month(found: re.Match[str], scope: Scope) -> Span | None:
    """8号到10号."""
    if scope.within is None or scope.within.precision is not Precision.MONTH:
        return None
    since = scope.within.since
    return dates(since.year, since.month, _number(found["first"]), _number(found["last"]))


def units_ago(found: re.Match[str], scope: Scope) -> Span | None:
    """三天前, 两个月前, 半年前."""
    unit = _unit(found)
    if found["count"] == "半":
        return {"month": days(scope.today - 18 * DAY, 7, Precision.WEEK), "year": months_from(scope.today, -7, -5)}.get(
            unit
        )
    many = how_many(found["count"])
    return None if many is None else ago(scope.today, unit, *many)


def units_ahead(found: re.Match[str], scope: Scope) -> Span | None:
    """三天后."""
    many = how_many(found["count"])
    if many is None or scope.lean in LOOKS_BACK:  # 三天后他走了 counts from another day
        return None
    return ago(scope.today, _unit(found), -many[1], -many[0])


def units_before(found: re.Match[str], scope: Scope) -> Span | None:
    """前几个月, 前两年: not the number that is said."""
    return ago(scope.today, _unit(found), 1 if found["count"] == "两" else 2, 3 if found["count"] == "两" else 5)


def units_soon(found: re.Match[str], scope: Scope) -> Span | None:
    """过两天, 过几天: soon."""
    return ago(scope.today, _unit(found), -4, -1) if scope.lean not in LOOKS_BACK else None


def past_units(found: re.Match[str], scope: Scope) -> Span | None:
    """最近两周, 这半年."""
    if found["count"] == "半":
        return past(scope.today, "month", 6) if _unit(found) == "year" else past(scope.today, "day", 15)
    many = how_many(found["count"])
    return None if many is None else past(scope.today, _unit(found), many[1])


def days_before(_: re.Match[str], scope: Scope) -> Span:
    """前几天."""
    return from_to(scope.today - 7 * DAY, scope.today - 2 * DAY)


def weeks_before(_: re.Match[str], scope: Scope) -> Span:
    """前阵子, 前段时间: some weeks ago."""
    return from_to(scope.today - 90 * DAY, scope.today - 7 * DAY)


# ---------------------------------------------------------------- parts of a day


def part_of_day(found: re.Match[str], scope: Scope) -> Span | None:
    """晚上, of the day named."""
    within = scope.within
    return hours(within, *PARTS[found[0]]) if within is not None and within.precision is Precision.DAY else None


def clock(found: re.Match[str], scope: Scope) -> Span | None:
    """八点半, 20:30; in the afternoon and evening 八点 is 20:00."""
    within = scope.within
    hour, minutes = _number(found["hour"]), found["minute"] or ""
    if within is None or within.precision not in {Precision.DAY, Precision.PART} or hour > 24:
        return None
    day = days(within.since.date())
    if within.precision is Precision.PART and within.since.hour >= 11 and hour < 12:
        hour += 12
    minute = 30 if minutes == "半" else 15 * _number(minutes[:-1]) if minutes.endswith("刻") else _number(minutes)
    return hours(day, hour + minute / 60, hour + minute / 60 + (1 / 60 if minutes else 1), Precision.MOMENT)


def hours_ago(found: re.Match[str], scope: Scope) -> Span | None:
    """三小时前, 十分钟后."""
    many = how_many(found["count"])
    if many is None:
        return None
    step = timedelta(minutes=1) if found["unit"] == "分钟" else timedelta(hours=1)
    sign = -1 if found["way"] == "前" else 1
    ends = sorted((scope.now + sign * many[0] * step, scope.now + sign * many[1] * step))
    return Span(ends[0] - step / 2, ends[1] + step / 2, Precision.MOMENT)
