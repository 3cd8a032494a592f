from collections.abc import Sequence
from datetime import timedelta

import pytest

from echovessel.core.talk import Message, Trouble
from echovessel.prompts.keeper import KEEPER, answer, quoted
from echovessel.prompts.material import ReplyMaterial
from tests.support.prompting import CATALOG, Talk, material, persona, user

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
DOWN = Trouble(code="model-busy", message="429", do="Wait.")


def _zh(text: str, history: Sequence[Message] = (), remembered: Sequence[Sequence[Message]] = ()) -> ReplyMaterial:
    return material(
        burst=[Talk().said("user", text)],
        history=history,
        remembered=remembered,
        by=persona("zh", "林夏"),
        to=user("zh", "小雨"),
    )


def _en(text: str, history: Sequence[Message] = (), remembered: Sequence[Sequence[Message]] = ()) -> ReplyMaterial:
    return material(burst=[Talk().said("user", text)], history=history, remembered=remembered)


def test_its_name_is_that_of_its_template() -> None:
    assert CATALOG.get("keeper", "en").stamp == KEEPER


def test_the_first_answer_says_what_is_missing_and_how_to_put_it_right() -> None:
    for state, words in (
        (_zh("你好"), ("我是看家的小程序，不是林夏", "还没有接上语言模型", "「设置」", "base_url", "原样收好")),
        (
            _en("hello"),
            (
                "I am the keeper",
                "not Mira",
                "No language model is connected",
                "Settings",
                "base_url",
                "kept word for word",
            ),
        ),
    ):
        said = answer(state, CATALOG)
        assert all(word in said for word in words), said


def test_later_it_says_so_in_one_line_that_varies() -> None:
    talk = Talk()
    history: list[Message] = []
    said: list[str] = []
    for i in range(5):
        history.append(talk.said("user", f"hello {i}", HOUR - timedelta(minutes=3 * i)))
        said.append(answer(_en("and again", history), CATALOG))
        history.append(talk.said("persona", said[-1], HOUR - timedelta(minutes=3 * i + 1), made_by=KEEPER))

    assert len(said[0]) > 300
    assert all(len(line) < 100 and "\n" not in line for line in said[1:])
    assert len(set(said)) == 4
    assert said[1] == said[4]


@pytest.mark.parametrize("made_by", ["reply@1 model", KEEPER])
def test_a_new_stretch_begins_after_a_model_spoke_or_after_hours(made_by: str) -> None:
    talk = Talk()
    long_ago = talk.said("persona", "Kept.", 9 * HOUR, made_by=KEEPER)
    since = talk.said("persona", "x", HOUR if made_by != KEEPER else 8 * HOUR, made_by=made_by)

    assert "I am the keeper" in answer(_en("hi", [long_ago, since]), CATALOG)


def test_it_brings_back_what_fits_with_date_and_speaker() -> None:
    talk = Talk()
    passages = [
        [talk.said("user", "我的猫叫年糕，三岁了", 9 * DAY), talk.said("persona", "年糕，好名字", 9 * DAY)],
        [talk.said("persona", "年糕昨天又胖了吧", 3 * DAY)],
    ]

    said = answer(_zh("我那只猫叫什么来着?", remembered=passages), CATALOG)

    assert "· 9天前，周六晚上（2026年11月21日），你说：「我的猫叫年糕，三岁了」" in said
    assert "· 3天前，周五晚上（2026年11月27日），林夏说：「年糕昨天又胖了吧」" in said
    assert "好名字" not in said


def test_it_knows_whose_words_it_repeats() -> None:
    talk = Talk()
    told = talk.said("user", "My cat is called Niangao.", 9 * DAY)
    other = talk.said("persona", "Oh?", 9 * DAY)
    state = _en("my cat?", remembered=[[told, other]])

    assert "Niangao" in answer(state, CATALOG)
    assert quoted(state) == (told.id,)
    assert quoted(_en("my cat?")) == ()


def test_it_takes_from_a_long_message_the_sentence_that_answers() -> None:
    long = (
        "We talked about the weather for a while. " * 20
        + "The key is under the blue flower pot. "
        + "Then we left. " * 20
    )

    said = answer(_en("where is the key?", remembered=[[Talk().said("user", long, 2 * DAY)]]), CATALOG)

    assert "“…The key is under the blue flower pot.…”" in said


def test_its_own_lines_greetings_questions_and_the_burst_are_no_memories() -> None:
    talk = Talk()
    idle = [
        [talk.said("persona", "Kept. A cat?", DAY, made_by=KEEPER)],
        [talk.said("persona", "Hello, cat friend.", DAY, made_by="card")],
        [talk.said("user", "What is my cat called?", DAY)],
        [talk.said("user", "my cat", DAY)],
    ]

    assert "“" not in answer(_en("my cat", remembered=idle), CATALOG)


