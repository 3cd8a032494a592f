"""What only looks like a time in Chinese."""

import pytest

from echovessel.memory.time_feasts import ZH
from tests.support.times import spans


@pytest.mark.parametrize(
    "text",
    [
        "你一天到晚玩手机",
        "他三天两头请假",
        "等我一会儿",
        "我在五一路等你",
        "坐1号线去",
        "周末愉快！",
        "以后天天给你做饭",
        "每周三开会",
        "每个星期三",
        "一周三次",
        "五一广场",
        "住在3号楼",
        "三个月",
        "等了两年",
        "五月天的演唱会",
        "今日头条",
        "先天后天努力",
        "七日游",
        "这周围都是树",
        "上下班",
        "早上好",
        "晚安",
        "十年级",
        "春天真好",
        "我喜欢秋天",
        "三年级",
        "一年中国际",
        "二十四节气歌",
        "房租涨到2000",
        "地铁10号线",
        "第3号选手",
        "半天没说话",
        "五年了",
        "路过年糕店",
        "清明上河图",
        "月亮",
        "小年轻",
    ],
)
def test_it_is_no_time(text: str) -> None:
    assert spans(text) == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("上周一起去吃饭", "2023-05-15 … 2023-05-21"),
        ("这周天气很好", "2023-05-22 … 2023-05-28"),
        ("下周六次面试", "2023-05-29 … 2023-06-04"),
        ("五一去了杭州", "2023-05-01"),
        ("今天天气", "2023-05-24"),
        ("晚上月亮很圆，上月的事", "2023-04-01 … 2023-04-30"),
    ],
)
def test_what_follows_decides_where_it_ends(text: str, meant: str) -> None:
    assert spans(text) == [meant]


@pytest.mark.parametrize("name", sorted(ZH))
def test_every_festival_is_found_by_its_name(name: str) -> None:
    assert len(spans(f"去年{name}我们在一起")) == 1
