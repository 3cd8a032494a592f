from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.memory.time_expr import MAX_TEXT, find
from echovessel.memory.time_span import Precision
from tests.support.times import SAID, spans

EVERYDAY = [
    "昨天",
    "上周三",
    "下下周",
    "去年夏天",
    "两个月前",
    "正月初五",
    "中秋节",
    "年底",
    "8号那天",
    "三月到五月",
    "昨晚八点半",
    "前几天",
    "2月29号",
    "yesterday",
    "last Friday night",
    "in March",
    "two weeks ago",
    "last summer",
    "Christmas",
    "May 8th",
    "from March to May",
    "February 29",
    "the end of last month",
    "on the 31st",
    "2023-05-08",
    "12/25/2022",
]
MOMENTS = st.datetimes(
    datetime.fromisoformat("1951-01-01"),
    datetime.fromisoformat("2099-12-31"),
    timezones=st.sampled_from([UTC, ZoneInfo("Asia/Shanghai")]),
)


def test_a_mention_tells_where_it_stands_and_how_exact_it_is() -> None:
    text = "我们上周三（5/17）去了"

    found = find(text, SAID)

    assert [text[m.start : m.end] for m in found] == ["上周三", "5/17"]
    assert {m.precision for m in found} == {Precision.DAY}
    assert (found[0].since, found[0].until) == (found[1].since, found[1].until)


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("昨晚八点半", Precision.MOMENT),
        ("last night", Precision.PART),
        ("昨天", Precision.DAY),
        ("last week", Precision.WEEK),
        ("上个月", Precision.MONTH),
        ("last summer", Precision.SEASON),
        ("2019年", Precision.YEAR),
        ("三月到五月", Precision.SPAN),
    ],
)
def test_precision_names_the_span(text: str, precision: Precision) -> None:
    assert [m.precision for m in find(text, SAID)] == [precision]


def test_days_are_those_of_the_place_where_it_was_said() -> None:
    in_london = SAID.astimezone(ZoneInfo("Europe/London"))  # 16:30 on the same day
    in_auckland = SAID.astimezone(ZoneInfo("Pacific/Auckland"))  # already the next day

    assert find("昨天", in_london)[0].since == datetime(2023, 5, 23, tzinfo=ZoneInfo("Europe/London"))
    assert find("昨天", in_auckland)[0].since == datetime(2023, 5, 24, tzinfo=ZoneInfo("Pacific/Auckland"))


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="aware"):
        find("昨天", SAID.replace(tzinfo=None))


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("２０２３年５月８號", "2023年5月8号"),
        ("上週三", "上周三"),
        ("LAST FRIDAY", "last friday"),
        ("New Year’s Eve", "new year's eve"),
        ("聖誕節", "圣诞节"),
        ("兩個月前", "两个月前"),
        ("五月８日　下午３點", "五月8日 下午3点"),
    ],
)
def test_width_case_and_traditional_characters_change_nothing(written: str, plain: str) -> None:
    assert spans(written) == spans(plain) != []


def test_both_languages_are_read_in_one_text() -> None:
    assert spans("我 last week 去了，上周三也去了") == ["2023-05-15 … 2023-05-21", "2023-05-17"]


def test_a_text_without_end_is_read_in_part() -> None:
    assert spans("哈" * MAX_TEXT + "昨天") == []


@pytest.mark.parametrize(
    "text",
    ["", " ", "😀", "9999999年前", "二二二二年", "99/99/99", "0月0日", "2023-13-45", "\x00昨", "50000 years ago"],
)
def test_nonsense_is_no_time(text: str) -> None:
    assert spans(text) == []


@given(said_at=MOMENTS, text=st.sampled_from(EVERYDAY))
def test_spans_are_never_empty_and_stand_in_the_text(said_at: datetime, text: str) -> None:
    for found in find(f"嗯 {text} ok", said_at):
        assert found.since < found.until
        assert found.since.tzinfo is said_at.tzinfo
        assert f"嗯 {text} ok"[found.start : found.end] in text


@given(said_at=MOMENTS)
def test_today_holds_the_moment_and_yesterday_ends_where_it_begins(said_at: datetime) -> None:
    today, yesterday = find("今天", said_at)[0], find("昨天", said_at)[0]

    assert today.since <= said_at < today.until
    assert yesterday.until == today.since


@given(said_at=MOMENTS)
def test_what_a_wider_word_means_holds_what_a_narrower_one_means(said_at: datetime) -> None:
    for narrow, wide in (
        ("上周三", "上周"),
        ("今天", "这周"),
        ("昨晚八点", "昨晚"),
        ("last summer", "last summer"),
        ("月底", "这个月"),
    ):
        inner, outer = find(narrow, said_at)[0], find(wide, said_at)[0]
        assert outer.since <= inner.since < inner.until <= outer.until


@given(said_at=MOMENTS, later=st.integers(0, 6))
def test_a_week_is_the_same_on_each_of_its_days(said_at: datetime, later: int) -> None:
    monday = said_at - timedelta(days=said_at.weekday())

    assert find("last week", monday)[0].since == find("last week", monday + timedelta(days=later))[0].since


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    for found in find(text, SAID):
        assert 0 <= found.start < found.end <= len(text)
