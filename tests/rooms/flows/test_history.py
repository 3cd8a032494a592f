"""A line of a history: what is right is taken, what is wrong is named with its place."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echovessel.core.errors import BadInput
from echovessel.flows.history import Told, read_conversation

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SHANGHAI = ZoneInfo("Asia/Shanghai")


def turn(**fields: object) -> dict[str, object]:
    return {"turn_id": "t1", "speaker": "user", "at": "2025-01-01T08:00:00", "text": "早", **fields}


def line(*turns: object, conv_id: object = "c1") -> str:
    return json.dumps({"conv_id": conv_id, "sessions": [{"turns": list(turns)}]})


def read(text: str, zone: ZoneInfo = SHANGHAI) -> Told:
    return read_conversation(text, zone, NOW)


def test_a_conversation_is_read_in_the_order_of_its_file() -> None:
    text = json.dumps(
        {
            "conv_id": 7,
            "lang": "zh",
            "sessions": [
                {
                    "session_id": "S1",
                    "turns": [turn(turn_id=1, text="一"), turn(turn_id=2, speaker=" 小满 ", text="二")],
                },
                {"turns": [turn(turn_id="3", at="2024-01-01T08:00:00", text="三", mood="good")]},
            ],
        }
    )
    told = read(text)
    assert told.conv_id == "7"
    assert [(s.speaker, s.text) for s in told.said] == [("user", "一"), ("小满", "二"), ("user", "三")]
    assert told.refused == []


@pytest.mark.parametrize(
    ("at", "zone", "utc"),
    [
        ("2025-01-01T08:00:00", "Asia/Shanghai", "2025-01-01T00:00:00"),
        ("2025-07-01 08:00", "Europe/Berlin", "2025-07-01T06:00:00"),
        ("2025-01-01 08:00", "Europe/Berlin", "2025-01-01T07:00:00"),
        ("2025-01-01T08:00:00+08:00", "Europe/Berlin", "2025-01-01T00:00:00"),
        ("2025-01-01T08:00:00Z", "Asia/Shanghai", "2025-01-01T08:00:00"),
        ("2025-01-01", "Asia/Shanghai", "2024-12-31T16:00:00"),
        ("2025-01-01T08:00:00.123456", "UTC", "2025-01-01T08:00:00.123000"),
    ],
)
def test_a_time_without_an_offset_is_in_the_users_zone(at: str, zone: str, utc: str) -> None:
    told = read(line(turn(at=at)), ZoneInfo(zone))
    assert told.said[0].at == datetime.fromisoformat(utc).replace(tzinfo=UTC)


def test_messages_of_one_instant_keep_the_order_of_the_file() -> None:
    turns = [turn(turn_id=i, at="2025-01-01", text=str(i)) for i in range(12)]
    said = read(line(*turns)).said
    assert [s.text for s in sorted(said, key=lambda s: s.at)] == [str(i) for i in range(12)]
    assert said[-1].at - said[0].at == timedelta(milliseconds=11)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (turn(turn_id=None), "no `turn_id`"),
        (turn(turn_id=""), "no `turn_id`"),
        (turn(turn_id=True), "no `turn_id`"),
        (turn(turn_id="x" * 201), "no `turn_id`"),
        (turn(turn_id="a\x00"), "no `turn_id`"),
        (turn(turn_id="\ud800"), "no `turn_id`"),
        (turn(speaker=None), "`speaker`"),
        (turn(speaker="  "), "`speaker`"),
        (turn(text=None), "`text`"),
        (turn(text=7), "`text`"),
        (turn(text=" \n"), "empty"),
        (turn(text="a\x00"), "NUL"),
        (turn(text="\ud800"), "surrogate"),
        (turn(text="x" * 100_001), "100,000"),
        (turn(at=None), "None, not a time"),
        (turn(at=1735689600), "1735689600, not a time"),
        (turn(at="yesterday"), "'yesterday', not a time"),
        (turn(at="2025-02-30"), "not a time"),
        (turn(at="2025-02-03\ud80009:30:00"), "not a time"),
        (turn(at="2025-02-03\x0009:30:00"), "not a time"),
        (turn(at="0001-01-01T00:00:00"), "not a time"),
        (turn(at="9999-12-31T23:59:59-12:00"), "not a time"),
        (turn(at="1969-12-31T23:59:59Z"), "before 1970"),
        (turn(at="2026-03-03T09:00:01Z"), "lies in the future"),
        ("text", "no `turn_id`"),
        (None, "no `turn_id`"),
    ],
)
def test_a_bad_turn_is_named_with_its_place_and_costs_the_others_nothing(bad: object, why: str) -> None:
    told = read(line(turn(turn_id="before"), bad, turn(turn_id="after")))
    assert [s.text for s in told.said] == ["早", "早"]
    assert len(told.refused) == 1
    assert told.refused[0].startswith("session 1, turn 2: ")
    assert why in told.refused[0]
    assert len(told.refused[0]) < 200


@pytest.mark.parametrize("session", [None, 7, "x", [], {}, {"turns": None}, {"turns": "x"}])
def test_a_session_without_turns_is_named(session: object) -> None:
    told = read(json.dumps({"conv_id": "c", "sessions": [session, {"turns": [turn()]}]}))
    assert len(told.said) == 1
    assert told.refused[0].startswith("session 1: ")


def test_a_turn_that_stands_twice_is_taken_once() -> None:
    told = read(line(turn(text="一"), turn(text="二"), turn(text="三", at="2025-01-01T09:00:00")))
    assert [s.text for s in told.said] == ["一", "三"]
    assert told.refused == ["session 1, turn 2: its `turn_id` and `at` stand here twice"]


def test_no_two_messages_share_what_they_are_known_by() -> None:
    known = [
        read(line(turn(turn_id=turn_id, at=at), conv_id=conv_id)).said[0].external_id
        for conv_id, turn_id, at in [
            ("a", "b:c", "2025-01-01"),
            ("a:b", "c", "2025-01-01"),
            ("a", "b:c", "2025-01-02"),
            ("a", 'b","c', "2025-01-01"),
        ]
    ]
    assert len(set(known)) == 4
    assert (
        known[0] == read(line(turn(turn_id="b:c", at="2025-01-01"), conv_id="a"), ZoneInfo("UTC")).said[0].external_id
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"conv_id": ' + "9" * 5000 + ', "sessions": []}', "not JSON"),
        ("[]", "no `conv_id`"),
        ("null", "no `conv_id`"),
        ('{"sessions": []}', "no `conv_id`"),
        ('{"conv_id": "c"}', "no `conv_id` and `sessions`"),
        ('{"conv_id": "c", "sessions": {}}', "no `conv_id` and `sessions`"),
        ('{"conv_id": "", "sessions": []}', "no `conv_id`"),
        ('{"conv_id": "c", "sessions": []}', "no message"),
        ('{"conv_id": "c", "sessions": [{"turns": []}]}', "no message"),
    ],
)
def test_a_line_that_is_no_conversation_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        read(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
AT = st.datetimes().map(datetime.isoformat) | JSON
TURNS: st.SearchStrategy[Any] = JSON | st.fixed_dictionaries({"turn_id": JSON, "speaker": JSON, "at": AT, "text": JSON})
SESSIONS = JSON | st.fixed_dictionaries({"turns": JSON | st.lists(TURNS, max_size=4)})
LINES = JSON | st.fixed_dictionaries({"conv_id": JSON, "sessions": JSON | st.lists(SESSIONS, max_size=3)})


@settings(max_examples=300, deadline=None)
@given(LINES.map(json.dumps) | st.text(max_size=40))
def test_any_line_is_a_conversation_or_bad_input(text: str) -> None:
    try:
        told = read(text)
    except BadInput:
        return
    assert told.said or told.refused
    for said in told.said:
        assert said.text.strip()
        assert datetime(1970, 1, 1, tzinfo=UTC) <= said.at <= NOW + timedelta(days=1, seconds=1)
