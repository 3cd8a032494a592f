import re

import pytest

from echovessel.memory import name_shapes
from echovessel.memory.name_shapes import shaped_like_a_name


@pytest.mark.parametrize(
    ("shape", "text", "name"),
    [
        (name_shapes.ZH, "小雨昨天来了", "小雨"),
        (name_shapes.ZH, "陈伟说", "陈伟"),
        (name_shapes.ZH, "李小红来了", "李小红"),
        (name_shapes.ZH, "张和平。", "张和平"),
        (name_shapes.ZH, "陈总要走", "陈总"),
        (name_shapes.ZH, "老郑在家", "老郑"),
        (name_shapes.ZH, "豆豆，", "豆豆"),
        (name_shapes.ZH, "Kayla辞职了", "Kayla"),
        (name_shapes.ZH, "昨天来了", None),
        (name_shapes.ZH_PET, "年糕", "年糕"),
        (name_shapes.ZH_PET, "得很凶", None),
        (name_shapes.EN, "Anna moved", "Anna"),
        (name_shapes.EN, "Sarah Jones came", "Sarah Jones"),
        (name_shapes.EN, "Mr. Dhillon and", "Mr. Dhillon"),
        (name_shapes.EN, "Jean-Luc is", "Jean-Luc"),
        (name_shapes.EN, "anna moved", None),
    ],
)
def test_a_name_at_the_beginning_of_a_text(shape: re.Pattern[str], text: str, name: str | None) -> None:
    found = shape.match(text)

    assert (found[0] if found else None) == name


@pytest.mark.parametrize("text", ["小雨", "陈伟", "老郑", "Anna", "Mr. Dhillon", "豆豆", "小敏"])
def test_names(text: str) -> None:
    assert shaped_like_a_name(text)


@pytest.mark.parametrize(
    "text", ["小时", "小时候", "高兴", "老是", "大学", "妈妈", "Monday", "She", "Christmas Day", "English", "周末"]
)
def test_ordinary_words_of_that_shape(text: str) -> None:
    assert not shaped_like_a_name(text)
