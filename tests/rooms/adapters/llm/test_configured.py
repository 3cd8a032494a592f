import sys
from pathlib import Path
from subprocess import run

import pytest

from echovessel.adapters.llm import ConfiguredModels
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import ModelRefusedKey, ModelRejected, ModelUnreachable
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.llm import ChatRequest, Delta, Role
from echovessel.testing.model_scripts import fails, hangs_after, says
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


async def test_a_probe_lists_the_models_and_times_the_first_word(models: ConfiguredModels, server: ModelServer) -> None:
    server.models = ("luna-7b", "sol-70b")
    server.will(says("Hello."))
    found = await models.probe(llm_settings(base_url=server.base_url, model="sol-70b"))
    assert (found.model, found.models) == ("sol-70b", ("luna-7b", "sol-70b"))
    assert 0 < found.first_token_s < 5


async def test_a_probe_leaves_after_the_first_word(models: ConfiguredModels, server: ModelServer) -> None:
    server.will(hangs_after("Hello "))
    assert (await models.probe(llm_settings(base_url=server.base_url, model="m"))).model == "m"
    assert server.waits_for_hang_up()


async def test_a_probe_without_a_name_takes_the_first_model(models: ConfiguredModels, server: ModelServer) -> None:
    server.models = ("luna-7b",)
    server.will(says("Hello."))
    assert (await models.probe(llm_settings(base_url=server.base_url, model=""))).model == "luna-7b"


async def test_an_address_alone_lists_its_models_and_asks_none(models: ConfiguredModels, server: ModelServer) -> None:
    server.models = ("luna-7b", "sol-70b")
    assert await models.listed(llm_settings(base_url=server.base_url, model="")) == ("luna-7b", "sol-70b")
    assert {one.path for one in server.asked} == {"/v1/models"}
    server.models = ()
    with pytest.raises(ModelRejected, match="No model is chosen"):
        await models.listed(llm_settings(base_url=server.base_url, model=""))


async def test_an_endpoint_that_lists_nothing_may_still_answer(models: ConfiguredModels, server: ModelServer) -> None:
    server.lists = fails(404)
    server.will(says("Hello."))
    assert (await models.probe(llm_settings(base_url=server.base_url, model="m"))).models == ()
    with pytest.raises(ModelRejected, match="No model is chosen"):
        await models.probe(llm_settings(base_url=server.base_url, model=""))


async def test_a_probe_tells_what_is_wrong_and_changes_nothing(
    models: ConfiguredModels, settings: MemorySettings, server: ModelServer
) -> None:
    server.lists = fails(401)
    with pytest.raises(ModelRefusedKey):
        await models.probe(llm_settings(base_url=server.base_url, api_key="wrong"))
    server.lists = None
    server.will(fails(404, "The model `m` does not exist"), says("never reached"))
    with pytest.raises(ModelRejected, match="no model called 'm'"):
        await models.probe(llm_settings(base_url=server.base_url, model="m"))
    assert settings.current().llm.base_url == ""


async def test_a_probe_of_an_address_without_a_server(models: ConfiguredModels, server: ModelServer) -> None:
    with pytest.raises(ModelRejected, match="no chat at"):
        await models.probe(llm_settings(base_url=server.base_url.removesuffix("/v1"), model="m"))


def test_the_sdk_is_not_imported_before_it_is_needed(tmp_path: Path) -> None:
    program = "import sys, echovessel.adapters.llm; sys.exit('openai' in sys.modules or 'httpx2' in sys.modules)"
    assert run([sys.executable, "-c", program], cwd=tmp_path, check=False).returncode == 0
