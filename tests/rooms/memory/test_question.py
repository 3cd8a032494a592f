"""A question is read without the names of the two, and says whose words it is after."""

import math
from datetime import UTC, datetime
from time import perf_counter

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


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("What did Anna Berg bring from the trip?", True),
        ("Anna's birthday is when?", True),
        ("我想知道安娜喜欢什么", True),
        ("who lent the money to Anna?", True),
        ("Anna, what is a leap year?", False),
        ("good night Anna", False),
        ("hey Anna what is a leap year?", False),
        ("谢谢安娜你真好", False),
        ("晚安，安娜", False),
        ("安娜，“囊中羞涩”是啥意思", False),
        ("tell me about Annabel", False),
        ("what is a leap year?", False),
    ],
)
def test_telling_of_someone_is_not_calling_them(text: str, tells: bool) -> None:
    name = "安娜" if "安娜" in text else "Anna Berg"

    assert ask(text, user_name=name, persona_name="Bo").tells_of is tells


def test_the_persona_is_told_of_only_in_a_question_that_speaks_to_nobody() -> None:
    told, called, said = (
        ask(text, user_name="Bo", persona_name="Anna").tells_of
        for text in ("What did Anna bring?", "come on Anna tell me what you had?", "right then Anna I am off")
    )

    assert (told, called, said) == (True, False, False)


def test_the_length_is_that_of_all_that_was_put_not_of_what_goes_along() -> None:
    alone = ask("又失眠了", user_name="Bo", persona_name="Anna", before="昨晚几点睡的")
    talk = ask("Anna: 怎么了？\nBo: 又失眠了", user_name="Bo", persona_name="Anna")

    assert alone.length == 4
    assert talk.length > alone.length


TALK = """Lisa: I found a wallet in the park today!
Assistant: That is kind of you. Did its owner thank you?
Lisa: He gave me an ice cream"""


def test_of_a_written_talk_the_last_speakers_lines_are_asked_and_the_others_weigh_less() -> None:
    asked = ask(TALK, user_name="Ada", persona_name="Juno")

    assert asked.text == "I found a wallet in the park today!\nHe gave me an ice cream"
    assert asked.terms["wallet"] == 1 > asked.terms["owner"] > 0


@pytest.mark.parametrize(
    "text",
    [
        "Note: buy milk",
        "one: a\nno speaker here\ntwo: b",
        "it is 10:30\nand then 11:15",
        "a: 1\nb: 2\nc: 3\nd: 4\ne: 5",
    ],
)
def test_what_is_no_talk_is_asked_as_it_is(text: str) -> None:
    assert ask(text, user_name="", persona_name="").text == text


def test_what_goes_along_is_embedded_too_and_its_words_weigh_half() -> None:
    asked = ask("did she agree?", user_name="", persona_name="", before="my sister Anna wants to move")

    assert asked.text == "my sister Anna wants to move\ndid she agree?"
    assert asked.terms["agre"] == 1
    assert asked.terms["anna"] == 0.5


def test_a_time_asked_about_is_one_that_had_begun_and_is_no_longer_than_a_year() -> None:
    at = datetime(2025, 6, 18, 20, tzinfo=UTC)

    def times(text: str) -> list[str]:
        return [text[m.start : m.end] for m in ask(text, user_name="", persona_name="", asked_at=at).times]

    assert times("what did I do last week?") == ["last week"]
    assert times("国庆那几天我去了哪") != []
    assert times("what shall we do tomorrow?") == []
    assert ask("last week?", user_name="", persona_name="").times == ()


@pytest.mark.parametrize(
    ("text", "when"), [("when did I move?", True), ("我哪天搬的家？", True), ("我搬去哪了？", False)]
)
def test_whether_a_time_is_the_answer(text: str, when: bool) -> None:
    assert ask(text, user_name="", persona_name="").asks_when is when


@pytest.mark.parametrize(
    "text",
    ["时间：明天下午三点\n地点：西湖边的茶馆", "周一：跑步\n周二：游泳\n周三：休息", "PS: bring bread\nBTW: I am late"],
)
def test_a_list_is_no_written_talk(text: str) -> None:
    asked = ask(text, user_name="Bo", persona_name="Anna")

    assert asked.text == text
    assert not asked.tells_of


@pytest.mark.parametrize(
    ("name", "text"), [("Иван", "Ивановна пришла"), ("Zoë", "Zoëlle rang"), ("Éva", "the Évalines")]
)
def test_a_name_is_no_part_of_another_word_in_any_script_with_spaces(name: str, text: str) -> None:
    asked = ask(text, user_name=name, persona_name="Bo")

    assert asked.text == text
    assert asked.about is None


def test_a_name_said_thousands_of_times_is_read_at_once() -> None:
    began = perf_counter()

    ask("Ann, " * 8000, user_name="Ann", persona_name="Bo")

    assert perf_counter() - began < 2
