"""Names that are not ours and pages that are not ours get nowhere."""

import httpx2
import pytest
from starlette.responses import PlainTextResponse

from echovessel.api.security.hosts import HostGuard
from tests.support.asgi import raw, served

ALLOWED = ("nas.lan", "vessel.example:8443")


def guarded() -> HostGuard:
    return HostGuard(PlainTextResponse("reached"), allowed=lambda: ALLOWED)


async def ask(method: str, path: str, headers: dict[str, str]) -> httpx2.Response:
    transport = httpx2.ASGITransport(app=guarded())
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost:7777", trust_env=False) as client:
        return await client.request(method, path, headers=headers)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:7777",
        "LOCALHOST:1",
        "127.0.0.1:7777",
        "[::1]:7777",
        "[::1]",
        "nas.lan",
        "nas.lan:80",
        "vessel.example:8443",
    ],
)
async def test_our_own_names_are_answered(host: str) -> None:
    assert (await ask("GET", "/", {"Host": host})).text == "reached"


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:7777",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example#localhost",
        "localhost@evil.example",
        "localhost:7777@evil.example",
        "evil.example/localhost",
        "localhost:port",
        "localhost:7777:7777",
        "[::1",
        "127.0.0.2",
        "0.0.0.0",
        "vessel.example",
        "vessel.example:1",
        "",
    ],
)
async def test_a_rebound_name_is_refused(host: str) -> None:
    answer = await ask("GET", "/", {"Host": host})

    assert (answer.status_code, answer.json()["code"]) == (403, "host-not-allowed")
    assert "allowed_hosts" in answer.json()["do"]


async def test_a_request_without_host_or_with_two_is_refused_by_the_real_server() -> None:
    async with served(guarded()) as url:
        none = await raw(url, b"GET / HTTP/1.0\r\n\r\n")
        two = await raw(url, b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n")

    assert b" 403 " in none.splitlines()[0]
    assert b" 40" in two.splitlines()[0]
    assert b"reached" not in none + two


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
async def test_another_pages_writes_are_refused(method: str) -> None:
    for origin in ("https://evil.example", "null", "http://localhost:3000", "http://localhost", "file://", ""):
        answer = await ask(method, "/anything", {"Origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "origin-not-allowed"), origin


async def test_another_page_may_not_listen_nor_read() -> None:
    for path in ("/api/v1/events", "/api/v1/me"):
        assert (await ask("GET", path, {"Origin": "https://evil.example"})).status_code == 403
        for site in ("cross-site", "same-site"):
            assert (await ask("GET", path, {"Sec-Fetch-Site": site})).status_code == 403


async def test_our_own_page_and_programs_may_write() -> None:
    for headers in (
        {},
        {"Origin": "http://localhost:7777"},
        {"Origin": "http://localhost:7777", "Sec-Fetch-Site": "same-origin"},
        {"Host": "vessel.example:8443", "Origin": "https://vessel.example:8443"},
        {"Sec-Fetch-Site": "none"},
    ):
        assert (await ask("POST", "/api/v1/me", headers)).text == "reached", headers


async def test_a_link_from_elsewhere_opens_the_page() -> None:
    assert (await ask("GET", "/", {"Sec-Fetch-Site": "cross-site"})).text == "reached"
