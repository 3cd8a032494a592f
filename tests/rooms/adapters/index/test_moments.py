"""Times that messages name, beside the times that a question names."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from echovessel.adapters.index.moments import Moments, agreement, nearness
from echovessel.memory.time_expr import find

NOON = datetime(2025, 6, 18, 12, tzinfo=UTC)


def at(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def told(text: str, said_at: datetime = NOON) -> tuple[tuple[int, int], ...]:
    return Moments().of(0, text, at(said_at), UTC)


def test_what_was_said_at_the_time_asked_about_is_nearest() -> None:
    asked = find("what did I say yesterday?", NOON)
    said_at = np.array([at(NOON - timedelta(days=days)) for days in (0, 1, 2, 30)])

    near = nearness(said_at, asked)

    assert near[1] == 1
    assert near[0] == pytest.approx(near[2], abs=0.03)
    assert 0.7 < near[0] < 1
    assert near[3] < 1e-4
    assert nearness(said_at, ()).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("text", "question", "low", "high"),
    [
        ("I saw her on 16 June", "what was on June 16?", 1, 1),
        ("我前天见到她了", "16号我做了什么", 1, 1),
        ("this week is mad", "what was on June 16?", 0.5, 0.7),
        ("in May it rained", "what was on June 16?", 0, 0),
        ("no time at all", "what was on June 16?", 0, 0),
    ],
)
def test_a_time_that_is_told_agrees_with_the_same_time_asked_about(
    text: str, question: str, low: float, high: float
) -> None:
    assert low <= agreement(told(text), find(question, NOON)) <= high


def test_yesterday_is_yesterday_where_it_was_said() -> None:
    late = datetime(2025, 6, 18, 17, tzinfo=UTC)  # the 19th in Shanghai

    [(since, _)] = Moments().of(0, "昨天", at(late), ZoneInfo("Asia/Shanghai"))

    assert since == at(datetime(2025, 6, 18, tzinfo=ZoneInfo("Asia/Shanghai")))


def test_another_zone_reads_anew() -> None:
    moments = Moments()
    late = at(datetime(2025, 6, 18, 17, tzinfo=UTC))

    here = moments.of(0, "昨天", late, UTC)

    assert moments.of(0, "昨天", late, ZoneInfo("Asia/Shanghai")) != here
    assert moments.of(0, "昨天", late, UTC) == here
