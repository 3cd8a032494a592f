import pytest

from echovessel.memory.time_asked import asks_when


@pytest.mark.parametrize(
    "text",
    [
        "When did Anna move?",
        "when's your birthday",
        "When is the exam?",
        "Do you remember when we met?",
        "How long ago was that?",
        "What day was it?",
        "Which year did you graduate?",
        "What time do you get up?",
        "How long has it been?",
        "since when?",
        "whens my first day",
        "How long has she lived there?",
        "How many months passed in between?",
        "how many years ago",
        "我什么时候搬的家？",
        "我哪天去的医院",
        "你生日是几月几号",
        "几号发工资",
        "多久以前的事了",
        "那是哪一年？",
        "星期几来着",
        "我妈是何时住院的",
        "啥时候回来",
        "我什麼時候說的",
        "哪个月交房租",
        "我们认识多久了？",
        "几年前的事",
    ],
)
def test_it_asks_when(text: str) -> None:
    assert asks_when(text)


@pytest.mark.parametrize(
    "text",
    [
        "When I was a kid I had a dog",
        "Call me when you are home",
        "什么时候都行",
        "不管什么时候我都在",
        "好几天没睡",
        "过几天去看你",
        "这几年很难",
        "几点建议",
        "时间过得真快",
        "What a day",
        "I had the time of my life",
        "whenever you like",
        "十几号人",
        "我弟上几年级",
        "",
    ],
)
def test_it_does_not(text: str) -> None:
    assert not asks_when(text)
