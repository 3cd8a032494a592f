import pytest

from tests.support.times import spans


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2023-05-08", "2023-05-08"),
        ("2023/5/8", "2023-05-08"),
        ("2023.5.8", "2023-05-08"),
        ("2023-05", "2023-05-01 … 2023-05-31"),
        ("5/8/2023", "2023-05-08"),
        ("25/12/2022", "2022-12-25"),
        ("12/25/22", "2022-12-25"),
        ("on 5/8", "2023-05-08"),
        ("by 25/12", "2022-12-25"),
        ("5/8去的", "2023-05-08"),
        ("我们5/8见过", "2023-05-08"),
    ],
)
def test_dates_in_digits(text: str, meant: str) -> None:
    assert spans(text) == [meant]


@pytest.mark.parametrize(
    "text", ["24/7", "5/8", "1/2 a cup", "3.14", "10-20 people", "2023-13-01", "31/31/2020", "192.168.1.1"]
)
def test_other_numbers_are_none(text: str) -> None:
    assert spans(text) == []
