"""The measures, by hand."""

import math
from datetime import UTC, datetime, timedelta

import pytest

from echovessel.runtime.recall_bench.data import Question, Told
from echovessel.runtime.recall_bench.metrics import judge, summarise

NOW = datetime(2024, 12, 31, tzinfo=UTC)


def told(**days_ago: int) -> Told:
    return Told(
        conv_id="c",
        line="",
        person="Ada",
        me="Ada",
        other="Bo",
        session_of={turn: f"s{turn[0]}" for turn in days_ago},
        said_at={turn: NOW - timedelta(days=days) for turn, days in days_ago.items()},
    )


def asking(*groups: set[str], category: str = "fact", lang: str = "", headline: bool = True) -> Question:
    return Question(
        conv_id="c",
        text="?",
        category=category,
        lang=lang,
        asked_at=NOW,
        headline=headline,
        evidence=tuple(frozenset(group) for group in groups),
    )


TALK = told(a1=200, a2=200, b1=20, b2=20, c1=3)


def test_a_group_is_found_at_its_first_turn() -> None:
    measures = judge(asking({"b1", "b2"}, {"c1"}), ["a1", "b2", "b1", "a2", "c1"], TALK).measures

    assert measures["R@1"] == 0
    assert measures["R@5"] == 1
    assert measures["MRR"] == 1 / 2
    assert measures["nDCG@10"] == pytest.approx(
        (1 / math.log2(3) + 1 / math.log2(6)) / (1 / math.log2(2) + 1 / math.log2(3))
    )


def test_what_is_found_twice_counts_once_and_what_is_not_found_is_nothing() -> None:
    measures = judge(asking({"c1"}, {"a1"}), ["b1", "b1", "c1"], TALK).measures

    assert measures["R@10"] == 1 / 2
    assert measures["MRR"] == 1 / 2
    assert judge(asking({"c1"}), [], TALK).measures["MRR"] == 0


def test_sessions_stand_where_their_best_turn_does() -> None:
    many = {f"{letter}1": 1 for letter in "abcdefg"}

    assert judge(asking({"e1"}), ["a1", "b1", "c1", "d1", "e1"], told(**many)).measures["S@5"] == 1
    assert judge(asking({"f1"}), ["a1", "b1", "c1", "d1", "e1", "f1"], told(**many)).measures["S@5"] == 0


def test_only_headline_questions_count_in_the_averages() -> None:
    judged = [
        judge(asking({"b1"}), ["b1"], TALK),
        judge(asking({"a1"}), ["b1"], TALK),
        judge(asking({"c1"}, category="other", headline=False), ["b1"], TALK),
    ]

    summary = summarise(judged)

    assert (summary.measures["R@1"].value, summary.measures["R@1"].n) == (1 / 2, 2)
    assert {kind: each["R@10"].value for kind, each in summary.kinds.items()} == {"fact": 1 / 2, "other": 0}
    assert {age: figure.value for age, figure in summary.ages.items()} == {"8–30 d": 1, "181 d and more": 0}
    assert summary.old_to_new is not None
    assert summary.old_to_new.value == 0


def test_languages_are_told_apart_where_questions_name_one() -> None:
    judged = [
        judge(asking({"b1"}, lang="zh"), ["b1"], TALK),
        judge(asking({"b1"}, lang="en"), ["a1"], TALK),
        judge(asking({"b1"}, lang="en"), ["b1"], TALK),
    ]

    assert {lang: f.value for lang, f in summarise(judged).languages.items()} == {"en": 1 / 2, "zh": 1}
    assert summarise([judge(asking({"b1"}), ["b1"], TALK)]).languages == {}


def test_without_old_or_new_evidence_there_is_no_ratio() -> None:
    assert summarise([judge(asking({"c1"}), ["c1"], TALK)]).old_to_new is None


def test_evidence_that_is_nowhere_is_not_found_and_has_no_age() -> None:
    judged = judge(asking({"zz"}), ["a1"], TALK)

    assert judged.measures["R@20"] == judged.measures["S@5"] == 0
    assert summarise([judged]).ages == {}


def test_nothing_to_average() -> None:
    with pytest.raises(ValueError, match="no question"):
        summarise([judge(asking({"c1"}, headline=False), ["c1"], TALK)])
