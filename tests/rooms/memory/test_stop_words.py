"""Grammar is no search term; names, things and numbers are."""

import pytest

from echovessel.core.text import tokens
from echovessel.memory.stop_words import is_stop_word


@pytest.mark.parametrize("text", ["the", "Where", "don't", "does", "的", "我们", "什么", "是不"])
def test_words_of_grammar_say_nothing(text: str) -> None:
    assert all(is_stop_word(token) for token in tokens(text))


@pytest.mark.parametrize("text", ["cat", "42", "猫", "审批", "我家", "😂"])
def test_words_with_a_subject_say_something(text: str) -> None:
    assert not is_stop_word(tokens(text)[-1])
