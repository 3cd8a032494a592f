import pytest

from echovessel.memory.time_lean import lean, lean_at
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


@pytest.mark.parametrize(
    ("text", "word", "looks"),
    [
        ("we went home. we will meet in march", "march", Lean.FUTURE),
        ("in june, what did we do?", "june", Lean.PAST),
        ("三月的时候，我们去了青岛", "三月", Lean.MAYBE_PAST),
        ("请好假了，八月二号到五号", "八月", Lean.MAYBE_PAST),
        ("国庆我出门玩了三天，泉州", "国庆", Lean.PAST),
        ("在家。八月二号", "八月", Lean.NONE),
        ("on friday, i got great news", "friday", Lean.MAYBE_PAST),
        ("约了二十一号", "二十一", Lean.FUTURE),
    ],
)
def test_the_clause_decides_and_then_the_sentence_less_firmly(text: str, word: str, looks: Lean) -> None:
    assert lean_at(text, text.index(word)) is looks
