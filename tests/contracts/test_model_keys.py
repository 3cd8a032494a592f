"""The key is told to nobody, however an endpoint quotes it, whichever protocol it speaks."""

from collections.abc import Iterator

import pytest

from echovessel.adapters.llm.anthropic.client import AnthropicEndpoint
from echovessel.adapters.llm.client import Endpoint
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import ModelDown
from echovessel.ports.llm import LLM
from echovessel.testing import anthropic_scripts, model_scripts
from echovessel.testing.anthropic_server import AnthropicServer
from echovessel.testing.contracts.llm import hear
from echovessel.testing.model_server import ModelServer
from echovessel.testing.served import Script
from tests.support.settings import llm_settings

KEY = "sk-very-secret-123456"
SAID = f"The token {KEY} may not do that."


@pytest.fixture
def openai() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def anthropic() -> Iterator[AnthropicServer]:
    with AnthropicServer() as running:
        yield running


async def _failure(model: LLM) -> ModelDown:
    with pytest.raises(ModelDown) as caught:
        await hear(model)
    return caught.value


def _assert_not_told(failure: ModelDown) -> None:
    assert KEY not in f"{failure.message} {failure.do} {failure}"


@pytest.mark.parametrize(
    "script",
    [
        model_scripts.fails(400, SAID),
        model_scripts.fails(403, SAID),
        model_scripts.fails(500, SAID, code=KEY),
        model_scripts.reports_inside({"message": SAID}),
        model_scripts.reports_inside({"message": SAID, "code": 403}),
        model_scripts.reports_inside({"message": SAID, "code": "invalid_api_key"}),
        model_scripts.reports_inside(SAID),
        model_scripts.reports_inside({"message": SAID}, after="I was just "),
    ],
)
async def test_chat_completions(openai: ModelServer, script: Script) -> None:
    openai.will(script)
    settings = llm_settings(base_url=openai.base_url, api_key=KEY, retries=0)
    _assert_not_told(await _failure(Endpoint(profile="", settings=settings, clock=SystemClock())))


@pytest.mark.parametrize(
    "script",
    [
        anthropic_scripts.fails(400, "invalid_request_error", SAID),
        anthropic_scripts.fails(403, "permission_error", SAID),
        anthropic_scripts.fails(500, "api_error", SAID),
        anthropic_scripts.reports_inside("api_error", SAID),
        anthropic_scripts.reports_inside("permission_error", SAID),
        anthropic_scripts.reports_inside(KEY, SAID),
        anthropic_scripts.reports_inside("api_error", SAID, after="I was just "),
    ],
)
async def test_messages(anthropic: AnthropicServer, script: Script) -> None:
    anthropic.will(script)
    settings = llm_settings(base_url=anthropic.base_url, kind="anthropic", api_key=KEY, retries=0)
    _assert_not_told(await _failure(AnthropicEndpoint(profile="", settings=settings, clock=SystemClock())))
