"""Whether anything that was said bears on a question: what speaks for it, what against, and by how much one message can."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.memory.knowing import MIN_COVERAGE, Knowing, Signs, judge

ASKED = Signs(personal=1.2, named=False, of_self=False, similarity=0.5, coverage=0.2, length=9, size=250, heard=True)
"""我的膝盖是怎么伤的 to someone who told of it."""
REQUEST = replace(ASKED, personal=-2.0, similarity=0.4, length=12)
"""帮我把这句话翻译成法语."""

any_signs = st.builds(
    Signs,
    personal=st.floats(-60, 60),
    named=st.booleans(),
    of_self=st.booleans(),
    similarity=st.floats(0, 1),
    coverage=st.floats(0, 1),
    length=st.integers(0, 100_000),
    size=st.integers(0, 1_000_000),
    heard=st.booleans(),
)


def test_a_question_about_the_two_comes_through_and_a_request_does_not() -> None:
    assert judge(ASKED).comes
    assert not judge(REQUEST).comes


def test_who_has_said_nothing_knows_nothing() -> None:
    assert not judge(replace(ASKED, personal=20, similarity=1, size=0)).comes


def test_a_message_that_means_the_same_speaks_against_what_the_question_sounds_like() -> None:
    assert judge(replace(REQUEST, personal=-1.0, similarity=0.95)).comes


def test_a_bare_name_that_was_said_is_enough() -> None:
    name = Signs(
        personal=-0.5, named=False, of_self=False, similarity=0.65, coverage=0.0, length=2, size=250, heard=True
    )

    assert not judge(name).comes
    assert judge(replace(name, coverage=1.0)).comes


def test_greeting_back_is_not_saved_by_having_been_said_before() -> None:
    assert not judge(
        Signs(personal=-4, named=False, of_self=False, similarity=1, coverage=1, length=2, size=250, heard=True)
    ).comes


def test_a_question_that_tells_of_one_of_the_two_by_name_comes_through() -> None:
    general = replace(ASKED, personal=-0.7)

    assert not judge(general).comes
    assert judge(replace(general, named=True)).comes


def test_someone_who_asks_about_themselves_comes_through() -> None:
    plain = replace(ASKED, personal=0.1)

    assert not judge(plain).comes
    assert judge(replace(plain, of_self=True)).comes


def test_in_a_longer_talk_the_best_must_be_better() -> None:
    near = replace(ASKED, personal=0.6, similarity=0.55)

    assert judge(near).comes
    assert not judge(replace(near, size=100_000)).comes


@pytest.mark.parametrize(("coverage", "comes"), [(MIN_COVERAGE, True), (MIN_COVERAGE - 0.01, False)])
def test_without_meanings_words_decide(coverage: float, comes: bool) -> None:
    assert judge(replace(ASKED, heard=False, similarity=0, coverage=coverage)).comes is comes


@given(any_signs)
def test_certainty_is_a_finite_share(signs: Signs) -> None:
    verdict = judge(signs)

    assert 0 <= verdict.certainty <= 1
    assert all(math.isfinite(each) for each in verdict.evidence.values())


@given(any_signs, st.floats(0, 1), st.floats(0, 1))
def test_one_more_message_makes_something_of_nothing_only_by_fitting_better_itself(
    signs: Signs, similarity: float, coverage: float
) -> None:
    more = replace(
        signs,
        similarity=max(signs.similarity, similarity),
        coverage=max(signs.coverage, coverage),
        size=signs.size + 1,
    )
    if signs.size and similarity <= signs.similarity and coverage <= signs.coverage:
        assert judge(more).certainty <= judge(signs).certainty
    assert judge(more).certainty >= judge(replace(more, similarity=signs.similarity, coverage=signs.coverage)).certainty


@given(any_signs.filter(lambda signs: signs.heard and signs.size >= 100))
def test_one_more_message_that_fits_no_better_hardly_counts(signs: Signs) -> None:
    assert judge(signs).certainty - judge(replace(signs, size=signs.size + 1)).certainty <= 0.0013


def test_every_weight_counts() -> None:
    stirred = replace(ASKED, named=True, of_self=True, coverage=0.9, size=1000)
    for name in ("personal", "named", "of_self", "similarity", "words", "length", "size", "doubt"):
        without = replace(Knowing(), **{name: 0.0})

        assert judge(stirred, without).evidence[name] == 0
        assert judge(stirred).evidence[name] != 0
