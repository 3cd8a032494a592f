import pytest

from echovessel.memory.name_mining import MAX_TEXT, links
from echovessel.memory.relations import Owner

SAID = {
    "My sister Anna moved to Leeds.": ("Anna", "姐姐"),
    "Anna is my sister.": ("Anna", "姐姐"),
    "My sister, Anna, is here": ("Anna", "姐姐"),
    "I named the cat Biscuit": ("Biscuit", "猫"),
    "we got another cat named Bailey too": ("Bailey", "猫"),
    "my dog's name is Rex": ("Rex", "狗"),
    "I walked with Biscuit, my dog, yesterday.": ("Biscuit", "狗"),
    "Moira is my boss. Not to be confused with Maureen": ("Moira", "老板"),
    "my best friend Sarah Jones came over": ("Sarah Jones", "闺蜜"),
    "my boss 陈总 again": ("陈总", "老板"),
    "my sister Anna's flat": ("Anna", "姐姐"),
    "我妹妹小雨昨天来了": ("小雨", "妹妹"),
    "我老板叫陈伟": ("陈伟", "老板"),
    "我老闆陳總說要裁員": ("陈总", "老板"),
    "小雨是我妹妹": ("小雨", "妹妹"),
    "那只猫叫年糕": ("年糕", "猫"),
    "我家狗叫Rex": ("Rex", "狗"),
    "我同学李小红来了": ("李小红", "同学"),
    "有个同事叫Kayla": ("Kayla", "同事"),
    "我同事Kayla辞职了": ("Kayla", "同事"),
    "我女儿果果今天上学": ("果果", "女儿"),
    "我老公老郑在阳台种番茄": ("老郑", "老公"),
    "昨天遇到李伟，我同学，": ("李伟", "同学"),
    "我们的猫名字叫“煤球”。": ("煤球", "猫"),
}


@pytest.mark.parametrize(("text", "link"), [*SAID.items()])
def test_a_name_is_given(text: str, link: tuple[str, str]) -> None:
    assert [(found.name, found.relations[0].zh[0], found.owner) for found in links(text)] == [(*link, Owner.SPEAKER)]


@pytest.mark.parametrize(
    "text",
    [
        "Is Anna my sister?",
        "Anna is not my sister",
        "Anna isn't my sister",
        "if I had a dog named Rex",
        "her sister Anna",
        "Anna is my sister's friend",
        "Anna, my mom called",
        "my boss Monday meeting",
        "my girlfriend, Toby and I went",
        "my gf, Toby, and I",
        "Sorry about your dad, Deborah.",
        "my mom Christmas gifts",
        "She is my sister",
        "My sister is Korean",
        "my sister anna",
        "my dad and Uncle Bob",
        "I wish my boss Moira were here",
        "my hot dog Deluxe",
        "你妹妹小雨最近好吗？",
        "小雨不是我妹妹",
        "小雨是我妹妹的同学",
        "她妹妹小雨",
        "如果我有只猫叫年糕",
        "我妈叫我回家",
        "我妈叫小雨吃饭",
        "我妹妹小时候",
        "我妈高兴坏了",
        "猫叫了一晚上",
        "我爸老是抽烟",
        "我哥大学毕业了",
        "我老板叫外卖",
        "谁是我妹妹",
        "我妹妹昨天来了",
        "",
    ],
)
def test_no_name_is_taken_from_a_question_a_denial_a_supposition_or_an_ordinary_word(text: str) -> None:
    assert links(text) == frozenset()


def test_what_is_said_to_the_other_is_about_the_other() -> None:
    (found,) = links("你妹妹小雨挺可爱的")

    assert found.owner is Owner.LISTENER


def test_a_text_without_end_is_read_in_part() -> None:
    assert links("啊" * MAX_TEXT + "。我老板叫陈伟") == frozenset()
