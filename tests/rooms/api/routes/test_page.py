"""The page's files and nothing else, whatever the path."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from echovessel.api import page_files
from echovessel.api.app import without_doors
from echovessel.api.routes.page import page_routes
from tests.support.asgi import raw, served

SECRET = b"what the token file holds"


@asynccontextmanager
async def page(tmp_path: Path) -> AsyncGenerator[str]:
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>page</title>", encoding="utf-8")
    (folder / "assets" / "a-1.js").write_text("1", encoding="utf-8")
    (tmp_path / "token").write_bytes(SECRET)
    app = without_doors()
    app.router.routes.extend(page_routes(page_files.load(folder)))
    async with served(app) as url:
        yield url


async def get(url: str, path: str, *headers: str, method: str = "GET") -> tuple[int, bytes]:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", ""]
    answer = await raw(url, "\r\n".join(lines).encode())
    return int(answer.split(b" ", 2)[1]), answer


async def test_the_page_and_its_files(tmp_path: Path) -> None:
    async with page(tmp_path) as url:
        status, answer = await get(url, "/")
        script_status, script = await get(url, "/assets/a-1.js?v=1")
        head_status, head = await get(url, "/", method="HEAD")
        post_status, _ = await get(url, "/", method="POST")

    assert (status, script_status, head_status, post_status) == (200, 200, 200, 405)
    assert b"text/html; charset=utf-8" in answer
    assert b"no-cache" in answer
    assert answer.endswith(b"<title>page</title>")
    assert b"text/javascript" in script
    assert b"immutable" in script
    assert head.endswith(b"\r\n\r\n")


async def test_an_unchanged_file_is_not_sent_again(tmp_path: Path) -> None:
    async with page(tmp_path) as url:
        _, answer = await get(url, "/")
        etag = next(line for line in answer.split(b"\r\n") if line.lower().startswith(b"etag:")).split(b": ")[1]
        status, again = await get(url, "/", f"If-None-Match: {etag.decode()}")
        changed, _ = await get(url, "/", 'If-None-Match: "other"')

    assert (status, changed) == (304, 200)
    assert again.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    "path",
    [
        "/../token",
        "/%2e%2e/token",
        "/..%2ftoken",
        "/%2e%2e%2ftoken",
        "/..%5ctoken",
        "/assets/../../token",
        "/assets/%2e%2e/%2e%2e/token",
        "/assets/..%252f..%252ftoken",
        "/assets//../../token",
        "//token",
        "/./assets/a-1.js",
        "/assets",
        "/assets/",
        "/assets/a-1.js/",
        "/assets/a-1.js%00",
        "/assets/%00",
        "/ASSETS/a-1.js",
        "/index.html%20",
        "/token",
        "/%c0%ae%c0%ae/token",
        "http://localhost/../token",
    ],
)
async def test_no_path_leads_anywhere_else(tmp_path: Path, path: str) -> None:
    async with page(tmp_path) as url:
        status, answer = await get(url, path)

    assert status in {404, 400}
    assert SECRET not in answer
    assert b"root:" not in answer