def test_it_recalls_three_things_at_most_and_none_twice() -> None:
    talk = Talk()
    many = [[talk.said("user", f"cat story {i % 5}", 3 * DAY)] for i in range(10)]

    assert answer(_en("a cat story", remembered=many), CATALOG).count("\n· ") == 3


@pytest.mark.parametrize(
    ("text", "locale", "starts"),
    [
        ("hello", "zh", "I am the keeper"),
        ("你好", "en", "我是看家"),
        ("😀", "zh", "我是看家"),
        ("😀", "en", "I am the keeper"),
    ],
)
def test_it_answers_in_the_language_it_was_spoken_to(text: str, locale: str, starts: str) -> None:
    state = material(burst=[Talk().said("user", text)], to=user(locale), by=persona(locale))

    assert answer(state, CATALOG).startswith(starts)


def test_when_the_model_is_down_it_says_what_happened_in_one_clause_and_what_it_remembers() -> None:
    fact = Talk().said("user", "My cat is called Niangao.", 9 * DAY)

    said = answer(_en("my cat?", remembered=[[fact]]), CATALOG, why=DOWN)

    assert said.startswith("Mira could not answer just now: the model's service is too busy. What you said is kept.")
    assert "Niangao" in said
    assert "Settings" not in said


@pytest.mark.parametrize("end", ["！", "？", "。"])
def test_of_a_long_chinese_message_it_brings_back_the_sentence_that_answers(end: str) -> None:
    rest = f"今天下雨了{end}我在家里看书{end}" * 15
    fact = Talk().said("user", f"{rest}那只猫叫年糕{end}{rest}好", 9 * DAY)

    assert f"…那只猫叫年糕{end}…" in answer(_zh("猫叫什么", remembered=[[fact]]), CATALOG)


def test_every_failure_of_a_model_has_its_clause() -> None:
    codes = ["unreachable", "refused-key", "busy", "rejected", "timeout", "cut", "empty", "garbage"]
    said = {answer(_zh("在吗"), CATALOG, why=Trouble(code=f"model-{c}", message="", do="")) for c in codes}
    said.add(answer(_zh("在吗"), CATALOG, why=Trouble(code="daily-cap", message="", do="")))

    assert len(said) == 9
    assert "没有给出能用的回答" in answer(_zh("在吗"), CATALOG, why=Trouble(code="something-new", message="", do=""))


def test_asked_sincerely_it_says_that_nobody_human_is_there() -> None:
    asked = material(burst=[Talk().said("user", "are you real?")], asks_if_ai=True)

    assert answer(asked, CATALOG).startswith(
        "To answer you truly: no human being is writing here. I am a program, and Mira"
    )


def test_asked_again_it_says_only_that() -> None:
    talk = Talk()
    told = [talk.said("persona", "I am the keeper…", HOUR, made_by=KEEPER)]
    fact = talk.said("user", "A real person told me a story.", DAY)
    asked = material(burst=[talk.said("user", "are you real?")], history=told, remembered=[[fact]], asks_if_ai=True)

    assert (
        answer(asked, CATALOG)
        == "To answer you truly: no human being is writing here. I am a program, and Mira, whenever a model is connected, "
        "is an AI."
    )


def test_what_was_asked_for_comes_before_the_short_line() -> None:
    talk = Talk()
    told = [talk.said("persona", "I am the keeper…", HOUR, made_by=KEEPER)]
    fact = talk.said("user", "My cat is called Niangao.", 9 * DAY)

    said = answer(_en("my cat's name?", told, [[fact]]), CATALOG)

    assert (
        said.splitlines()[1]
        == "· 9 days ago, Saturday evening (21 November 2026), you said: “My cat is called Niangao.”"
    )
    assert said.endswith("so Mira cannot answer yet.")


def test_a_few_words_about_something_else_are_no_memory() -> None:
    assert "“" not in answer(_en("my cat", remembered=[[Talk().said("user", "hi there", DAY)]]), CATALOG)


def test_in_a_crisis_it_points_to_people_and_explains_nothing_else() -> None:
    fact = Talk().said("user", "I like tea.", 9 * DAY)
    crisis = material(burst=[Talk().said("user", "I can't go on")], care=True, remembered=[[fact]])

    said = answer(crisis, CATALOG)

    assert "there are people" in said
    assert not any(word in said for word in ("tea", "Settings", "base_url"))


def test_the_same_state_gives_the_same_words() -> None:
    assert answer(_zh("你好"), CATALOG) == answer(_zh("你好"), CATALOG)
