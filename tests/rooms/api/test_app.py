"""The whole surface: every route is guarded, every answer carries its headers, every error is a problem."""

import gc
import json
import weakref
from pathlib import Path
from typing import Any

import httpx2
import pytest

from echovessel.api.security.bodies import MB
from echovessel.testing.world import World
from tests.rooms.api.conftest import UNKNOWN, Api, serving
from tests.support.asgi import raw

METHODS = {"get", "post", "put", "patch", "delete"}


def operations(api: Api) -> list[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of every documented operation."""
    document = api.get("/api/openapi.json")
    return [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]


def filled(api: Api, path: str) -> str:
    """The path with ids that exist where that matters."""
    ids = {"{persona_id}": api.world.pair.persona_id, "{label}": "persona", "{slug}": "none"}
    for name, value in ids.items():
        path = path.replace(name, value)
    return path.replace("{message_id}", UNKNOWN).replace("{turn_id}", UNKNOWN)


def json_routes(api: Api) -> list[tuple[str, str]]:
    """Method and path of every operation that takes JSON, on things that exist."""
    said = api.post(f"{api.persona}/messages", {"text": "here"})
    return [
        (method, filled(api, path.replace("{message_id}", said["message_id"])))
        for method, path, operation in operations(api)
        if "application/json" in operation.get("requestBody", {}).get("content", {})
    ]


def problem(answer: httpx2.Response) -> dict[str, Any]:
    """The answer's problem, after checking that it is a whole one."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    found = answer.json()
    assert found["status"] == answer.status_code
    assert all(found[key] for key in ("type", "title", "detail", "code", "do"))
    return found


def test_no_api_route_answers_without_the_token(steady: Api) -> None:
    known = operations(steady)
    assert len(known) > 30

    for method, path, operation in known:
        answer = steady.call(method, filled(steady, path), headers={"Authorization": ""})
        if path.startswith("/api/") or path == "/metrics":
            assert answer.status_code == 401, (method, path)
            assert problem(answer)["code"] == "no-token"
            assert "401" in operation["responses"]
        else:
            assert path in {"/healthz", "/readyz", "/login"}
    assert steady.call("GET", "/api/opensteady.json", headers={"Authorization": ""}).status_code == 401


def test_guards_stand_before_everything(steady: Api) -> None:
    for path in ("/", "/healthz", "/readyz", "/api/v1/me", "/api/v1/events", "/api/opensteady.json", "/nothing"):
        rebound = steady.call("GET", path, headers={"Host": "evil.example"})
        assert (rebound.status_code, problem(rebound)["code"]) == (403, "host-not-allowed"), path
    for path in ("/login", "/api/v1/personas", f"{steady.persona}/messages"):
        foreign = steady.call("POST", path, json={}, headers={"Origin": "https://evil.example"})
        assert (foreign.status_code, problem(foreign)["code"]) == (403, "origin-not-allowed"), path


def test_every_answer_carries_the_headers_and_none_shares_with_other_sites(steady: Api) -> None:
    answers = [
        steady.call("GET", "/"),
        steady.call("GET", "/healthz"),
        steady.call("GET", "/api/v1/me"),
        steady.call("GET", "/api/v1/me", headers={"Authorization": ""}),
        steady.call("GET", "/nothing"),
        steady.call("GET", "/", headers={"Host": "evil.example"}),
        steady.call("POST", "/api/v1/personas", content=b"{"),
        steady.call("OPTIONS", "/api/v1/me", headers={"Access-Control-Request-Method": "GET"}),
    ]

    for answer in answers:
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "cache-control" in answer.headers
        assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_what_is_not_there_is_a_problem_too(steady: Api) -> None:
    assert problem(steady.call("GET", "/api/v1/nothing"))["code"] == "no-such-route"
    assert problem(steady.call("GET", "/docs"))["code"] == "no-such-route"
    assert problem(steady.call("GET", "/api/v1/me/"))["code"] == "no-such-route"
    wrong = steady.call("DELETE", "/api/v1/me")
    assert problem(wrong)["code"] == "method-not-allowed"
    assert wrong.headers["allow"] == "GET, PATCH"
    message = steady.call("PUT", f"/api/v1/messages/{UNKNOWN}")
    assert message.headers["allow"] == "GET, PATCH, DELETE"
    assert steady.call("POST", "/").headers["allow"] == "GET, HEAD"


NOT_JSON = [b"", b"{", b"hello", b'{"text": "a"} extra', b"\xff\xfe", b"[" * 100_000, b'{"text": ' + b"9" * 6000 + b"}"]


@pytest.mark.parametrize("body", NOT_JSON, ids=lambda body: str(body[:12]))
def test_bodies_that_are_no_json(steady: Api, body: bytes) -> None:
    for method, path in json_routes(steady):
        answer = steady.call(method, path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in ({422} if not body else {400}), (method, path, answer.text)
        assert "Content-Type: application/json" in problem(answer)["do"]


def test_bodies_that_do_not_say_they_are_json(steady: Api) -> None:
    for method, path in json_routes(steady):
        for content_type in ("text/plain", "application/x-www-form-urlencoded", ""):
            answer = steady.call(method, path, content=b'{"text":"a"}', headers={"Content-Type": content_type})
            assert (answer.status_code, problem(answer)["code"]) == (415, "not-json"), (method, path)


@pytest.mark.parametrize("body", [[], ["text"], "text", 3, None, True], ids=repr)
def test_bodies_that_are_no_object(steady: Api, body: Any) -> None:
    for method, path in json_routes(steady):
        answer = steady.call(method, path, content=json.dumps(body), headers={"Content-Type": "application/json"})
        assert answer.status_code == 422, (method, path, answer.text)
        assert problem(answer)["field"] == "body"


def test_unknown_fields_are_named_whatever_they_are_called(steady: Api) -> None:
    for method, path in json_routes(steady):
        for name in ("surprise", "", "a\0b", "\ud800", "名字", "__proto__", "x" * 500):
            answer = steady.call(
                method, path, content=json.dumps({name: 1}), headers={"Content-Type": "application/json"}
            )
            assert answer.status_code == 422, (method, path, answer.text)
            problem(answer)


def test_bodies_of_more_than_a_megabyte(steady: Api) -> None:
    for method, path in json_routes(steady):
        answer = steady.call(method, path, json={"text": "x" * MB})
        assert (answer.status_code, problem(answer)["code"]) == (413, "too-large"), (method, path)


def test_nothing_of_all_that_was_half_written(api: Api, world: World) -> None:
    routes = json_routes(api)
    world.rests()
    store, user_id = world.vessel.deps.store, world.pair.user_id
    before = world.run(store.head(user_id)), world.said, api.get(api.persona), api.get("/api/v1/me")

    for method, path in routes:
        for body in (b"{", b"[]", b'{"surprise": 1}', b'{"text": "a\\u0000b"}', b'{"name": "\\ud800"}', b'{"text": 3}'):
            answer = api.call(method, path, content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code in {400, 422}, (method, path, body, answer.text)

    assert (world.run(store.head(user_id)), world.said, api.get(api.persona), api.get("/api/v1/me")) == before


def test_huge_headers_are_refused_by_the_server(steady: Api) -> None:
    url = str(steady.client.base_url)
    head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: " + b"x" * 200_000 + b"\r\n\r\n"
    answer = steady.world.run(raw(url.rstrip("/"), head))

    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 431 "))
    assert steady.get("/healthz") == {"status": "ok"}


def test_an_application_that_nobody_serves_is_let_go(tmp_path: Path) -> None:
    with World(tmp_path) as world, serving(world) as api:
        assert operations(api)
        served = weakref.ref(api.app)
        del api

    gc.collect()

    assert served() is None
