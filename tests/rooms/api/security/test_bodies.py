"""Bodies that are too large or too slow are refused in words, on a real server."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI, Request

from echovessel.api import problems
from echovessel.api.security.bodies import MB, BodyGuard, BodyLimits
from tests.support.asgi import raw, served

LIMITS = BodyLimits(default=1000, by_path=((r"/big", 4000),), grace_s=0.3, slowest=10_000)


def guarded(limits: BodyLimits = LIMITS) -> FastAPI:
    app = FastAPI()
    problems.install(app)

    async def count(request: Request) -> dict[str, int]:
        return {"bytes": len(await request.body())}

    async def parse(body: dict[str, Any]) -> dict[str, int]:
        return {"keys": len(body)}

    app.post("/count")(count)
    app.post("/big")(count)
    app.post("/json")(parse)
    app.add_middleware(BodyGuard, limits=limits)
    return app


async def chunks(size: int, count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield b"x" * size


@pytest.mark.parametrize(("path", "size"), [("/count", 1000), ("/big", 4000), ("/count", 0)])
async def test_a_body_of_exactly_the_cap_passes(path: str, size: int) -> None:
    async with served(guarded()) as url, httpx2.AsyncClient(base_url=url, trust_env=False) as client:
        assert (await client.post(path, content=b"x" * size)).json() == {"bytes": size}
        assert (await client.post(path, content=chunks(size // 10, 10))).json() == {"bytes": size}


@pytest.mark.parametrize("path", ["/count", "/json"])
async def test_one_byte_more_is_a_413_that_names_the_cap(path: str) -> None:
    limits = BodyLimits(default=MB)
    async with served(guarded(limits)) as url, httpx2.AsyncClient(base_url=url, trust_env=False) as client:
        announced = await client.post(path, content=b"x" * (MB + 1))
        streamed = await client.post(path, content=chunks(MB // 4, 5))
        afterwards = await client.post("/count", content=b"fine")

    for answer in (announced, streamed):
        assert answer.status_code == 413
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["code"] == "too-large"
        assert "1 MB" in answer.json()["do"]
    assert afterwards.json() == {"bytes": 4}


async def test_a_length_that_is_no_number_or_absurd_reaches_nobody() -> None:
    async with served(guarded()) as url:
        for length in (b"99999999999999999999999999", b"-1", b"0x10", "٣".encode()):
            head = (
                b"POST /count HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                + length
                + b"\r\n\r\n"
            )
            assert (await raw(url, head, b"x" * 2000))[9:10] == b"4", length


async def test_a_body_of_two_lengths_is_a_400_and_ends_the_connection() -> None:
    head = (
        b"POST /count HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    )
    async with served(guarded()) as url:
        answer = await raw(url, head, b"POST /count HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")

    assert answer.count(b"HTTP/1.1 ") == 1
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "two-lengths"


async def test_a_body_that_drips_is_a_408_however_steadily_it_drips() -> None:
    head = b"POST /count HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n"
    async with served(guarded()) as url:
        started = time.monotonic()
        answer = await asyncio.wait_for(raw(url, head, *[b"x"] * 8, pause_s=0.08), 5)
        took = time.monotonic() - started

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "too-slow"
    assert took < 4


async def test_a_body_that_never_comes_is_a_408() -> None:
    async with served(guarded()) as url:
        answer = await raw(url, b"POST /json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 408 ")


async def test_a_body_that_says_it_is_too_large_and_then_never_comes_is_a_413() -> None:
    async with served(guarded()) as url:
        answer = await raw(url, b"POST /json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n", b"x")

    assert answer.startswith(b"HTTP/1.1 413 ")


async def test_our_own_slowness_is_not_held_against_the_client() -> None:
    app = FastAPI()
    problems.install(app)

    @app.post("/slow")
    async def slow(request: Request) -> dict[str, int]:
        size = 0
        async for chunk in request.stream():
            await asyncio.sleep(0.2)
            size += len(chunk)
        return {"bytes": size}

    app.add_middleware(BodyGuard, limits=LIMITS)
    async with served(app) as url, httpx2.AsyncClient(base_url=url, trust_env=False) as client:
        assert (await client.post("/slow", content=chunks(100, 6))).json() == {"bytes": 600}


def test_imports_may_be_large_and_nothing_else() -> None:
    limits = BodyLimits()

    assert limits.cap("/api/v1/personas/import") == 20 * MB
    assert limits.cap("/api/v1/personas/01KBBXQ3M0V2H8S4W6Y7Z9A1C3/imports") == 200 * MB
    assert limits.cap("/api/v1/personas/x/imports/more") == MB
    assert limits.cap("/api/v1/personas/x/messages") == MB
    assert limits.cap("/login") == MB
