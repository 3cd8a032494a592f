"""Which models could be connected?"""

from echovessel.ports.nearby import NearbyModel, NearbyServer
from echovessel.testing.world import World
from tests.rooms.api.conftest import Api


def test_what_runs_on_this_machine_is_offered(api: Api, world: World) -> None:
    assert api.get("/api/v1/models/nearby") == {"items": [], "next": None}

    model = NearbyModel(name="qwen3:8b", context_tokens=8192)
    world.nearby.servers.append(NearbyServer(program="Ollama", base_url="http://127.0.0.1:11434/v1", models=(model,)))

    (found,) = api.get("/api/v1/models/nearby")["items"]
    assert found["program"] == "Ollama"
    assert found["base_url"] == "http://127.0.0.1:11434/v1"
    assert found["models"] == [{"name": "qwen3:8b", "context_tokens": 8192}]
