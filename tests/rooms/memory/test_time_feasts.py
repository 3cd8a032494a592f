from datetime import date

import pytest

from echovessel.memory.time_feasts import EN, ZH, easter


@pytest.mark.parametrize(
    "day",
    [date(1961, 4, 2), date(2000, 4, 23), date(2019, 4, 21), date(2023, 4, 9), date(2024, 3, 31), date(2038, 4, 25)],
)
def test_easter(day: date) -> None:
    assert easter(day.year) == day


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("thanksgiving", date(2023, 11, 23)),
        ("black friday", date(2023, 11, 24)),
        ("memorial day", date(2023, 5, 29)),
        ("labor day", date(2023, 9, 4)),
        ("mother's day", date(2024, 5, 12)),
        ("father's day", date(2024, 6, 16)),
        ("good friday", date(2024, 3, 29)),
        ("pentecost", date(2023, 5, 28)),
    ],
)
def test_days_that_move(name: str, day: date) -> None:
    span = EN[name](day.year)

    assert span is not None
    assert span.since.date() == day


def test_the_last_lunar_month_is_that_before_the_new_year_of_its_year() -> None:
    laba, little_new_year, spring = (ZH[name](2023) for name in ("腊八", "小年", "春节"))

    assert laba is not None
    assert little_new_year is not None
    assert spring is not None
    assert [str(span.since.date()) for span in (laba, little_new_year, spring)] == [
        "2022-12-30",
        "2023-01-14",
        "2023-01-22",
    ]


def test_beyond_the_table_a_lunar_festival_has_no_day() -> None:
    assert ZH["中秋节"](1900) is None
    assert ZH["国庆节"](1900) is not None
