"""The token is shown once; then the cookie stands for it, and nothing else does."""

import logging
from http.cookies import SimpleCookie

import httpx2
import pytest

from echovessel.testing.world import World
from tests.rooms.api.conftest import Api
from tests.support.asgi import served


def cookie_of(answer: httpx2.Response) -> SimpleCookie:
    return SimpleCookie(answer.headers.get("set-cookie", ""))


def test_the_cookie_opens_the_api_and_is_out_of_reach_of_scripts_and_other_sites(api: Api, world: World) -> None:
    answer = api.call("POST", "/login", json={"token": world.vessel.token}, headers={"Authorization": ""})
    morsel = cookie_of(answer)["echovessel"]

    assert answer.status_code == 204
    assert (morsel["samesite"].lower(), morsel["path"], bool(morsel["httponly"])) == ("strict", "/api", True)
    assert not morsel["domain"]
    seen = api.call("GET", "/api/v1/me", headers={"Authorization": "", "Cookie": f"echovessel={morsel.value}"})
    assert seen.status_code == 200


def test_the_link_sets_it_and_goes_on_to_the_page(api: Api, world: World) -> None:
    answer = api.call("GET", "/login", params={"token": world.vessel.token}, headers={"Authorization": ""})

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert cookie_of(answer)["echovessel"].value == world.vessel.token
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("token", ["", "wrong", "x" * 1000, "令牌", "a\0b"])
def test_a_wrong_token_sets_nothing(steady: Api, token: str) -> None:
    for answer in (
        steady.call("POST", "/login", json={"token": token}),
        steady.call("GET", "/login", params={"token": token}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (401, "wrong-token")
        assert "set-cookie" not in answer.headers


def test_a_login_without_a_token_names_it(steady: Api) -> None:
    for answer in (steady.call("POST", "/login", json={}), steady.call("GET", "/login")):
        assert (answer.status_code, answer.json()["field"]) == (422, "token")


def test_the_token_is_in_no_log(api: Api, world: World, caplog: pytest.LogCaptureFixture) -> None:
    async def log_in_on_a_server_that_logs_every_request() -> None:
        async with (
            served(world.vessel.app(), access_log=True) as url,
            httpx2.AsyncClient(base_url=url, trust_env=False) as client,
        ):
            await client.get("/login", params={"token": world.vessel.token})
            await client.get("/login", params={"token": world.vessel.token + "x"})
            await client.post("/login", json={"token": world.vessel.token})

    with caplog.at_level(logging.DEBUG):
        world.run(log_in_on_a_server_that_logs_every_request())

    lines = [r.getMessage() for r in caplog.records if r.name.startswith(("uvicorn", "echovessel"))]
    assert [line for line in lines if "/login" in line]
    assert [line for line in lines if world.vessel.token in line] == []
