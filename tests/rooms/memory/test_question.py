"""A question is read without the names of the two, and says whose words it is after."""

import math

import pytest

from echovessel.core.talk import Speaker
from echovessel.memory.question import ask, terms


@pytest.mark.parametrize(
    ("text", "rest", "about"),
    [
        ("When did Ada go to the museum?", "When did go to the museum?", Speaker.USER),
        ("What is ada's sister called?", "What is sister called?", Speaker.USER),
        ("What does 小满 like to read?", "What does like to read?", Speaker.PERSONA),
        ("What did Ada tell 小满?", "What did tell ?", None),
        ("小满，你还记得我的猫叫什么吗", "，你还记得我的猫叫什么吗", Speaker.USER),
        ("What do I do on Sundays?", "What do I do on Sundays?", Speaker.USER),
        ("那家面包店在哪里", "那家面包店在哪里", None),
        ("Adamant people", "Adamant people", None),
    ],
)
def test_names_are_taken_out_and_say_whose_words_are_meant(text: str, rest: str, about: Speaker | None) -> None:
    asked = ask(text, user_name="Ada Lovelace", persona_name="小满")

    assert (asked.text, asked.about) == (rest, about)


def test_nothing_but_a_name_is_kept_as_it_is() -> None:
    assert ask("小满", user_name="", persona_name="小满").text == "小满"


@pytest.mark.parametrize("name", ["", " ", "月", "The"])
def test_a_name_that_is_part_of_other_words_is_left_in(name: str) -> None:
    assert ask("上个月 in the park", user_name="", persona_name=name).text == "上个月 in the park"


def test_a_name_is_no_pattern() -> None:
    assert ask("Is (.*) fine?", user_name="(.*)", persona_name="[").text == "Is fine?"


def test_what_is_said_more_often_weighs_more_but_not_as_often() -> None:
    assert terms("piano, piano and violin") == {"piano": 1 + math.log(2), "violin": 1}


def test_grammar_counts_only_when_there_is_nothing_else() -> None:
    assert set(terms("你的猫")) == {"猫", "的猫"}
    assert set(terms("你的")) == {"你", "的", "你的"}
    assert terms("…") == {}
