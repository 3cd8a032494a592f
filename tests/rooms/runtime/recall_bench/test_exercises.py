"""Questions become something to learn from: every message of the talk, with every factor."""

from pathlib import Path

from echovessel.memory.scoring import Factor
from echovessel.runtime.recall_bench.exercises import exercises_of
from echovessel.runtime.recall_bench.own_set import read_own
from echovessel.testing.hash_embedder import HashEmbedder

DATA = Path(__file__).parents[3] / "data" / "recall"


async def test_every_message_has_every_factor_of_every_question_that_counts() -> None:
    lesson, name, knee = await exercises_of(read_own(DATA, "tune"), embedder=HashEmbedder())

    assert lesson.problem.features.shape == (9, len(Factor))
    assert knee.problem.features.shape == (3, len(Factor))
    assert lesson.turns[0] == "violin:1"
    assert (lesson.problem.set, lesson.problem.talk) == ("tune", "violin")
    assert lesson.problem.groups == ((0,),)
    assert name.problem.groups == ((3,), (5,))
    assert lesson.problem.features[0, list(Factor).index(Factor.KEYWORD)] > 0.5
    assert lesson.problem.features.min() >= 0
    assert lesson.problem.features.max() <= 1.001
