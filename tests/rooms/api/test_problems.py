"""Each of our errors has its status, its code and its remedy."""

import httpx2
import pytest
from fastapi import FastAPI

from echovessel.api import problems
from echovessel.core import errors
from echovessel.core.errors import EchoVesselError


async def ask(error: Exception) -> httpx2.Response:
    app = FastAPI()
    problems.install(app)

    @app.get("/")
    async def fail() -> None:
        raise error

    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", trust_env=False) as client:
        return await client.get("/")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (errors.BadInput("x", field="text", do="y"), 422, "bad-input"),
        (errors.NotFound("x", do="y"), 404, "not-found"),
        (errors.Conflict("x", do="y"), 409, "conflict"),
        (errors.ModelUnreachable("x", do="y"), 502, "model-unreachable"),
        (errors.ModelRefusedKey("x", do="y"), 502, "model-refused-key"),
        (errors.ModelBusy("x", do="y"), 503, "model-busy"),
        (errors.ModelRejected("x", do="y"), 502, "model-rejected"),
        (errors.ModelTimeout("x", do="y"), 504, "model-timeout"),
        (errors.ModelEmpty("x", do="y"), 502, "model-empty"),
        (errors.EmbedderDown("x", do="y"), 503, "embedder-down"),
        (errors.StoreUnusable("x", do="y"), 503, "store-unusable"),
        (errors.ConfigError("x", do="y"), 500, "config"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
async def test_our_errors(error: EchoVesselError, status: int, code: str) -> None:
    answer = await ask(error)
    found = answer.json()

    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, found["status"], found["code"]) == (status, status, code)
    assert (found["detail"], found["do"], found["type"]) == ("x", "y", "about:blank")
    assert found["title"]
    assert found.get("field") == ("text" if code == "bad-input" else None)


async def test_when_to_come_back_is_passed_on() -> None:
    busy = await ask(errors.ModelBusy("x", do="y", retry_after=0.2))

    assert busy.headers["retry-after"] == "1"
    assert "retry-after" not in (await ask(errors.ModelBusy("x", do="y"))).headers


async def test_a_bug_tells_nothing_of_the_inside() -> None:
    answer = await ask(RuntimeError("the diary says: secret"))

    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert "diary" not in answer.text


async def test_words_that_utf8_cannot_carry_do_not_break_the_answer() -> None:
    answer = await ask(errors.BadInput("no zone called '\ud800'", field="\udfff", do="y"))

    assert answer.status_code == 422
    assert "no zone called" in answer.json()["detail"]
