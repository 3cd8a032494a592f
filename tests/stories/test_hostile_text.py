"""No text a person may send holds the others up: every rule that reads it takes time in proportion to its length."""

from collections.abc import Callable

import pytest

from echovessel.core import text as words
from echovessel.core.text import MAX_INPUT
from echovessel.flows import care
from echovessel.memory.l2_log import is_question
from echovessel.memory.question import ask, terms
from echovessel.prompts import fence, macros
from echovessel.testing.world import World

HOSTILE = {
    "a bracket and blanks": "<" + " " * (MAX_INPUT - 2) + "x",
    "brackets": "<" * MAX_INPUT,
    "question marks": "?" * (MAX_INPUT - 1) + "x",
    "a choice that never closes": "{{random:" + " " * (MAX_INPUT - 9),
    "braces": "{{ " * (MAX_INPUT // 3),
    "blanks before a character": "a" + " " * (MAX_INPUT - 2) + "死",
    "opened quotes": "「" * MAX_INPUT,
    "question words": "吗" * (MAX_INPUT - 1) + "x",
    "accents": "e" + "\u0301" * (MAX_INPUT - 1),
    "marks out of order": "a" + "\u0300\u0316" * (MAX_INPUT // 2 - 1),
    "marks in disguise": "a" + "\uff9e\u0300" * (MAX_INPUT // 2 - 1),
    "marks that fall apart": "a" + "\u0f73" * (MAX_INPUT - 1),
    "apostrophes": "a'" * (MAX_INPUT // 2),
    "zero width": "x" + "\u200b" * (MAX_INPUT - 1),
    "nearly a plan": "我想死" * (MAX_INPUT // 3),
}
READERS: dict[str, Callable[[str], object]] = {
    "input": lambda text: words.clean_input(text, "text"),
    "fence": fence.neutral,
    "macros": lambda text: macros.fill_macros(text, "Lin", "小满"),
    "examples": macros.example_blocks,
    "question": is_question,
    "care": lambda text: care.check([text]),
    "owning up": lambda text: care.owns_up(text, "zh"),
    "tokens": words.tokens,
    "asked": lambda text: ask(text, user_name="Lin", persona_name="小满"),
    "terms": terms,
    "shortened": lambda text: fence.shortened(text, 1000, "[{count}]"),
}


@pytest.mark.timeout(30)
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_reader_gets_to_the_end(reader: str, kind: str) -> None:
    READERS[reader](HOSTILE[kind])


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_talk_goes_on(vessel: World, kind: str) -> None:
    for text in (HOSTILE[kind], "你好"):
        vessel.model_says("嗯。")
        vessel.hears(text)
    assert vessel.reply == "嗯。"
