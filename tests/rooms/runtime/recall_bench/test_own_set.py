"""A talk of ours is imported as any history is, and its questions are known by its turns."""

import json
from datetime import UTC, datetime
from pathlib import Path

from echovessel.core.talk import Speaker
from echovessel.runtime.recall_bench.own_set import read_own

DATA = Path(__file__).parents[3] / "data" / "recall"


def test_each_half_has_its_talks() -> None:
    assert [told.conv_id for told in read_own(DATA, "tune").conversations] == ["violin", "violin-coach"]
    assert [told.conv_id for told in read_own(DATA, "test").conversations] == ["kitten"]


def test_a_talk_becomes_a_history_of_its_sessions() -> None:
    told = read_own(DATA, "tune").conversations[0]

    row = json.loads(told.line)
    assert [len(session["turns"]) for session in row["sessions"]] == [3, 3, 3]
    assert row["sessions"][1]["turns"][0] == {
        "turn_id": "violin:4",
        "speaker": "Ada",
        "at": "2025-02-05T21:30:00+01:00",
        "text": "I took in a small cat today.",
    }
    assert (told.me, told.other, told.zone, told.locale) == ("Ada", "Bo", "Europe/Berlin", "en")
    assert told.own_lines[:2] == ("My violin lesson is on Friday now.", "Mrs Lindqvist, in the old mill.")
    assert told.session_of["violin:4"] == told.session_of["violin:6"] != told.session_of["violin:7"]
    assert told.said_at["violin:1"] == datetime(2025, 1, 5, 9, 0, tzinfo=UTC)


def test_one_user_with_two_personas_is_one_person() -> None:
    violin, coach = read_own(DATA, "tune").conversations

    assert violin.person == coach.person
    assert violin.other != coach.other


def test_a_question_where_nothing_should_come_up_counts_in_no_average() -> None:
    lesson, name, sum_, *_ = read_own(DATA, "tune").questions

    assert lesson.evidence == (frozenset({"violin:1"}),)
    assert lesson.headline
    assert name.context[0] == (Speaker.USER, "The small cat is asleep.")
    assert (sum_.category, sum_.evidence, sum_.headline) == ("unrelated", (), False)
