"""Without the token, nothing under /api."""

import ast
import inspect

import httpx2
import pytest
from starlette.responses import PlainTextResponse

from echovessel.api.security.token import TokenGuard, same_token

TOKEN = "kH3_v0x-Lq7pW2sT9aZ1bN4cD6eF8gJ5"


async def ask(path: str, headers: dict[str, str] | None = None, *, token: str = TOKEN) -> httpx2.Response:
    transport = httpx2.ASGITransport(app=TokenGuard(PlainTextResponse("reached"), token=token))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", trust_env=False) as client:
        return await client.get(path, headers=headers or {})


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Bearer {TOKEN}"},
        {"Authorization": f"bearer  {TOKEN} "},
        {"Cookie": f"echovessel={TOKEN}"},
        {"Cookie": f"a=b; theme={{dark,[1]}}; bad cookie; echovessel={TOKEN}; c=d"},
        {"Authorization": f"Bearer {TOKEN}", "Cookie": "echovessel=wrong"},
    ],
)
async def test_the_right_token_opens(headers: dict[str, str]) -> None:
    assert (await ask("/api/v1/me", headers)).text == "reached"


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "no-token"),
        ({"Authorization": ""}, "no-token"),
        ({"Authorization": f"Basic {TOKEN}"}, "no-token"),
        ({"Authorization": "Bearer "}, "no-token"),
        ({"Authorization": "Bearer wrong"}, "wrong-token"),
        ({"Authorization": f"Bearer {TOKEN[:-1]}"}, "wrong-token"),
        ({"Authorization": f"Bearer {TOKEN}x"}, "wrong-token"),
        ({"Authorization": f"Bearer {TOKEN.lower()}"}, "wrong-token"),
        ({"Authorization": "Bearer wrong", "Cookie": f"echovessel={TOKEN}"}, "wrong-token"),
        ({"Cookie": "echovessel=wrong"}, "wrong-token"),
        ({"Cookie": f"other={TOKEN}"}, "no-token"),
        ({"X-Token": TOKEN}, "no-token"),
    ],
)
@pytest.mark.parametrize("path", ["/api", "/api/", "/api/openapi.json", "/api/v1/me", "/api/v1/no-such-route"])
async def test_any_other_is_refused(path: str, headers: dict[str, str], code: str) -> None:
    answer = await ask(path, headers)

    assert (answer.status_code, answer.json()["code"]) == (401, code)
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert TOKEN not in answer.text


async def test_a_token_in_the_query_is_no_token() -> None:
    assert (await ask(f"/api/v1/me?token={TOKEN}")).status_code == 401


async def test_a_home_without_a_token_opens_to_nobody() -> None:
    for headers in ({}, {"Authorization": "Bearer "}, {"Cookie": "echovessel="}):
        assert (await ask("/api/v1/me", headers, token="")).status_code == 401


async def test_the_page_itself_needs_none() -> None:
    for path in ("/", "/assets/index.js", "/login", "/healthz"):
        assert (await ask(path)).text == "reached"


def test_tokens_are_compared_in_constant_time() -> None:
    calls = {ast.unparse(n.func) for n in ast.walk(ast.parse(inspect.getsource(same_token))) if isinstance(n, ast.Call)}

    assert "hmac.compare_digest" in calls


def test_what_is_no_text_at_all_is_no_token() -> None:
    assert not same_token("\ud800", TOKEN)
    assert not same_token("ключ", TOKEN)
