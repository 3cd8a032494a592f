"""Laws of the score."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from echovessel.memory.scoring import Column, Evidence, Factors, Surroundings, Weights, weigh

WEIGHTS = Weights()


@st.composite
def timelines(draw: st.DrawFn, least: int = 0) -> tuple[Evidence, Surroundings]:
    n = draw(st.integers(least, 30))
    floats = st.floats(0, 1, width=32)
    sessions = draw(arrays(np.intp, n, elements=st.integers(0, 1)))
    evidence = Evidence(
        keyword=draw(arrays(np.float32, n, elements=st.floats(0, 60, width=32))),
        similarity=draw(arrays(np.float32, n, elements=floats)),
    )
    around = Surroundings(
        session=np.cumsum(sessions, dtype=np.intp),
        asked=draw(arrays(np.bool_, n)),
        question=draw(arrays(np.bool_, n)),
    )
    return evidence, around


def factors(keyword: list[float], session: list[int] | None = None, similarity: list[float] | None = None) -> Factors:
    n = len(keyword)
    return weigh(
        Evidence(keyword=column(keyword), similarity=column(similarity or [0] * n)),
        Surroundings(
            session=np.array(session or [0] * n, np.intp), asked=np.zeros(n, np.bool_), question=np.zeros(n, np.bool_)
        ),
        WEIGHTS,
    )


def column(values: list[float]) -> Column:
    return np.array(values, np.float32)


@given(timelines())
def test_scores_are_finite_and_bounded(timeline: tuple[Evidence, Surroundings]) -> None:
    score = weigh(*timeline, WEIGHTS).score()

    own, beside = 2, 2 * (1 + 2 * sum(WEIGHTS.neighbour))
    assert score.dtype == np.float32
    assert np.isfinite(score).all()
    assert (score >= -WEIGHTS.question).all()
    assert (score <= own + beside + WEIGHTS.session * (own + beside) + WEIGHTS.speaker).all()


@given(timelines(least=1))
def test_an_irrelevant_message_more_changes_nothing_among_the_others(timeline: tuple[Evidence, Surroundings]) -> None:
    evidence, around = timeline
    before = weigh(evidence, around, WEIGHTS).score()

    more = weigh(
        Evidence(
            keyword=np.append(evidence.keyword, np.float32(0)),
            similarity=np.append(evidence.similarity, np.float32(WEIGHTS.floor)),
        ),
        Surroundings(
            session=np.append(around.session, around.session[-1] + 1),
            asked=np.append(around.asked, False),
            question=np.append(around.question, False),
        ),
        WEIGHTS,
    ).score()

    assert np.array_equal(more[:-1], before)


@given(timelines(least=1), st.floats(0.125, 64, width=32))
def test_only_the_proportion_of_keyword_scores_matters(timeline: tuple[Evidence, Surroundings], times: float) -> None:
    evidence, around = timeline
    louder = Evidence(keyword=evidence.keyword * np.float32(times), similarity=evidence.similarity)

    assert np.allclose(weigh(louder, around, WEIGHTS).score(), weigh(evidence, around, WEIGHTS).score(), atol=1e-3)


def test_the_answer_after_a_matching_question_rises_above_a_stranger() -> None:
    score = factors(keyword=[0, 0, 5, 0, 0, 0], session=[0, 0, 1, 1, 1, 1]).score()

    assert score[2] > score[3] > score[4] > score[5] > score[0] == score[1] == 0


def test_neighbours_end_where_the_session_ends() -> None:
    score = factors(keyword=[5, 0], session=[0, 1]).score()

    assert score[1] == 0


def test_a_session_counts_by_its_best_three_however_long_it_is() -> None:
    long_talk = factors(keyword=[4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0], session=[0] * 15)
    short_talk = factors(keyword=[4], session=[0])

    assert long_talk.session[14] > 0
    assert short_talk.session[0] == np.float32(WEIGHTS.session)


def test_below_the_floor_a_vector_says_nothing() -> None:
    weighed = factors(keyword=[0, 0, 0], session=[0, 1, 2], similarity=[0.1, WEIGHTS.floor, 0.5])

    assert weighed.vector.tolist() == [0, 0, 1]


def test_both_arms_together_beat_either_alone() -> None:
    score = factors(keyword=[5, 0, 5], session=[0, 1, 2], similarity=[0.9, 0.9, 0]).score()

    assert score[0] > max(score[1], score[2])


def test_taking_rows_keeps_their_factors() -> None:
    weighed = factors(keyword=[1, 3, 2], session=[0, 1, 2])

    assert weighed.take(np.array([2, 0])).score().tolist() == weighed.score()[[2, 0]].tolist()
    assert sum(weighed.row(1).values()) == weighed.score()[1]
