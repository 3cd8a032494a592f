"""A talk becomes a pair's memory, and is asked as a turn asks."""

from pathlib import Path

from echovessel.adapters.home import Home
from echovessel.core.ids import UserId
from echovessel.flows.embedding import embed_some
from echovessel.runtime.recall_bench.asking import Memory, import_talk
from echovessel.runtime.recall_bench.own_set import read_own
from echovessel.runtime.wiring import Overrides, build
from echovessel.testing.hash_embedder import HashEmbedder

DATA = Path(__file__).parents[3] / "data" / "recall"
ADA = UserId("0" * 26)


async def test_two_personas_of_one_user_have_each_their_own_memory(tmp_path: Path) -> None:
    data = read_own(DATA, "tune")
    embedder = HashEmbedder()
    vessel = await build(Home(tmp_path), Overrides(embedder=embedder))
    try:
        pairs = [await import_talk(told, ADA, vessel.deps) for told in data.conversations]
        while await embed_some(embedder, vessel.deps):
            pass
        memories = [
            await Memory.of(told, pair, vessel.deps) for told, pair in zip(data.conversations, pairs, strict=True)
        ]
        lesson, knee = data.questions[0], data.questions[3]

        asked = await memories[0].ask(lesson, vessel.deps)
        plain = await memories[0].ask_plainly(lesson, vessel.deps)
        elsewhere = await memories[1].ask(lesson, vessel.deps)
        found = await memories[1].ask(knee, vessel.deps)
        user = await vessel.deps.store.user(ADA)
    finally:
        await vessel.close()

    assert asked.fitting[0] == asked.ranked[0] == plain["BM25"][0] == "violin:1"
    assert set(asked.fitting) <= set(asked.ranked)
    assert elsewhere.fitting == ()
    assert found.fitting[0] == "violin-coach:3"
    assert user is not None
    assert (user.name, user.zone) == ("Ada", "Europe/Berlin")
