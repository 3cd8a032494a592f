"""Ranking, the gate and packing: what comes to mind, and why the rest does not."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from echovessel.core.ids import MessageId
from echovessel.memory.knowing import Signs
from echovessel.memory.recall import WEAK, Candidates, Neighbour, fitting, rank, select
from echovessel.memory.scoring import Factor

ASKED = Signs(personal=3, named=False, of_self=False, similarity=0.9, coverage=0.5, length=8, size=250, heard=True)
"""Of a question on which something bears."""
REQUEST = replace(ASKED, personal=-5, similarity=0.3)


def candidates(
    *rows: tuple[str, float, float],
    tokens: int = 10,
    says: dict[str, str] | None = None,
    beside: dict[str, tuple[list[str], list[str]]] | None = None,
) -> Candidates:
    """Rows of id, keyword coverage and calibrated similarity, which are its factors too. `says`: what some of them say."""
    ids = [MessageId(name) for name, _, _ in rows]
    coverage = np.array([row[1] for row in rows], np.float32)
    similarity = np.array([row[2] for row in rows], np.float32)
    around = beside or {}

    def neighbours(name: str, side: int) -> tuple[Neighbour, ...]:
        return tuple(Neighbour(MessageId(other), tokens) for other in around.get(name, ([], []))[side])

    return Candidates(
        ids=tuple(ids),
        tokens=(tokens,) * len(ids),
        texts=tuple((says or {}).get(name, name) for name in ids),
        before=tuple(neighbours(name, 0) for name in ids),
        after=tuple(neighbours(name, 1) for name in ids),
        similarity=similarity,
        coverage=coverage,
        factors={Factor.KEYWORD: coverage, Factor.VECTOR: similarity},
        signs=ASKED,
    )


ROWS = st.lists(
    st.tuples(st.text("ABCDEF", min_size=4, max_size=4), st.floats(0, 1, width=32), st.floats(0, 1, width=32)),
    max_size=12,
    unique_by=lambda row: row[0],
)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_means_nothing(rows: list[tuple[str, float, float]], dice: object) -> None:
    shuffled = list(rows)
    dice.shuffle(shuffled)  # pyright: ignore[reportAttributeAccessIssue]

    assert rank(candidates(*shuffled)) == rank(candidates(*rows))
    assert select(candidates(*shuffled), budget_tokens=45, limit=3) == select(
        candidates(*rows), budget_tokens=45, limit=3
    )


@given(ROWS)
def test_scores_fall_from_what_is_sure_to_zero(rows: list[tuple[str, float, float]]) -> None:
    scores = [score for _, score, _ in rank(candidates(*rows))]

    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@given(ROWS)
def test_an_irrelevant_candidate_never_reorders_the_others(rows: list[tuple[str, float, float]]) -> None:
    before = [message_id for message_id, _, _ in rank(candidates(*rows))]
    after = [message_id for message_id, _, _ in rank(candidates(*rows, ("ZZZZ", 0, 0)))]

    assert [message_id for message_id in after if message_id != "ZZZZ"] == before


def test_a_single_candidate_keeps_how_sure_it_is() -> None:
    [(message_id, score, factors)] = rank(candidates(("A", 0.25, 0.5)))

    assert (message_id, score) == ("A", 0.5)
    assert factors["keyword"] == 0.25


def test_of_two_equals_the_newer_comes_first() -> None:
    assert [hit[0] for hit in rank(candidates(("01A", 0.5, 0), ("01B", 0.5, 0)))] == ["01B", "01A"]


def test_nothing_said_nothing_recalled() -> None:
    assert rank(candidates()) == []
    assert select(candidates(), budget_tokens=100, limit=5).passages == ()


def test_where_nothing_bears_on_the_question_nothing_comes_however_they_rank() -> None:
    found = replace(candidates(("A", 1, 1), ("B", 0.5, 0.5)), signs=REQUEST)

    recalled = select(found, budget_tokens=1000, limit=9)

    assert recalled.passages == ()
    assert not recalled.verdict.comes
    assert {row.why for row in recalled.trace} == {"nothing of this came up before"}
    assert fitting(found) == frozenset()
    assert [hit[0] for hit in rank(found)] == ["A", "B"]


def test_what_is_far_below_the_best_stays_away_from_it() -> None:
    found = candidates(("A", 1, 1), ("B", WEAK, WEAK), ("C", WEAK - 0.01, WEAK - 0.01))

    recalled = select(found, budget_tokens=1000, limit=9)

    assert {passage.hit for passage in recalled.passages} == fitting(found) == {"A", "B"}
    assert {str(row.message_id): row.why for row in recalled.trace}["C"] == "far below the best"


def test_a_message_that_holds_every_word_does_not_push_the_others_away() -> None:
    found = candidates(("A", 1, 1), ("B", 0.8, 0.8))
    verbatim = {Factor.VERBATIM: np.array([9, 0], np.float32)}

    assert fitting(replace(found, factors={**found.factors, **verbatim})) == {"A", "B"}


def test_a_hit_brings_its_neighbours_in_the_order_they_were_said() -> None:
    recalled = select(candidates(("C", 1, 1), beside={"C": (["B", "A"], ["D", "E"])}), budget_tokens=1000, limit=9)

    assert recalled.passages[0].messages == ("A", "B", "C", "D", "E")


def test_hits_come_before_neighbours_and_the_nearest_before_the_far() -> None:
    found = candidates(("C", 1, 1), ("X", 0.9, 0.9), beside={"C": (["B", "A"], ["D"]), "X": (["W"], [])})

    recalled = select(found, budget_tokens=45, limit=9)

    assert [passage.messages for passage in recalled.passages] == [("A", "B", "C"), ("X",)]


@given(ROWS, st.integers(0, 120), st.integers(0, 5))
def test_the_budget_and_the_limit_hold_and_no_message_comes_twice(
    rows: list[tuple[str, float, float]], budget: int, limit: int
) -> None:
    names = [row[0] for row in rows]
    beside = {
        name: (names[max(place - 2, 0) : place][::-1], names[place + 1 : place + 3]) for place, name in enumerate(names)
    }

    recalled = select(candidates(*rows, beside=beside), budget_tokens=budget, limit=limit)

    shown = [message for passage in recalled.passages for message in passage.messages]
    assert len(shown) == len(set(shown))
    assert len(shown) * 10 <= budget
    assert len(recalled.passages) <= limit
    assert {row.message_id for row in recalled.trace if row.kept} == {passage.hit for passage in recalled.passages}


def test_every_candidate_is_traced_with_its_arm_and_what_became_of_it() -> None:
    found = candidates(("A", 0.9, 0.4), ("B", 0.3, 0.9), ("C", 0.5, 0.5), ("D", 0, 0))
    found = replace(found, tokens=(10, 10, 500, 10))

    trace = {str(row.message_id): row for row in select(found, budget_tokens=100, limit=2).trace}

    assert {name: (row.arm, row.kept, row.why) for name, row in trace.items()} == {
        "A": ("keyword", True, "kept"),
        "B": ("vector", True, "kept"),
        "C": ("vector", False, "enough passages"),
        "D": ("context", False, "far below the best"),
    }
    assert set(trace["A"].factors) == {"score", "keyword", "vector"}
    assert set(trace["D"].factors) == {"score"}  # a factor that counts nothing is not told


def test_what_says_the_same_as_a_better_one_is_not_told_twice() -> None:
    found = candidates(("A", 0.9, 0.9), ("B", 0.8, 0.8), ("C", 0.7, 0.7), says={"A": "good night", "B": "good night"})

    trace = {str(row.message_id): row.why for row in select(found, budget_tokens=100, limit=5).trace}

    assert trace == {"A": "kept", "B": "says the same as a better one", "C": "kept"}


def test_what_is_longer_than_the_room_left_does_not_stop_what_fits() -> None:
    found = replace(candidates(("A", 0.9, 0.9), ("B", 0.5, 0.5)), tokens=(500, 10))

    recalled = select(found, budget_tokens=100, limit=2)

    assert [passage.hit for passage in recalled.passages] == ["B"]
    assert recalled.trace[0].why == "over the budget"
