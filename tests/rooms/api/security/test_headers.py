"""Every answer carries the headers that keep a browser from being talked into things."""

import httpx2
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp

from echovessel.api.security.headers import SecurityHeaders


async def headers_of(app: ASGIApp) -> httpx2.Headers:
    transport = httpx2.ASGITransport(app=SecurityHeaders(app))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", trust_env=False) as client:
        return (await client.get("/")).headers


async def test_nothing_but_our_own_files_may_run() -> None:
    policy = (await headers_of(PlainTextResponse("x")))["content-security-policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))

    assert rules["default-src"] == "'self'"
    assert rules["script-src"] == "'self'"
    assert rules["object-src"] == "'none'"
    assert rules["frame-ancestors"] == "'none'"
    assert rules["base-uri"] == "'none'"
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "http" not in policy


async def test_no_guessing_no_frame_no_referrer_no_sharing() -> None:
    headers = await headers_of(PlainTextResponse("x"))

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert not [name for name in headers if name.startswith("access-control-")]


async def test_answers_are_not_kept_unless_they_say_so() -> None:
    kept = PlainTextResponse("x", headers={"Cache-Control": "max-age=5"})

    assert (await headers_of(PlainTextResponse("x")))["cache-control"] == "no-store"
    assert (await headers_of(kept))["cache-control"] == "max-age=5"
