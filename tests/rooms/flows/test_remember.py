from dataclasses import replace

from echovessel.core.errors import EmbedderDown
from echovessel.flows.deps import Deps
from echovessel.flows.recollect import query_vector
from echovessel.flows.remember import Remembered, remember
from echovessel.flows.scene import set_scene
from echovessel.ports.embedder import Kind, Vectors
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.world import World


class BrokenEmbedder(HashEmbedder):
    """Its model file is gone."""

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:  # noqa: ARG002
        raise EmbedderDown("The model cannot be read.", do="Install it again.")


def recall(vessel: World, text: str, deps: Deps | None = None) -> Remembered:
    deps = deps or vessel.vessel.deps
    receipt = vessel.sends(text)
    scene = vessel.run(set_scene(vessel.turn(receipt.turn_id), deps))
    assert scene is not None
    return vessel.run(remember(vessel.pair, scene, frozenset(m.id for m in scene.burst), deps))


def test_a_passage_brings_the_words_around_it(vessel: World) -> None:
    vessel.model_says("那家的汤头确实好。")
    vessel.hears("昨天在老城区吃了一碗牛肉面")
    vessel.rests()
    found = recall(vessel, "牛肉面是在哪吃的？")
    assert [m.text for m in found.passages[0]] == ["昨天在老城区吃了一碗牛肉面", "那家的汤头确实好。"]
    assert any(row.kept for row in found.trace)


def test_without_vectors_keywords_still_find_it_and_the_loss_is_on_record(vessel: World) -> None:
    vessel.model_says("好。")
    vessel.hears("昨天在老城区吃了一碗牛肉面")
    found = recall(vessel, "牛肉面", replace(vessel.vessel.deps, embedder=BrokenEmbedder()))
    assert found.lost == ("embedder-down",)
    assert "昨天在老城区吃了一碗牛肉面" in [m.text for m in found.passages[0]]


def test_a_switched_off_embedder_is_no_loss(vessel: World) -> None:
    deps = replace(vessel.vessel.deps, embedder=None)
    assert vessel.run(query_vector("随便", deps)) == (None, ())
