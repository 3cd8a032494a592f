"""Laws of the score, and the case for which each factor exists."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from echovessel.memory.scoring import Column, Evidence, Factor, Factors, Surroundings, to_best, total, weigh

WEIGHTS = dict.fromkeys(Factor, 1.0) | {Factor.QUESTION: -1.0}


@st.composite
def timelines(draw: st.DrawFn, least: int = 0) -> tuple[Evidence, Surroundings]:
    n = draw(st.integers(least, 30))
    shares = arrays(np.float32, n, elements=st.floats(0, 1, width=32))
    cosines = arrays(np.float32, n, elements=st.floats(-1, 1, width=32))
    sessions = draw(arrays(np.intp, n, elements=st.integers(0, 1)))
    evidence = Evidence(keyword=draw(shares), cosine=draw(cosines), passage=draw(cosines))
    around = Surroundings(
        session=np.cumsum(sessions, dtype=np.intp),
        asked=draw(arrays(np.bool_, n)),
        user=draw(arrays(np.bool_, n)),
        question=draw(arrays(np.bool_, n)),
        then=draw(shares),
    )
    return evidence, around


def column(*values: float) -> Column:
    return np.array(values, np.float32)


def factors(keyword: list[float], session: list[int] | None = None, cosine: list[float] | None = None) -> Factors:
    n = len(keyword)
    nothing = np.zeros(n, np.bool_)
    return weigh(
        Evidence(keyword=column(*keyword), cosine=column(*(cosine or [0] * n)), passage=np.zeros(n, np.float32)),
        Surroundings(
            session=np.array(session or [0] * n, np.intp),
            asked=nothing,
            user=nothing,
            question=nothing,
            then=np.zeros(n, np.float32),
        ),
        WEIGHTS,
    )


@given(timelines())
def test_every_factor_is_finite_and_no_larger_than_its_weight(timeline: tuple[Evidence, Surroundings]) -> None:
    found = weigh(*timeline, WEIGHTS)

    for name, values in found.items():
        assert np.isfinite(values).all()
        assert (np.abs(values) <= abs(WEIGHTS[name]) + 1e-6).all(), name
        assert (values * WEIGHTS[name] >= 0).all(), name
    assert total(found).dtype == np.float32


@given(timelines(least=1))
def test_an_irrelevant_message_more_changes_nothing_among_the_others(timeline: tuple[Evidence, Surroundings]) -> None:
    evidence, around = timeline
    nothing = np.float32(0)

    more = weigh(
        Evidence(
            keyword=np.append(evidence.keyword, nothing),
            cosine=np.append(evidence.cosine, nothing),
            passage=np.append(evidence.passage, nothing),
        ),
        Surroundings(
            session=np.append(around.session, around.session[-1] + 1),
            asked=np.append(around.asked, False),
            user=np.append(around.user, False),
            question=np.append(around.question, False),
            then=np.append(around.then, nothing),
        ),
        WEIGHTS,
    )

    assert np.array_equal(total(more)[:-1], total(weigh(evidence, around, WEIGHTS)))
    assert total(more)[-1] == 0


@given(timelines(least=1), st.floats(0.125, 1, width=32))
def test_only_the_proportion_of_cosines_matters(timeline: tuple[Evidence, Surroundings], times: float) -> None:
    evidence, around = timeline
    evidence = replace(evidence, cosine=np.where(np.abs(evidence.cosine) < 0.01, np.float32(0), evidence.cosine))
    fainter = replace(evidence, cosine=evidence.cosine * np.float32(times))

    assert np.allclose(total(weigh(fainter, around, WEIGHTS)), total(weigh(evidence, around, WEIGHTS)), atol=1e-3)


def test_what_fits_and_is_not_the_best_is_measured_against_what_would_be() -> None:
    assert to_best(column(1, 2, -1)).tolist() == [0.5, 1, 0]
    assert to_best(column(1, 2), least=4).tolist() == [0.25, 0.5]
    assert to_best(column(0, -1)).tolist() == [0, 0]


def test_the_answer_after_a_matching_question_rises_above_a_stranger() -> None:
    asked = np.array([False, False, True, False, False, False])
    evidence = Evidence(
        keyword=column(0, 0, 1, 0, 0, 0), cosine=np.zeros(6, np.float32), passage=np.zeros(6, np.float32)
    )
    around = Surroundings(
        session=np.array([0, 0, 1, 1, 1, 1]),
        asked=~asked & asked,
        user=~asked & asked,
        question=asked,
        then=evidence.cosine,
    )

    found = weigh(evidence, around, WEIGHTS)

    assert found[Factor.ANSWER].tolist() == [0, 0, 0, 0.5, 0, 0]
    assert found[Factor.QUESTION].tolist() == [0, 0, -1, 0, 0, 0]
    score = total(found)
    assert score[3] > score[4] > score[5] > score[0] == score[1] == 0


def test_what_stands_beside_a_hit_is_lifted_the_nearer_the_more_and_on_both_sides() -> None:
    beside = factors(keyword=[0, 0, 0, 1, 0, 0, 0])[Factor.NEIGHBOURS]

    assert beside[2] == beside[4] > beside[1] == beside[5] > beside[0] == beside[6] == beside[3] == 0


def test_the_line_that_led_to_a_fitting_one_is_lifted() -> None:
    assert factors(keyword=[0, 0, 0], cosine=[0, 0.1, 0.8])[Factor.NEXT].tolist() == pytest.approx([0.125, 1, 0])


def test_neighbours_end_where_the_session_ends() -> None:
    found = factors(keyword=[1, 0], session=[0, 1], cosine=[0, 0.5])

    assert found[Factor.NEIGHBOURS].tolist() == [0, 0]
    assert found[Factor.NEXT].tolist() == [0, 0]


def test_a_session_counts_by_its_best_three_however_long_it_is() -> None:
    long_talk = factors(keyword=[1, 0, 0, 0, 0.9, 0, 0, 0, 0.8, 0, 0, 0, 0, 0, 0])
    short_talk = factors(keyword=[1])

    assert long_talk[Factor.SESSION].tolist() == pytest.approx([0.45] * 15)
    assert short_talk[Factor.SESSION].tolist() == [0.5]


def test_what_is_said_three_times_in_a_session_counts_three_times() -> None:
    assert factors(keyword=[1, 1, 1, 0])[Factor.SESSION].tolist() == pytest.approx([0.5] * 4)


def test_both_arms_together_beat_either_alone() -> None:
    score = total(factors(keyword=[1, 0, 1], session=[0, 1, 2], cosine=[0.9, 0.9, 0]))

    assert score[0] > max(score[1], score[2])


def test_a_factor_without_a_weight_counts_nothing() -> None:
    evidence = Evidence(keyword=column(1), cosine=column(1), passage=column(1))
    flag = np.ones(1, np.bool_)
    around = Surroundings(session=np.zeros(1, np.intp), asked=flag, user=flag, question=flag, then=column(1))

    assert total(weigh(evidence, around, {Factor.USER: 0.25})).tolist() == [0.25]
