"""Festivals: when each falls in a year, and which one a name means."""

from collections.abc import Callable, Mapping
from datetime import date

from echovessel.memory import time_lunar
from echovessel.memory.time_span import DAY, Precision, Span, days

Feast = Callable[[int], Span | None]


def _feast(when: Callable[[int], date | None], *, step: int = 0, count: int = 1) -> Feast:
    """`count` days, beginning `step` days after the day that `when` gives."""

    def span(year: int) -> Span | None:
        day = when(year)
        return None if day is None else days(day + step * DAY, count, Precision.DAY if count == 1 else Precision.SPAN)

    return span


def _fixed(month: int, day: int, count: int = 1) -> Feast:
    return _feast(lambda year: date(year, month, day), count=count)


def _lunar(month: int, day: int, count: int = 1) -> Feast:
    """Of the lunar year that begins in a year; the last month is that of the one that ends there."""
    return _feast(lambda year: time_lunar.solar(year - (month == 12), month, day), count=count)


def _nth(month: int, number: int, nth: int) -> Callable[[int], date]:
    """The `nth` such weekday (0 is Monday) of a month."""

    def when(year: int) -> date:
        start = date(year, month, 1)
        return start + ((number - start.weekday()) % 7 + 7 * (nth - 1)) * DAY

    return when


