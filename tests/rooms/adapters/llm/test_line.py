import asyncio
import ssl
from datetime import UTC, datetime
from pathlib import Path

import pytest

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.failures import Refusal
from echovessel.adapters.llm.line import Line
from echovessel.adapters.llm.piece import NotTheProtocol
from echovessel.core.errors import ModelUnreachable
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.testing.clock import StoppedClock
from echovessel.testing.model_scripts import fails, hangs, says, shows
from echovessel.testing.model_server import ModelServer
from tests.support.settings import llm_settings

HELLO = (ChatMessage(ChatRole.USER, "你好"),)
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
SELF_SIGNED = Path(__file__).parents[3] / "data" / "llm" / "self_signed.pem"


def _line(base_url: str, **settings: object) -> Line:
    return Line(
        address=Address.parse(base_url),
        settings=llm_settings(base_url=base_url, **settings),
        connect_s=2,
        clock=StoppedClock(NOON),
    )


async def _ask(line: Line) -> bytes:
    async with line.ask("scripted", HELLO, {"max_tokens": 9}) as body:
        return b"".join([chunk async for chunk in body])


async def test_the_request_is_a_streaming_chat_completion(server: ModelServer) -> None:
    server.will(says("Hi"))
    assert b"[DONE]" in await _ask(_line(server.base_url))
    assert server.asked[0].path == "/v1/chat/completions"
    assert server.asked[0].body == {
        "model": "scripted",
        "messages": [{"role": "user", "content": "你好"}],
        "stream": True,
        "max_tokens": 9,
    }


async def test_only_what_is_needed_leaves_whatever_the_environment_says(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "OPENAI_API_KEY": "sk-of-another-program",
        "OPENAI_ADMIN_KEY": "sk-admin",
        "OPENAI_ORG_ID": "org-1",
        "OPENAI_PROJECT_ID": "proj-1",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "OPENAI_CUSTOM_HEADERS": "X-Tracking: yes",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    server.will(says("Hi"))
    await _ask(_line(server.base_url))
    assert set(server.asked[0].headers) == {
        "host",
        "accept",
        "content-type",
        "content-length",
        "connection",
        "user-agent",
    }
    assert server.asked[0].headers["user-agent"] == "echovessel"


async def test_the_key_is_read_for_each_request(server: ModelServer, tmp_path: Path) -> None:
    file = tmp_path / "key"
    line = _line(server.base_url, api_key_file=str(file))
    for key in ("first", "second"):
        file.write_text(key)
        server.will(says("Hi"))
        await _ask(line)
    assert [asked.headers["authorization"] for asked in server.asked] == ["Bearer first", "Bearer second"]


async def test_a_redirect_is_not_followed(server: ModelServer) -> None:
    server.will(lambda exchange: exchange.whole(307, b"", headers={"Location": f"{server.base_url}/chat/completions"}))
    with pytest.raises(Refusal) as caught:
        await _ask(_line(server.base_url))
    assert caught.value.status == 307
    assert len(server.asked) == 1


async def test_an_error_body_nested_without_end_is_a_refusal_without_words(server: ModelServer) -> None:
    server.will(lambda exchange: exchange.whole(500, b'{"error":' * 100_000 + b"1" + b"}" * 100_000))
    with pytest.raises(Refusal) as caught:
        await _ask(_line(server.base_url))
    assert (caught.value.status, caught.value.words) == (500, "")


async def test_a_refusal_says_how_long_to_wait(server: ModelServer) -> None:
    server.will(fails(429, retry_after="Mon, 02 Mar 2026 12:00:30 GMT"))
    with pytest.raises(Refusal) as caught:
        await _ask(_line(server.base_url))
    assert caught.value.retry_after == 30


async def test_the_models_are_listed(server: ModelServer) -> None:
    server.models = ("luna-7b", "sol-70b")
    assert [listed.id for listed in await _line(server.base_url).models()] == ["luna-7b", "sol-70b"]


async def test_a_listing_that_is_none_is_refused(server: ModelServer) -> None:
    with pytest.raises(Refusal):
        await _line(server.base_url + "/nowhere").models()
    server.lists = shows(b"<html>")
    with pytest.raises(NotTheProtocol):
        await _line(server.base_url).models()


async def test_a_certificate_that_nobody_vouches_for_is_not_trusted() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(SELF_SIGNED)
    with ModelServer(tls=context) as server, pytest.raises(ModelUnreachable, match="certificate"):
        await _ask(_line(server.base_url))
    assert server.asked == []


async def test_leaving_closes_the_connection(server: ModelServer) -> None:
    server.will(hangs())
    asking = asyncio.create_task(_ask(_line(server.base_url)))
    assert await asyncio.to_thread(server.waits_for_request)
    asking.cancel()
    assert await asyncio.to_thread(server.waits_for_hang_up)
