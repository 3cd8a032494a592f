"""Dates of the Chinese calendar, 1950–2100: lunar month and day to solar date, and the solar terms that are holidays."""

from datetime import date, timedelta
from functools import cache

from echovessel.memory.moons import FIRST_YEAR, YEARS

_DIGITS = 7
_MONTHS = 12


def solar(year: int, month: int, day: int, *, leap: bool = False) -> date | None:
    """The solar date of a lunar one; None when that year has no such day, or lies outside the table.

    `year` is the lunar year: its last month mostly falls into the next January.
    """
    if not 1 <= month <= _MONTHS:
        return None
    packed = _packed(year)
    if packed is None:
        return None
    leap_month = packed & 0xF
    if leap and month != leap_month:
        return None
    place = month - 1 + (leap or (bool(leap_month) and month > leap_month))
    lengths = [29 + (packed >> 4 + index & 1) for index in range(13)]
    if not 1 <= day <= lengths[place]:
        return None
    new_year = date(year, 1, 20) + timedelta(days=packed >> 17 & 0x1F)
    return new_year + timedelta(days=sum(lengths[:place]) + day - 1)


def new_year_eve(year: int) -> date | None:
    """除夕, the day before the Chinese new year of a solar year; it has the 29th or the 30th as its date."""
    new_year = solar(year, 1, 1)
    return None if new_year is None else new_year - timedelta(days=1)


def tomb_sweeping(year: int) -> date | None:
    """清明, when the sun stands at 15°."""
    packed = _packed(year)
    return None if packed is None else date(year, 4, 4 + (packed >> 24))


def winter_solstice(year: int) -> date | None:
    """冬至, when the sun stands at 270°."""
    packed = _packed(year)
    return None if packed is None else date(year, 12, 21 + (packed >> 22 & 0b11))


@cache
def _packed(year: int) -> int | None:
    """From the lowest bit: leap month (4, 0 for none), which of its 13 months have 30 days (13), days from 20 January to the
    new year (5), day of 冬至 − 21 (2), day of 清明 − 4 (1)."""
    start = (year - FIRST_YEAR) * _DIGITS
    return int(YEARS[start : start + _DIGITS], 16) if 0 <= start < len(YEARS) else None
