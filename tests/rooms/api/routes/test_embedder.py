"""The embedder over HTTP."""

from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.world import World
from tests.rooms.api.conftest import Api


def test_how_far_the_vectors_are(api: Api, world: World) -> None:
    world.model_says("好，它会喜欢那里的。")
    world.hears("我把龟背竹搬到了窗边")
    world.rests()

    found = api.get("/api/v1/embedder")

    assert (found["embedder"], found["dimension"], found["calibrated"]) == ("hash-256@1", 256, True)
    assert (found["embedded"], found["waiting"]) == (2, 0)
    assert found["others"] == {}


def test_getting_it_ready_says_when_it_is_down(api: Api, world: World) -> None:
    assert api.call("POST", "/api/v1/embedder/prepare", json={}).status_code == 200

    embedder = world.vessel.deps.embedder
    assert isinstance(embedder, HashEmbedder)
    embedder.down = True
    answer = api.call("POST", "/api/v1/embedder/prepare", json={})

    assert answer.status_code == 503
    assert answer.json()["code"] == "embedder-down"


def test_one_that_comes_with_its_calibration_is_not_measured_anew(api: Api) -> None:
    answer = api.call("POST", "/api/v1/embedder/prepare", json={"anew": True})

    assert answer.status_code == 409
    assert "--anew" in answer.json()["do"]
