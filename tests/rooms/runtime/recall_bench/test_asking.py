"""A question is put to a pair's memory as a turn puts it."""

from pathlib import Path

from echovessel.runtime.recall_bench.home import remember_talks, vessel
from echovessel.runtime.recall_bench.own_set import read_own
from echovessel.testing.hash_embedder import HashEmbedder

DATA = Path(__file__).parents[3] / "data" / "recall"


async def test_what_fits_comes_first_and_the_plain_retrievers_are_asked_the_same() -> None:
    data = read_own(DATA, "tune")
    async with vessel(HashEmbedder(), None) as deps:
        memory = (await remember_talks(data.conversations, deps))["violin"]
        lesson = data.questions[0]

        asked = await memory.ask(lesson, deps)
        plain = await memory.ask_plainly(lesson, deps)

    assert asked.fitting[0] == asked.ranked[0] == plain["BM25"][0] == "violin:1"
    assert set(asked.fitting) <= set(asked.ranked)
    assert asked.seconds > 0
    assert set(plain) == {"BM25", "cosine", "min-max sum"}


async def test_a_line_that_has_nothing_to_do_with_the_talk_brings_nothing_that_fits() -> None:
    data = read_own(DATA, "tune")
    async with vessel(HashEmbedder(), None) as deps:
        memory = (await remember_talks(data.conversations, deps))["violin"]

        assert (await memory.ask(data.questions[2], deps)).fitting == ()
