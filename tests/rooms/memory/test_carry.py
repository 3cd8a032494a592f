from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.memory.carry import MOST_CHARACTERS, MOST_MESSAGES, carried

BEFORE = ["刚跟阿明视频，他说工地快收尾了", "那快团圆了。", "ines made conchas this morning"]


@pytest.mark.parametrize(
    "burst",
    [
        "where is she from, I forget",
        "why did he get fired again?",
        "what was in it?",
        "what about that one?",
        "and then?",
        "why?",
        "how come",
        "and Berlin?",
        "Do you remember that?",
        "was he happy there?",
        "what did they say",
        "then?",
        "她把那张纸收哪儿去了？",
        "那回他闷了好一阵，是因为我说了什么？",
        "后来呢",
        "然后呢？",
        "为什么",
        "那家的主人有什么怪癖来着？",
        "它叫什么名字",
        "还有呢",
        "她當時說了什麼",
        "你觉得呢",
        "那柏林呢？",
    ],
)
def test_a_burst_that_points_back_takes_along_what_was_said(burst: str) -> None:
    assert carried(burst, BEFORE) == "\n".join(BEFORE)


@pytest.mark.parametrize(
    "burst",
    [
        "Where does my sister work these days?",
        "How is my mom?",
        "I finally finished the marathon in under four hours",
        "it's raining again today",
        "What time is it in Toronto now?",
        "Where did I find my grey cat and what did its ear look like?",
        "remember when we fed the ducks in Utrecht",
        "我妈最近怎么样",
        "我想吃火锅",
        "去年腊月里头喝粥那天，给几家送去了？",
        "大吴在上海过得怎么样，上回通话她讲的？",
        "这个周末去爬山",
        "拉胡琴的老先生寄来曲子了没有",
    ],
)
def test_a_burst_that_says_what_it_is_about_stands_alone(burst: str) -> None:
    assert carried(burst, BEFORE) is None


@pytest.mark.parametrize(
    "burst",
    [
        "",
        "  ",
        "ok",
        "lol ok",
        "Thanks!",
        "good night",
        "嗯嗯",
        "哈哈哈哈",
        "好的，谢谢",
        "早呀",
        "在吗？",
        "😀",
        "...",
    ],
)
def test_what_asks_for_nothing_takes_nothing_along(burst: str) -> None:
    assert carried(burst, BEFORE) is None


def test_with_nothing_said_before_there_is_nothing_to_take_along() -> None:
    assert carried("why?", []) is None
    assert carried("why?", ["", "嗯", "ok"]) is None


def test_only_the_last_messages_are_taken_and_only_their_ends() -> None:
    talk = [f"message number {n} about gardens" for n in range(20)]

    few = carried("why?", talk)
    long = carried("why?", ["tulips " * 100])

    assert few is not None
    assert few.splitlines() == talk[-len(few.splitlines()) :]
    assert len(few.splitlines()) <= MOST_MESSAGES
    assert long is not None
    assert len(long) <= MOST_CHARACTERS


def test_what_tells_enough_is_not_followed_further_back() -> None:
    full = (
        "Marco hid behind the bananas at the market today because nobody should see his ridiculous purple velvet jacket"
    )

    assert carried("why did he?", ["we painted the kitchen", full]) == full


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=6))
def test_what_is_carried_was_said(burst: str, before: list[str]) -> None:
    context = carried(burst, before)
    said = {" ".join(message.split()) for message in before}

    assert context is None or set(context.split("\n")) <= said


@pytest.mark.parametrize(
    "word", ["nope", "no", "thank you", "thanks", "okay", "早上好", "好的", "是的，太好了", "Good night!"]
)
def test_an_answer_or_a_greeting_asks_for_nothing(word: str) -> None:
    assert carried(word, BEFORE) is None


def test_a_long_row_of_small_words_is_read_at_once() -> None:
    began = perf_counter()

    for words in ("好哦", "早啊", "嗯哦", "早好"):
        carried(words * 150 + "喵", ["昨天去了海边"])

    assert perf_counter() - began < 2
