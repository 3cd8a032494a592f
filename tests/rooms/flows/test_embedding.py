from pathlib import Path

from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.store import Store
from echovessel.runtime.loops import EMBEDDER_RETRY_S
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.world import World


def test_every_text_gets_its_vector_soon(vessel: World) -> None:
    vessel.model_says("好的。")
    vessel.hears("帮我记一下")
    vessel.rests()
    deps = vessel.vessel.deps
    assert deps.embedder is not None
    rows = vessel.run(deps.store.index_rows(vessel.pair, deps.embedder.name))
    assert [len(row.vector or b"") for row in rows] == [deps.embedder.dimension * 4] * 2


def test_what_a_crash_left_without_one_is_embedded_after_the_restart(tmp_path: Path) -> None:
    embedder = HashEmbedder()
    with World(tmp_path, embedder=embedder) as vessel:
        embedder.down = True
        vessel.model_says("好的。")
        vessel.hears("来不及了")
        embedder.down = False
        vessel.restart()
        vessel.rests()
        assert vessel.run(vessel.vessel.deps.store.embedders()) == {embedder.name: 2}


class Picky(HashEmbedder):
    """Cannot take one of the texts, nor any batch that holds it."""

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        if any("坏" in text for text in texts):
            raise EmbedderDown("No vectors.", do="Nothing.")
        return await super().embed(texts, kind)


def test_a_text_that_the_embedder_cannot_take_holds_nobody_up(tmp_path: Path) -> None:
    with World(tmp_path, embedder=Picky()) as vessel:
        for words in ("好的。", "坏的。", "好了。"):
            vessel.model_says(words)
            vessel.hears("记一下")
        vessel.rests()
        rows = vessel.run(vessel.vessel.deps.store.index_rows(vessel.pair, Picky.name))

    assert len(rows) == 6
    assert [row.text for row in rows if not any(row.vector or b"x")] == ["坏的。"]


COMMITS_A_TURN = 4
"""It is heard, claimed, answered, and question and answer get their vectors."""


def test_a_turn_is_four_commits(vessel: World) -> None:
    meter = vessel.vessel.deps.meter
    vessel.model_says("好。")
    vessel.hears("你好")
    vessel.rests()
    before = meter.commits

    vessel.model_says("记下了。")
    vessel.hears("帮我记一下")
    vessel.rests()

    deps = vessel.vessel.deps
    assert deps.embedder is not None
    assert vessel.run(deps.store.embedders()) == {deps.embedder.name: 4}
    assert meter.commits - before == COMMITS_A_TURN


def test_an_edited_text_is_embedded_anew(vessel: World) -> None:
    vessel.model_says("嗯。")
    receipt = vessel.hears("原话")
    vessel.rests()
    vessel.run(vessel.vessel.curation.edit(vessel.pair.user_id, receipt.message_id, "改过的话"))
    vessel.rests()
    deps = vessel.vessel.deps
    assert deps.embedder is not None
    row, _ = vessel.run(deps.store.index_rows(vessel.pair, deps.embedder.name))
    assert (row.text, row.vector is not None) == ("改过的话", True)


class Newer(HashEmbedder):
    """Another embedder than the first."""

    name = "newer@1"


def test_another_embedder_makes_its_own_vectors_and_those_before_go(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        vessel.model_says("太好了！")
        vessel.hears("龟背竹救活了")
        vessel.rests()
        before = vessel._embedder
        assert before is not None
        vessel._embedder = newer = Newer()
        newer.down = True
        vessel.restart()
        store, asked = vessel.vessel.deps.store, newer.name
        assert vessel.run(store.count_unembedded(asked)) == 2
        assert vessel.run(store.embedders()) == {before.name: 2}

        newer.down = False
        vessel.passes(EMBEDDER_RETRY_S)
        vessel.rests()
        vessel.run(vessel._until(lambda: only(store, asked)))
        assert vessel.run(store.count_unembedded(asked)) == 0


async def only(store: Store, embedder: str) -> bool:
    return await store.embedders() == {embedder: 2}
