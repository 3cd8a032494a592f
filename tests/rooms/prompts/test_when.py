from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.prompts.when import ago, clock, date, local

NOW = local(datetime(2026, 11, 30, 10, 4, tzinfo=UTC), "Asia/Shanghai")  # Monday 18:04


@pytest.mark.parametrize(
    ("before", "zh", "en"),
    [
        (timedelta(seconds=20), "刚刚", "just now"),
        (timedelta(minutes=1), "1分钟前", "1 minute ago"),
        (timedelta(hours=3), "3小时前", "3 hours ago"),
        (timedelta(hours=20), "昨天晚上", "yesterday evening"),
        (timedelta(days=2), "前天晚上（2026年11月28日）", "2 days ago, Saturday evening (28 November 2026)"),
        (timedelta(days=3), "3天前，周五晚上（2026年11月27日）", "3 days ago, Friday evening (27 November 2026)"),
        (timedelta(days=7), "上周一晚上（2026年11月23日）", "last week, Monday evening (23 November 2026)"),
        (timedelta(days=9), "9天前，周六晚上（2026年11月21日）", "9 days ago, Saturday evening (21 November 2026)"),
        (timedelta(days=21), "3周前，周一晚上（2026年11月9日）", "3 weeks ago, Monday evening (9 November 2026)"),
        (timedelta(days=90), "3个月前，周二晚上（2026年9月1日）", "3 months ago, Tuesday evening (1 September 2026)"),
        (timedelta(days=800), "2年前，周六晚上（2024年9月21日）", "2 years ago, Saturday evening (21 September 2024)"),
        (timedelta(days=-1), "刚刚", "just now"),
    ],
)
def test_distance_in_words(before: timedelta, zh: str, en: str) -> None:
    assert (ago(NOW - before, NOW, "zh"), ago(NOW - before, NOW, "en")) == (zh, en)


def test_a_late_evening_is_hours_ago_and_not_yesterday_when_midnight_has_just_passed() -> None:
    now = local(datetime(2026, 11, 30, 16, 30, tzinfo=UTC), "Asia/Shanghai")  # 00:30

    assert ago(now - timedelta(hours=2), now, "en") == "2 hours ago"


@pytest.mark.parametrize(
    ("said", "now", "words"),
    [
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 20, tzinfo=UTC), "50 minutes ago"),
        (datetime(2026, 3, 29, 0, 50, tzinfo=UTC), datetime(2026, 3, 29, 1, 10, tzinfo=UTC), "20 minutes ago"),
    ],
    ids=["set back", "set forward"],
)
def test_what_has_passed_is_told_truly_while_clocks_are_changed(said: datetime, now: datetime, words: str) -> None:
    assert ago(local(said, "Europe/Berlin"), local(now, "Europe/Berlin"), "en") == words


def test_days_are_counted_on_the_clock_of_the_place_where_it_was_said() -> None:
    said = local(
        datetime(2026, 11, 28, 23, 0, tzinfo=UTC), "America/New_York"
    )  # Saturday 18:00 there, Sunday in Shanghai

    assert ago(said, NOW, "en") == "2 days ago, Saturday evening (28 November 2026)"


def test_date_and_clock() -> None:
    assert (date(NOW, "en"), date(NOW, "zh"), clock(NOW)) == (
        "Monday, 30 November 2026",
        "2026年11月30日 周一",
        "18:04",
    )


def test_a_zone_nobody_knows_reads_as_utc() -> None:
    assert clock(local(datetime(2026, 11, 30, 10, 4, tzinfo=UTC), "Mars/Olympus")) == "10:04"


MOMENTS = st.integers(0, 4_000_000_000).map(lambda second: datetime.fromtimestamp(second, UTC))


@given(MOMENTS, MOMENTS, st.sampled_from(["zh", "en"]))
def test_any_two_moments_have_words(at: datetime, now: datetime, locale: str) -> None:
    assert ago(at, now, locale)
