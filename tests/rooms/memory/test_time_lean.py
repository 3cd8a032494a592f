import pytest

from echovessel.memory.time_lean import lean
from echovessel.memory.time_span import Lean


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ("what did we do in march", Lean.PAST),
        ("we visited paris", Lean.PAST),
        ("我去过青岛", Lean.PAST),
        ("周五吃了火锅", Lean.PAST),
        ("we will go in march", Lean.FUTURE),
        ("i'll call", Lean.FUTURE),
        ("我打算去青岛", Lean.FUTURE),
        ("周一要去体检", Lean.FUTURE),
        ("in march", Lean.NONE),
        ("i need it", Lean.NONE),
        ("三月", Lean.NONE),
        ("she said she will come", Lean.NONE),
    ],
)
def test_tenses_tell_where_a_text_looks(text: str, looks: Lean) -> None:
    assert lean(text) is looks
