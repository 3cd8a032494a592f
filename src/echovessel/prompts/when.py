"""When something was said, in words: relative to now, with the date once days lie between."""

from datetime import UTC, datetime, timedelta, tzinfo

from echovessel.core import time
from echovessel.core.errors import BadInput

_WEEKDAYS = {
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAY_PARTS = {
    "zh": ((5, "凌晨"), (9, "早上"), (12, "上午"), (13, "中午"), (18, "下午"), (24, "晚上")),
    "en": ((5, "before dawn"), (12, "morning"), (18, "afternoon"), (24, "evening")),
}
_UNITS = {
    "minute": "分钟",
    "hour": "小时",
    "day": "天",
    "week": "周",
    "month": "个月",
    "year": "年",
}


def local(at: datetime, zone: str) -> datetime:
    """The instant on the clocks of an IANA zone. A zone this machine does not know reads as UTC: an hour that is off is
    better than no reply."""
    return at.astimezone(_tzinfo(zone))


def _tzinfo(zone: str) -> tzinfo:
    try:
        return time.zone(zone)
    except BadInput:
        return UTC


def date(at: datetime, locale: str) -> str:
    """`Friday, 27 November 2026` or `2026年11月27日 周五`, of a local time."""
    weekday = _weekday(at, locale)
    return f"{_day(at, locale)} {weekday}" if locale == "zh" else f"{weekday}, {_day(at, locale)}"


def clock(at: datetime) -> str:
    """`21:04`, of a local time."""
    return f"{at:%H:%M}"


def ago(at: datetime, now: datetime, locale: str) -> str:
    """How long before `now` a local time lies: `3 days ago, Friday evening (27 November 2026)`, `昨天晚上`, `上周二下午（…）`.

    Days are counted on the calendar, each side on its own clocks. The future reads as just now.
    """
    days = (now.date() - at.date()).days
    gap = now.astimezone(UTC) - at.astimezone(
        UTC
    )  # two clocks of one zone differ by wall time, also across a clock change
    if days < 1 or gap < timedelta(hours=6):
        return _within_a_day(gap, locale)
    if days == 1:
        return f"昨天{_day_part(at, locale)}" if locale == "zh" else f"yesterday {_day_part(at, locale)}"
    if locale == "zh":
        return f"{_days_zh(at, now, days)}{_day_part(at, locale)}（{_day(at, locale)}）"
    return f"{_days_en(at, now, days)}, {_weekday(at, locale)} {_day_part(at, locale)} ({_day(at, locale)})"


def _within_a_day(gap: timedelta, locale: str) -> str:
    minutes = int(gap.total_seconds() // 60)
    if minutes < 1:
        return "刚刚" if locale == "zh" else "just now"
    return _count(minutes, "minute", locale) if minutes < 60 else _count(minutes // 60, "hour", locale)


def _days_zh(at: datetime, now: datetime, days: int) -> str:
    weekday = _weekday(at, "zh")
    if days == 2:
        return "前天"
    if days > 6 and _weeks_between(at, now) == 1:
        return f"上{weekday}"
    return f"{_long_ago(days, 'zh')}，{weekday}"


def _days_en(at: datetime, now: datetime, days: int) -> str:
    return "last week" if days > 6 and _weeks_between(at, now) == 1 else _long_ago(days, "en")


def _long_ago(days: int, locale: str) -> str:
    if days < 14:
        return _count(days, "day", locale)
    if days < 60:
        return _count(days // 7, "week", locale)
    return _count(days // 30, "month", locale) if days < 365 else _count(days // 365, "year", locale)


def _weeks_between(at: datetime, now: datetime) -> int:
    """How many Mondays lie between."""
    return (now.date().toordinal() - 1) // 7 - (at.date().toordinal() - 1) // 7


def _count(number: int, unit: str, locale: str) -> str:
    if locale == "zh":
        return f"{number}{_UNITS[unit]}前"
    return f"{number} {unit}{'' if number == 1 else 's'} ago"


def _day_part(at: datetime, locale: str) -> str:
    return next(words for until, words in _DAY_PARTS[locale] if at.hour < until)


def _weekday(at: datetime, locale: str) -> str:
    return _WEEKDAYS[locale][at.weekday()]


def _day(at: datetime, locale: str) -> str:
    return f"{at.year}年{at.month}月{at.day}日" if locale == "zh" else f"{at.day} {_MONTHS[at.month - 1]} {at.year}"
