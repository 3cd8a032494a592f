"""What ends by asking is a question, in both languages."""

import pytest

from echovessel.memory.l2_log import is_question


@pytest.mark.parametrize("text", ["Are you well?", "你好吗？", "Really?! ", "还在吗？😊", "“Why?”"])
def test_a_question(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize("text", ["", "Why? Because it rained.", "好的。", "?x"])
def test_no_question(text: str) -> None:
    assert not is_question(text)
