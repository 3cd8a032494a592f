from datetime import date
from itertools import pairwise

import pytest

from echovessel.memory import time_span as spans
from echovessel.memory.time_span import Lean, Precision, Scope
from tests.support.times import SAID

TODAY = date(2023, 5, 24)
NOW = SAID.replace(tzinfo=None)


def test_months_run_over_the_ends_of_years() -> None:
    assert spans.month(2023, 14) == spans.month(2024, 2)
    assert spans.month(2023, 0) == spans.month(2022, 12)
    assert (spans.month(2024, 2).until - spans.month(2024, 2).since).days == 29


def test_the_winter_of_a_year_begins_in_its_december() -> None:
    winter = spans.season(2022, 3)

    assert (winter.since.date(), winter.until.date()) == (date(2022, 12, 1), date(2023, 3, 1))


def test_thirds_of_a_span_follow_one_another_without_gap() -> None:
    whole = spans.month(2023, 2)
    thirds = [spans.phase(whole, part) for part in range(3)]

    assert thirds[0].since == whole.since
    assert all(first.until == second.since for first, second in pairwise(thirds))
    assert thirds[2].until == whole.until


def test_days_that_a_month_does_not_have_are_none() -> None:
    assert spans.dates(2023, 2, 29, 29) is None
    assert spans.dates(2024, 2, 28, 29) == spans.days(date(2024, 2, 28), 2, Precision.SPAN)
    assert spans.dates(2023, 5, 0, 3) is None


@pytest.mark.parametrize(("lean", "year"), [(Lean.PAST, 2022), (Lean.FUTURE, 2023), (Lean.NONE, 2023)])
def test_of_the_same_day_in_each_year_the_tense_says_which(lean: Lean, year: int) -> None:
    meant = spans.of_year(Scope(NOW, lean), lambda of: spans.dates(of, 9, 1, 1))

    assert meant is not None
    assert meant.since.year == year


@pytest.mark.parametrize(("lean", "day"), [(Lean.NONE, 26), (Lean.PAST, 19), (Lean.FUTURE, 26)])
def test_a_weekday_is_of_this_week_unless_the_text_looks_the_other_way(lean: Lean, day: int) -> None:
    friday = spans.meant_weekday(4, Scope(NOW, lean))

    assert friday is not None
    assert friday.since.date() == date(2023, 5, day)


def test_counting_back_keeps_the_exactness_of_the_unit() -> None:
    counted = [spans.ago(TODAY, unit, 2, 2) for unit in ("day", "week", "month", "year")]

    assert [span.precision for span in counted if span] == [
        Precision.DAY,
        Precision.WEEK,
        Precision.MONTH,
        Precision.YEAR,
    ]
    assert spans.ago(TODAY, "century", 1, 1) is None


@pytest.mark.parametrize(("month", "year"), [(6, 2023), (7, 2023), (9, 2022), (3, 2023)])
def test_where_a_text_more_or_less_looks_back_what_is_soon_may_be_a_plan(month: int, year: int) -> None:
    meant = spans.of_year(Scope(NOW, Lean.MAYBE_PAST), lambda of: spans.dates(of, month, 2, 2))

    assert meant is not None
    assert (meant.since.year, meant.since.month) == (year, month)


@pytest.mark.parametrize(("lean", "month"), [(Lean.PAST, 4), (Lean.FUTURE, 5), (Lean.NONE, 5), (Lean.MAYBE_PAST, 5)])
def test_a_day_without_its_month_is_the_last_or_the_next_one(lean: Lean, month: int) -> None:
    meant = spans.day_of_month(28, Scope(NOW, lean))

    assert meant is not None
    assert meant.since.date() == date(2023, month, 28)