def easter(year: int) -> date:
    """Easter Sunday in the Gregorian calendar.

    Source: the anonymous algorithm of 1876 (Meeus, Astronomical Algorithms, 2nd edition, chapter 8).
    """
    golden, (century, of_century) = year % 19, divmod(year, 100)
    leap_centuries, rest = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap_centuries - correction + 15) % 30
    to_sunday = (32 + 2 * rest + 2 * (of_century // 4) - epact - of_century % 4) % 7
    shift = (golden + 11 * epact + 22 * to_sunday) // 451
    month, day = divmod(epact + to_sunday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


_CHRISTMAS, _CHRISTMAS_EVE = _fixed(12, 25), _fixed(12, 24)
_NEW_YEAR, _NEW_YEAR_EVE = _fixed(1, 1), _fixed(12, 31)
_VALENTINE, _HALLOWEEN = _fixed(2, 14), _fixed(10, 31)
_MOTHER, _FATHER = _feast(_nth(5, 6, 2)), _feast(_nth(6, 6, 3))
_THANKSGIVING, _EASTER = _feast(_nth(11, 3, 4)), _feast(easter)
_LITTLE_NEW_YEAR = _lunar(12, 23)
_SPRING, _SPRING_EVE = _lunar(1, 1, 7), _feast(time_lunar.new_year_eve)
_LANTERN, _DRAGON_BOAT, _MOON = _lunar(1, 15), _lunar(5, 5), _lunar(8, 15)
_TOMB, _QIXI = _feast(time_lunar.tomb_sweeping), _lunar(7, 7)
_WOMEN, _LABOUR, _CHILDREN = _fixed(3, 8), _fixed(5, 1), _fixed(6, 1)

ZH: Mapping[str, Feast] = {
    "元旦": _NEW_YEAR, "跨年": _NEW_YEAR_EVE, "跨年夜": _NEW_YEAR_EVE, "春节": _SPRING, "过年": _SPRING,
    "农历新年": _SPRING, "大年初一": _lunar(1, 1), "除夕": _SPRING_EVE, "除夕夜": _SPRING_EVE, "大年三十": _SPRING_EVE,
    "年三十": _SPRING_EVE, "年夜饭": _SPRING_EVE, "元宵": _LANTERN, "元宵节": _LANTERN, "清明": _TOMB, "清明节": _TOMB,
    "端午": _DRAGON_BOAT, "端午节": _DRAGON_BOAT, "七夕": _QIXI, "七夕节": _QIXI, "中元节": _lunar(7, 15), "中秋": _MOON,
    "中秋节": _MOON, "重阳": _lunar(9, 9), "重阳节": _lunar(9, 9), "冬至": _feast(time_lunar.winter_solstice),
    "腊八": _lunar(12, 8), "腊八节": _lunar(12, 8), "小年": _LITTLE_NEW_YEAR, "祭灶": _LITTLE_NEW_YEAR, "乞巧": _QIXI,
    "乞巧节": _QIXI, "立春": _fixed(2, 3, 3), "春分": _fixed(3, 20, 2), "立夏": _fixed(5, 5, 2), "夏至": _fixed(6, 21, 2),
    "立秋": _fixed(8, 7, 2), "秋分": _fixed(9, 22, 3), "立冬": _fixed(11, 7, 2), "国庆": _fixed(10, 1, 7),
    "国庆节": _fixed(10, 1, 7), "十一假期": _fixed(10, 1, 7), "十一长假": _fixed(10, 1, 7),
    "十一黄金周": _fixed(10, 1, 7), "五一": _LABOUR, "五一节": _LABOUR, "劳动节": _LABOUR, "五一假期": _fixed(5, 1, 5),
    "六一": _CHILDREN, "六一儿童节": _CHILDREN, "儿童节": _CHILDREN, "三八节": _WOMEN, "妇女节": _WOMEN,
    "教师节": _fixed(9, 10), "双十一": _fixed(11, 11), "双11": _fixed(11, 11), "光棍节": _fixed(11, 11),
    "情人节": _VALENTINE, "愚人节": _fixed(4, 1), "母亲节": _MOTHER, "父亲节": _FATHER, "万圣节": _HALLOWEEN,
    "感恩节": _THANKSGIVING, "复活节": _EASTER, "圣诞": _CHRISTMAS, "圣诞节": _CHRISTMAS, "平安夜": _CHRISTMAS_EVE,
    "圣诞夜": _CHRISTMAS_EVE,
}  # fmt: skip
"""Chinese names, simplified. A solar term other than 清明 and 冬至 is the two or three days on which it may fall."""

EN: Mapping[str, Feast] = {
    "new year's day": _NEW_YEAR, "new year's": _NEW_YEAR, "new year's eve": _NEW_YEAR_EVE, "new years eve": _NEW_YEAR_EVE,
    "chinese new year": _SPRING, "lunar new year": _SPRING, "spring festival": _SPRING, "lantern festival": _LANTERN,
    "dragon boat festival": _DRAGON_BOAT, "qixi": _QIXI, "chinese valentine's day": _QIXI, "mid-autumn festival": _MOON,
    "mid autumn festival": _MOON, "moon festival": _MOON, "tomb sweeping day": _TOMB, "qingming": _TOMB,
    "winter solstice": _fixed(12, 21), "valentine's day": _VALENTINE, "valentines day": _VALENTINE,
    "valentine's": _VALENTINE, "st patrick's day": _fixed(3, 17), "st. patrick's day": _fixed(3, 17),
    "april fools": _fixed(4, 1), "april fool's day": _fixed(4, 1), "ash wednesday": _feast(easter, step=-46),
    "palm sunday": _feast(easter, step=-7), "good friday": _feast(easter, step=-2), "easter": _EASTER,
    "easter sunday": _EASTER, "easter monday": _feast(easter, step=1), "pentecost": _feast(easter, step=49),
    "mother's day": _MOTHER, "mothers day": _MOTHER, "father's day": _FATHER, "fathers day": _FATHER,
    "memorial day": _feast(_nth(6, 0, 1), step=-7), "independence day": _fixed(7, 4), "fourth of july": _fixed(7, 4),
    "4th of july": _fixed(7, 4), "labor day": _feast(_nth(9, 0, 1)), "labour day": _LABOUR, "halloween": _HALLOWEEN,
    "veterans day": _fixed(11, 11), "thanksgiving": _THANKSGIVING, "thanksgiving day": _THANKSGIVING,
    "black friday": _feast(_nth(11, 3, 4), step=1), "christmas": _CHRISTMAS, "christmas day": _CHRISTMAS,
    "xmas": _CHRISTMAS, "christmas eve": _CHRISTMAS_EVE, "boxing day": _fixed(12, 26),
}  # fmt: skip
"""English names, in lower case, with straight apostrophes."""
