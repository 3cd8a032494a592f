"""The view of a server that was found."""

from echovessel.api.dto.nearby import NearbyServerView
from echovessel.ports.nearby import NearbyModel, NearbyServer


def test_a_server_is_shown_with_what_it_takes_to_connect() -> None:
    models = (NearbyModel(name="qwen3:8b", context_tokens=8192), NearbyModel(name="llama3.2:latest"))
    server = NearbyServer(program="Ollama", base_url="http://127.0.0.1:11434/v1", models=models)

    assert NearbyServerView.of(server).model_dump() == {
        "program": "Ollama",
        "base_url": "http://127.0.0.1:11434/v1",
        "models": [
            {"name": "qwen3:8b", "context_tokens": 8192},
            {"name": "llama3.2:latest", "context_tokens": None},
        ],
    }
