"""The bench runs the whole way: import, embed, index, rank, score."""

from pathlib import Path

import pytest

from echovessel.core.errors import BadInput
from echovessel.runtime.recall_bench.data import RecallSet
from echovessel.runtime.recall_bench.folders import sets
from echovessel.runtime.recall_bench.measure import OURS, UNGATED, foreign, measure
from echovessel.runtime.recall_bench.restraint import FOREIGN_LINE, FOREIGN_QUESTION
from echovessel.testing.hash_embedder import HashEmbedder

DATA = Path(__file__).parents[3] / "data" / "recall"


@pytest.fixture
def tune() -> RecallSet:
    return next(sets(DATA, "tune"))


async def test_the_report_compares_ours_with_plain_retrievers(tune: RecallSet) -> None:
    report = await measure(tune, embedder=HashEmbedder())

    assert list(report.retrievers) == ["BM25", "cosine", "min-max sum", OURS, UNGATED]
    assert (report.conversations, report.messages, report.headline) == (2, 12, 3)
    assert report.retrievers["BM25"].measures["R@5"].n == 3
    assert report.retrievers[UNGATED].measures["R@5"].value == 1
    assert report.retrievers[OURS].measures["R@5"].value <= 1
    assert 0 < report.ms_median <= report.ms_p95


async def test_what_comes_up_where_nothing_should_is_counted_by_kind(tune: RecallSet) -> None:
    restraint = (await measure(tune, embedder=HashEmbedder())).restraint

    assert {kind: figure.n for kind, figure in restraint.false.items()} == {"unanswerable": 1, "unrelated": 1}
    assert restraint.false["unrelated"].value == 0
    # It was told to the user's other persona only.
    assert restraint.false["unanswerable"].value == 0
    assert restraint.missed is not None
    assert restraint.missed.n == 3


async def test_questions_and_lines_of_other_people_are_put_too() -> None:
    both = [data for name in ("tune", "test") for data in sets(DATA, name)]
    data = RecallSet(
        name="all",
        conversations=tuple(told for each in both for told in each.conversations),
        questions=tuple(question for each in both for question in each.questions),
    )

    given = [(told.conv_id, question.category, question.text) for told, question in foreign(data)]

    assert [text for conv_id, kind, text in given if (conv_id, kind) == ("kitten", FOREIGN_QUESTION)] == [
        "When is my violin lesson?",
        "What is her name?",
    ]
    assert ("violin-coach", FOREIGN_LINE, "我领养了一只小猫。") in given
    assert ("violin", FOREIGN_LINE, "My left knee hurts since the marathon.") not in given
    false = (await measure(data, embedder=HashEmbedder())).restraint.false
    assert (false[FOREIGN_QUESTION].n, false[FOREIGN_LINE].n) == (4, 10)


async def test_a_set_in_which_nothing_counts_is_refused(tune: RecallSet) -> None:
    with pytest.raises(BadInput, match="headline"):
        await measure(RecallSet(name="x", conversations=tune.conversations, questions=()), embedder=HashEmbedder())
