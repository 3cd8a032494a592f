from pathlib import Path

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


def test_what_a_crash_left_without_one_is_embedded_after_the_restart(vessel: World) -> None:
    vessel.sends("来不及了")
    vessel.restart()
    vessel.rests()
    deps = vessel.vessel.deps
    assert deps.embedder is not None
    assert vessel.run(deps.store.embedders()) == {deps.embedder.name: 1}


def test_an_edited_text_is_embedded_anew(vessel: World) -> None:
    receipt = vessel.sends("原话")
    vessel.rests()
    vessel.run(vessel.vessel.curation.edit(vessel.pair.user_id, receipt.message_id, "改过的话"))
    vessel.rests()
    deps = vessel.vessel.deps
    assert deps.embedder is not None
    (row,) = vessel.run(deps.store.index_rows(vessel.pair, deps.embedder.name))
    assert (row.text, row.vector is not None) == ("改过的话", True)


class Newer(HashEmbedder):
    """Another embedder than the first."""

    name = "newer@1"


def test_another_embedder_makes_its_own_vectors_and_those_before_go(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        vessel.sends("龟背竹救活了")
        vessel.rests()
        before = vessel._embedder
        vessel._embedder = newer = Newer()
        newer.down = True
        vessel.restart()
        store, asked = vessel.vessel.deps.store, newer.name
        assert vessel.run(store.count_unembedded(asked)) == 1
        assert vessel.run(store.embedders()) == {before.name: 1}

        newer.down = False
        vessel.passes(EMBEDDER_RETRY_S)
        vessel.rests()
        vessel.run(vessel._until(lambda: only(store, asked)))
        assert vessel.run(store.count_unembedded(asked)) == 0


async def only(store: Store, embedder: str) -> bool:
    return await store.embedders() == {embedder: 1}
