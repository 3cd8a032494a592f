"""What only looks like a time in English."""

import pytest

from echovessel.memory.time_feasts import EN
from tests.support.times import spans


@pytest.mark.parametrize(
    "text",
    [
        "You may be right",
        "We march on",
        "wait a second",
        "a second chance",
        "every Friday we play",
        "on Fridays",
        "24/7",
        "1/2 cup of milk",
        "a score of 9/10",
        "I ran for three days",
        "it took two weeks",
        "good morning!",
        "in the morning",
        "the sun sat low",
        "fall asleep",
        "spring rolls",
        "I have 2000 dollars",
        "2019 people came",
        "3 pm",
        "next to me",
        "last name",
        "this one",
        "the 5th floor",
        "call 911",
        "version 3.10.2",
        "in a minute of silence",
        "Augustus came",
        "he's 20 years old",
        "one day at a time",
        "day by day",
        "some weeks are hard",
        "I finished it in three days",
        "March on!",
        "decent",
        "the past is past",
        "mayor",
        "a marching band",
        "in the middle of the room",
        "I love summer",
        "0:1",
    ],
)
def test_it_is_no_time(text: str) -> None:
    assert spans(text) == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("on 5/8 we met", "2023-05-08"),
        ("In may I was ill", "2023-05-01 … 2023-05-31"),
        ("the last week of April", "2023-04-24 … 2023-04-30"),
        ("It was in the fall of 2021", "2021-09-01 … 2021-11-30"),
    ],
)
def test_what_stands_beside_decides(text: str, meant: str) -> None:
    assert spans(text) == [meant]


@pytest.mark.parametrize("name", sorted(EN))
def test_every_festival_is_found_by_its_name(name: str) -> None:
    assert len(spans(f"We were together on {name} last year")) == 1
