import pytest

from echovessel.memory.time_numbers import han_number, how_many, ordinal


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("三", 3),
        ("两", 2),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("二十三", 23),
        ("一百", 100),
        ("一百零五", 105),
        ("一百二十", 120),
        ("二〇二三", 2023),
        ("一九九八", 1998),
        ("23", 23),
        ("零", 0),
        ("几", None),
        ("", None),
        ("三三十", None),
        ("²", None),
    ],
)
def test_chinese_numerals(text: str, number: int | None) -> None:
    assert han_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [("8", 8), ("8th", 8), ("second", 2), ("22nd", 22), ("twenty-first", 21), ("thirtieth", 30), ("many", None)],
)
def test_ordinals(text: str, number: int | None) -> None:
    assert ordinal(text) == number


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("three", (3, 3)),
        ("a", (1, 1)),
        ("a few", (2, 5)),
        ("a couple of", (2, 3)),
        ("两三", (2, 3)),
        ("几", (2, 5)),
        ("12", (12, 12)),
        ("no", None),
    ],
)
def test_how_many_an_inexact_number_may_be(text: str, many: tuple[int, int] | None) -> None:
    assert how_many(text) == many
