import sys
from pathlib import Path
from subprocess import run

import pytest

from echovessel.adapters.llm import ConfiguredModels
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import ModelRejected, ModelUnreachable
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.llm import ChatRequest, Delta, Role
from echovessel.testing.model_scripts import says
from echovessel.testing.model_server import ModelServer
from tests.support.settings import MemorySettings, llm_settings

REQUEST = ChatRequest(role=Role.MAIN, messages=(ChatMessage(ChatRole.USER, "在吗？"),))


@pytest.fixture
def settings() -> MemorySettings:
    return MemorySettings()


@pytest.fixture
def models(settings: MemorySettings) -> ConfiguredModels:
    return ConfiguredModels(settings=settings, clock=SystemClock())


async def _said(models: ConfiguredModels) -> str:
    model = models.in_order()[0]
    return "".join([event.text async for event in model.stream(REQUEST) if isinstance(event, Delta)])


def test_without_an_address_there_is_no_model(models: ConfiguredModels, settings: MemorySettings) -> None:
    assert not models.in_order()
    settings.llm(base_url="  ", model="scripted")
    assert not models.in_order()


async def test_a_change_of_settings_takes_effect_at_once_and_both_ways(
    models: ConfiguredModels, settings: MemorySettings, server: ModelServer
) -> None:
    server.will(says("first"), says("second"))
    settings.llm(base_url=server.base_url, model="one")
    assert await _said(models) == "first"
    settings.llm(model="two")
    assert await _said(models) == "second"
    assert [asked.body["model"] for asked in server.asked] == ["one", "two"]
    settings.llm(base_url="")
    assert not models.in_order()


def test_the_same_settings_keep_the_same_endpoint(models: ConfiguredModels, settings: MemorySettings) -> None:
    settings.llm(base_url="http://localhost:1/v1", model="one")
    assert models.in_order()[0] is models.in_order()[0]


async def test_an_address_that_is_none_fails_the_request_and_not_the_asking(
    models: ConfiguredModels, settings: MemorySettings
) -> None:
    settings.llm(base_url="localhost:11434", model="one")
    with pytest.raises(ModelUnreachable, match="not a web address"):
        await _said(models)


async def test_an_address_alone_lists_its_models_and_asks_none(models: ConfiguredModels, server: ModelServer) -> None:
    server.models = ("luna-7b", "sol-70b")
    assert await models.listed(llm_settings(base_url=server.base_url, model="")) == ("luna-7b", "sol-70b")
    assert {one.path for one in server.asked} == {"/v1/models"}
    server.models = ()
    with pytest.raises(ModelRejected, match="No model is chosen"):
        await models.listed(llm_settings(base_url=server.base_url, model=""))


def test_a_model_file_that_is_loaded_is_tried_where_it_is(models: ConfiguredModels, settings: MemorySettings) -> None:
    settings.llm(file="/models/a.gguf", model="")
    (held,) = models.in_order()

    with models.connect(llm_settings(file="/models/a.gguf", model="", first_token_timeout_s=1)) as same:
        assert same is held
    with models.connect(llm_settings(file="/models/a.gguf", model="", context_tokens=512)) as smaller:
        assert smaller is not held
    settings.llm(kind="openai", base_url="http://127.0.0.1:1/v1", model="m")
    (endpoint,) = models.in_order()
    with models.connect(llm_settings(file="/models/a.gguf", model="")) as file:
        assert file is not endpoint
    models.close()


async def test_settings_that_are_not_saved_can_be_tried_and_change_nothing(
    models: ConfiguredModels, settings: MemorySettings, server: ModelServer
) -> None:
    server.will(says("Hello."))
    with models.connect(llm_settings(base_url=server.base_url, model="m"), "spare") as tried:
        assert (tried.profile, tried.name(Role.MAIN)) == ("spare", "m")
        assert "".join([e.text async for e in tried.stream(REQUEST) if isinstance(e, Delta)]) == "Hello."
    assert settings.current().llm.base_url == ""
    assert models.in_order() == ()


def test_the_sdk_is_not_imported_before_it_is_needed(tmp_path: Path) -> None:
    program = "import sys, echovessel.adapters.llm; sys.exit('openai' in sys.modules or 'httpx2' in sys.modules)"
    assert run([sys.executable, "-c", program], cwd=tmp_path, check=False).returncode == 0
