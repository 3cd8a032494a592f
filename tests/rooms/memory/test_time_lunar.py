"""Dates of the Chinese calendar against dates that are printed in calendars."""

from datetime import date

import pytest

from echovessel.memory.time_lunar import new_year_eve, solar, tomb_sweeping, winter_solstice


@pytest.mark.parametrize(
    ("lunar", "printed"),
    [
        ((1950, 1, 1), date(1950, 2, 17)),
        ((1976, 1, 1), date(1976, 1, 31)),
        ((1985, 1, 1), date(1985, 2, 20)),
        ((2000, 1, 1), date(2000, 2, 5)),
        ((2023, 1, 1), date(2023, 1, 22)),
        ((2024, 1, 1), date(2024, 2, 10)),
        ((2023, 5, 5), date(2023, 6, 22)),
        ((2023, 8, 15), date(2023, 9, 29)),
        ((2020, 8, 15), date(2020, 10, 1)),
        ((2022, 12, 23), date(2023, 1, 14)),
        ((2022, 7, 7), date(2022, 8, 4)),
        ((2033, 11, 1), date(2033, 11, 22)),
        ((2100, 1, 1), date(2100, 2, 9)),
    ],
)
def test_a_lunar_date_falls_on_its_day(lunar: tuple[int, int, int], printed: date) -> None:
    assert solar(*lunar) == printed


def test_a_leap_month_follows_the_month_it_repeats() -> None:
    assert solar(2023, 2, 1, leap=True) == date(2023, 3, 22)
    assert solar(2020, 4, 1, leap=True) == date(2020, 5, 23)
    assert solar(2033, 11, 1, leap=True) == date(2033, 12, 22)
    assert solar(2023, 3, 1, leap=True) is None


def test_what_no_calendar_has_is_none() -> None:
    assert solar(2023, 13, 1) is None
    assert solar(2023, 1, 30) is None  # that month had 29 days
    assert solar(1949, 1, 1) is None
    assert solar(2101, 1, 1) is None


def test_every_year_of_the_table_is_followed_by_the_next() -> None:
    for year in range(1950, 2100):
        begins, next_begins = solar(year, 1, 1), solar(year + 1, 1, 1)
        ends = solar(year, 12, 30) or solar(year, 12, 29)
        assert begins is not None
        assert ends is not None
        assert next_begins is not None
        assert (next_begins - ends).days == 1 or _leap_month_is_last(year)
        assert new_year_eve(year + 1) == date.fromordinal(next_begins.toordinal() - 1)


def _leap_month_is_last(year: int) -> bool:
    return solar(year, 12, 1, leap=True) is not None


@pytest.mark.parametrize(("year", "day"), [(1950, 5), (2000, 4), (2021, 4), (2023, 5), (2024, 4)])
def test_tomb_sweeping_day(year: int, day: int) -> None:
    assert tomb_sweeping(year) == date(year, 4, day)


@pytest.mark.parametrize(("year", "day"), [(1951, 23), (1984, 22), (2021, 21), (2022, 22), (2023, 22)])
def test_the_winter_solstice(year: int, day: int) -> None:
    assert winter_solstice(year) == date(year, 12, day)
