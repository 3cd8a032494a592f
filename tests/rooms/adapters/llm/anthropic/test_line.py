import asyncio
from pathlib import Path

import pytest

from echovessel.adapters.llm.anthropic.address import address_of
from echovessel.adapters.llm.anthropic.line import Line
from echovessel.adapters.llm.failures import Refusal
from echovessel.adapters.llm.piece import NotTheProtocol
from echovessel.testing.anthropic_scripts import fails, says
from echovessel.testing.anthropic_server import CONTEXT_TOKENS, AnthropicServer
from echovessel.testing.clock import StoppedClock
from echovessel.testing.model_scripts import hangs, shows
from tests.support.settings import llm_settings

BODY = {"messages": [{"role": "user", "content": "你好"}], "max_tokens": 9, "temperature": 0.5}


def _line(base_url: str, **settings: object) -> Line:
    values = {"base_url": base_url, "api_key": "k-1"} | settings
    return Line(address=address_of(base_url), settings=llm_settings(**values), connect_s=2, clock=StoppedClock())


async def _ask(line: Line) -> bytes:
    async with line.ask("scripted", BODY) as body:
        return b"".join([chunk async for chunk in body])


async def test_the_request_is_a_streamed_message(server: AnthropicServer) -> None:
    server.will(says("Hi"))
    assert b"message_stop" in await _ask(_line(server.base_url))
    assert server.asked[0].path == "/v1/messages"
    assert server.asked[0].body == {"model": "scripted", "stream": True, **BODY}


async def test_only_what_is_needed_leaves_whatever_the_environment_says(
    server: AnthropicServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in {
        "ANTHROPIC_API_KEY": "sk-ant-of-another-program",
        "ANTHROPIC_AUTH_TOKEN": "token-of-another-program",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "ANTHROPIC_CUSTOM_HEADERS": "X-Tracking: yes\nanthropic-version: 1999-01-01\nAuthorization: Bearer theirs",
        "ANTHROPIC_PROFILE": "theirs",
        "ANTHROPIC_CONFIG_DIR": str(tmp_path),
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    server.will(says("Hi"))
    await _ask(_line(server.base_url))
    sent = dict(server.asked[0].headers)
    assert {sent.pop(name) for name in ("host", "accept", "content-type", "content-length", "connection")}
    assert sent == {
        "user-agent": "echovessel",
        "anthropic-version": "2023-06-01",
        "x-api-key": "k-1",
        "authorization": "Bearer k-1",
    }


async def test_a_server_without_keys_is_sent_none(server: AnthropicServer) -> None:
    with pytest.raises(Refusal) as caught:
        await _ask(_line(server.base_url, api_key=""))
    assert caught.value.status == 401
    assert not {"x-api-key", "authorization"} & set(server.asked[0].headers)


async def test_the_key_is_read_for_each_request(server: AnthropicServer, tmp_path: Path) -> None:
    file = tmp_path / "key"
    line = _line(server.base_url, api_key="", api_key_file=str(file))
    for key in ("first", "second"):
        file.write_text(key)
        server.will(says("Hi"))
        await _ask(line)
    assert [asked.headers["x-api-key"] for asked in server.asked] == ["first", "second"]


async def test_a_refusal_brings_its_words_its_type_and_its_wait_and_not_the_key(server: AnthropicServer) -> None:
    server.will(fails(429, "rate_limit_error", "slow down, k-1", retry_after=7))
    with pytest.raises(Refusal) as caught:
        await _ask(_line(server.base_url))
    told = caught.value
    assert (told.status, told.code, told.words, told.retry_after) == (429, "rate_limit_error", "slow down, …", 7)


async def test_the_models_are_listed_page_by_page(server: AnthropicServer) -> None:
    server.models = tuple(f"claude-{n}" for n in range(2300))
    listed = await _line(server.base_url).models()
    assert [one.id for one in listed] == list(server.models)
    assert {one.context_tokens for one in listed} == {CONTEXT_TOKENS}
    assert len(server.asked) == 3


async def test_a_list_that_never_ends_is_left(server: AnthropicServer) -> None:
    page = b'{"data": [{"id": "again"}], "has_more": true, "last_id": "again"}'
    server.lists = shows(page, "application/json")
    assert len(await _line(server.base_url).models()) == 20


async def test_a_listing_that_is_none_is_refused(server: AnthropicServer) -> None:
    server.lists = shows(b"<html>")
    with pytest.raises(NotTheProtocol):
        await _line(server.base_url).models()
    server.lists = fails(404, "not_found_error")
    with pytest.raises(Refusal):
        await _line(server.base_url).models()


async def test_leaving_closes_the_connection(server: AnthropicServer) -> None:
    server.will(hangs())
    asking = asyncio.create_task(_ask(_line(server.base_url)))
    assert await asyncio.to_thread(server.waits_for_request, 20)
    asking.cancel()
    assert await asyncio.to_thread(server.waits_for_hang_up)
