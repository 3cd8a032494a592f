"""A proxy on the way to the model: a real one on this machine, for http and https, with and without a login."""

from collections.abc import Iterator

import pytest

from echovessel.adapters.llm.connection import Connection, connect
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import ModelRefusedKey, ModelUnreachable
from echovessel.testing.anthropic_scripts import says as claude_says
from echovessel.testing.anthropic_server import AnthropicServer
from echovessel.testing.contracts.llm import hear
from echovessel.testing.model_scripts import fails, says
from echovessel.testing.model_server import ModelServer, refused_address
from echovessel.testing.proxy_server import ProxyServer
from tests.support.settings import llm_settings


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def endpoint(base_url: str, proxy: str, **more: object) -> Connection:
    settings = llm_settings(base_url=base_url, proxy=proxy, api_key="sk-1", **more)
    return connect(profile="", settings=settings, clock=SystemClock())


async def answer(model: Connection) -> str:
    return "".join((await hear(model))[0])


async def test_everything_goes_by_the_proxy_that_the_settings_name(server: ModelServer) -> None:
    server.will(says("好。"))
    with ProxyServer() as proxy:
        model = endpoint(server.base_url, proxy.url)
        assert await answer(model) == "好。"
        assert await model.models() == ("scripted",)
        assert proxy.passed == [server.host, server.host]
    assert server.chats[0].headers["authorization"] == "Bearer sk-1"


async def test_claude_goes_by_it_too() -> None:
    with AnthropicServer() as server, ProxyServer() as proxy:
        server.will(claude_says("好。"))
        assert await answer(endpoint(server.base_url, proxy.url, kind="anthropic", model="claude")) == "好。"
        assert proxy.passed == [server.host]


async def test_none_of_the_environment_is_taken(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    held, nowhere = refused_address()
    server.will(says("好。"))
    with held:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
            monkeypatch.setenv(name, nowhere.removesuffix("/v1"))
        assert await answer(endpoint(server.base_url, "")) == "好。"


async def test_a_proxy_may_want_a_login(server: ModelServer) -> None:
    server.will(says("好。"))
    with ProxyServer(login="me:secret") as proxy:
        assert await answer(endpoint(server.base_url, proxy.url.replace("://", "://me:secret@"))) == "好。"
        with pytest.raises(ModelUnreachable, match="407") as refused:
            await answer(endpoint(server.base_url, proxy.url))
    assert "user:password@" in refused.value.do


async def test_a_proxy_that_is_not_there_is_named_and_not_the_model(server: ModelServer) -> None:
    held, nowhere = refused_address()
    with held, pytest.raises(ModelUnreachable, match="The proxy 127") as caught:
        await answer(endpoint(server.base_url, nowhere.removesuffix("/v1")))
    assert server.host in caught.value.message
    assert "llm.proxy" in caught.value.do


async def test_a_proxy_that_opens_no_tunnel_says_why() -> None:
    with ProxyServer(refuses="403 Forbidden") as proxy, pytest.raises(ModelUnreachable, match="403 Forbidden"):
        await answer(endpoint("https://model.example/v1", proxy.url))


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1080", "127.0.0.1:8118", "http://", "nonsense"])
async def test_what_is_no_proxy_is_said_before_anything_is_sent(server: ModelServer, proxy: str) -> None:
    with pytest.raises(ModelUnreachable, match="proxy"):
        await answer(endpoint(server.base_url, proxy))
    assert not server.asked


async def test_no_failure_tells_the_login(server: ModelServer) -> None:
    server.will(fails(401, "no"))
    with ProxyServer(login="me:secret") as proxy, pytest.raises(ModelRefusedKey) as caught:
        await answer(endpoint(server.base_url, proxy.url.replace("://", "://me:secret@")))
    assert "secret" not in caught.value.message + caught.value.do
