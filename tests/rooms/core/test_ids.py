import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.core.ids import is_ulid, ulid

moments = st.integers(0, (1 << 48) - 1)
entropies = st.binary(min_size=10, max_size=10)


def test_the_example_of_the_specification_is_encoded_as_it_says() -> None:
    assert ulid(1469918176385, bytes(10)) == "01ARYZ6S410000000000000000"


@given(moments, entropies)
def test_every_ulid_has_the_form_of_one(moment: int, entropy: bytes) -> None:
    assert is_ulid(ulid(moment, entropy))


@given(moments, moments, entropies, entropies)
def test_ulids_sort_by_moment_then_entropy(a: int, b: int, x: bytes, y: bytes) -> None:
    assert (ulid(a, x) < ulid(b, y)) == ((a, x) < (b, y))


@pytest.mark.parametrize(
    "text", ["", "1", "01ARYZ6S41000000000000000U", "81ARYZ6S410000000000000000", "01aryz6s410000000000000000"]
)
def test_other_texts_do_not_have_the_form(text: str) -> None:
    assert not is_ulid(text)


def test_a_moment_or_entropy_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="48 bits"):
        ulid(1 << 48, bytes(10))
    with pytest.raises(ValueError, match="10 bytes"):
        ulid(0, bytes(9))
