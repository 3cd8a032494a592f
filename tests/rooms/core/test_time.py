from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from echovessel.core.errors import BadInput
from echovessel.core.time import day_begins, from_milliseconds, is_utc, iso, milliseconds, require_utc, zone

SHANGHAI = timezone(timedelta(hours=8))


def test_an_instant_is_told_in_utc() -> None:
    assert iso(datetime(2026, 3, 2, 9, 30, 1, 123456, tzinfo=SHANGHAI)) == "2026-03-02T01:30:01.123Z"


def test_a_time_without_a_zone_is_not_an_instant() -> None:
    with pytest.raises(ValueError, match="needs a time zone"):
        require_utc(datetime(2026, 3, 2))  # noqa: DTZ001


@given(st.integers(0, 4_102_444_800_000))
@example(536_870_911)
def test_milliseconds_there_and_back(value: int) -> None:
    assert milliseconds(from_milliseconds(value)) == value


def test_zones_are_iana_names() -> None:
    assert datetime(2026, 7, 1, tzinfo=UTC).astimezone(zone("Europe/Berlin")).hour == 2


@pytest.mark.parametrize("name", ["", "Shanghai", "../etc/passwd", "Asia/\0", "/usr", "x" * 5000])
def test_anything_else_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(BadInput, match="no time zone") as refusal:
        zone(name)
    assert refusal.value.field == "zone"
    assert "Asia/Shanghai" in refusal.value.do


@pytest.mark.parametrize(
    ("name", "utc"), [("UTC", True), ("Etc/UTC", True), ("Zulu", True), ("Etc/GMT-8", False), ("Asia/Shanghai", False)]
)
def test_utc_is_known_by_each_of_its_names(name: str, utc: bool) -> None:
    assert is_utc(name) is utc


def test_a_day_begins_at_local_midnight_also_when_clocks_change() -> None:
    after_the_jump = datetime(2026, 3, 29, 12, 0, tzinfo=UTC)
    assert day_begins(after_the_jump, "Europe/Berlin") == datetime(2026, 3, 28, 23, 0, tzinfo=UTC)
