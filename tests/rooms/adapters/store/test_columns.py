from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql, sqlite

from echovessel.adapters.store.columns import Instant, Record, Words

SQLITE, POSTGRES = sqlite.dialect(), postgresql.dialect()
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=ZONES)  # noqa: DTZ001 - the zone is drawn


def _kept(moment: datetime) -> int:
    kept = Instant().process_bind_param(moment, SQLITE)
    assert isinstance(kept, int)
    return kept


@given(MOMENTS)
def test_every_microsecond_comes_back_in_utc(moment: datetime) -> None:
    back = Instant().process_result_value(_kept(moment), SQLITE)

    assert back == moment
    assert back is not None
    assert back.tzinfo is UTC


@given(MOMENTS, MOMENTS)
def test_what_is_kept_sorts_as_time_does(one: datetime, other: datetime) -> None:
    assert (_kept(one) < _kept(other)) == (one < other)


def test_postgres_keeps_instants_by_itself() -> None:
    moment = datetime(2026, 3, 2, 9, tzinfo=timezone(timedelta(hours=8)))

    assert Instant().process_bind_param(moment, POSTGRES) is moment
    assert Instant().process_result_value(moment, POSTGRES) == moment


@pytest.mark.parametrize("dialect", [SQLITE, POSTGRES], ids=["sqlite", "postgresql"])
def test_a_naive_moment_is_refused(dialect: sqlite.dialect) -> None:
    with pytest.raises(ValueError, match="time zone"):
        Instant().process_bind_param(datetime(2026, 3, 2, 9), dialect)  # noqa: DTZ001 - that is the point


def test_nothing_stays_nothing() -> None:
    assert Instant().process_bind_param(None, SQLITE) is None
    assert Instant().process_result_value(None, SQLITE) is None


def test_texts_anywhere_in_a_record_are_kept_as_words_are() -> None:
    odd, kept = "a\x00\ud83d", "a\ufffd"

    assert Words().process_bind_param(odd, SQLITE) == kept
    assert Record().process_bind_param({odd: [odd, {"n": 1, "none": None}]}, POSTGRES) == {
        kept: [kept, {"n": 1, "none": None}]
    }
    assert Words().process_bind_param(None, SQLITE) is None
    assert Record().process_bind_param(None, SQLITE) is None
