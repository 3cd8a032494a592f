"""A question about oneself is no call for help."""

import pytest

from echovessel.memory.self_asked import asks_of_self


@pytest.mark.parametrize(
    "text",
    [
        "What time do I get up on Tuesdays?",
        "which of my aunts lives by the sea??",
        "can't remember: what did I name the cat?",
        "How do I usually take my coffee?",
        "tell me what my sister studies?",
        "我的车是什么牌子的？",
        "我跟她是怎么认识的？",
        "我喜歡什麼類型的音樂？",
    ],
)
def test_what_only_the_past_can_tell_asks_of_oneself(text: str) -> None:
    assert asks_of_self(text)


@pytest.mark.parametrize(
    "text",
    [
        "How do I boil an egg?",
        "Could you help me with a poem?",
        "Should I bake or fry it?",
        "What is the capital of Peru?",
        "my phone is full again",
        "帮我翻译一下这句可以吗？",
        "我怎么把两列合并？",
        "请问我国有几个时区？",
        "珠穆朗玛峰有多高？",
        "",
    ],
)
def test_a_call_for_help_a_general_question_and_a_remark_do_not(text: str) -> None:
    assert not asks_of_self(text)
