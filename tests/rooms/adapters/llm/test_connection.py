import subprocess
import sys

import pytest

from echovessel.adapters.llm.connection import connect
from echovessel.testing.clock import StoppedClock
from tests.support.settings import llm_settings


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"base_url": "http://127.0.0.1:11434/v1"}, "Endpoint"),
        ({"kind": "openai", "base_url": "https://api.anthropic.com/v1"}, "Endpoint"),
        ({"kind": "anthropic"}, "AnthropicEndpoint"),
        ({"base_url": "https://api.anthropic.com"}, "AnthropicEndpoint"),
        ({"file": "~/models/luna.gguf"}, "GgufModel"),
    ],
)
def test_each_kind_of_model_is_spoken_to_in_its_own_way(values: dict[str, object], kind: str) -> None:
    connection = connect(profile="spare", settings=llm_settings(**values), clock=StoppedClock())
    assert type(connection).__name__ == kind
    assert connection.profile == "spare"
    connection.close()


def test_connecting_imports_no_sdk() -> None:
    code = (
        "import sys; from echovessel.adapters.llm.connection import connect;"
        "from echovessel.adapters.system import SystemClock; from echovessel.ports.settings import ModelSettings;"
        "connect(profile='', settings=ModelSettings(kind='anthropic'), clock=SystemClock()); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "echovessel.adapters.llm.anthropic.client" in loaded
    assert not {"anthropic", "openai", "httpx2"} & set(loaded)
