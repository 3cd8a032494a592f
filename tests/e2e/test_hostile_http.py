"""A hostile client at a real daemon's socket: it gets a plain refusal, never a server error, and nobody else notices."""

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.daemon import Daemon, running
from tests.support.process import holding
from tests.support.wire import Answers, say

PERSONAS = "/api/v1/personas"
NEW = b'{"name": "Smuggled"}'


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    yield from running(tmp_path_factory.mktemp("hostile") / "home", **{"embedder.name": "none", "turn.debounce_s": 0})


@pytest.fixture(autouse=True)
def unharmed(daemon: Daemon) -> Iterator[None]:
    """After each attack the daemon answers at once, has nobody new in it, and logged no defect."""
    before = daemon.log()
    yield
    started = time.monotonic()
    assert daemon.call("GET", PERSONAS)["items"] == []
    assert time.monotonic() - started < 10
    assert "Traceback" not in daemon.log().removeprefix(before)


def request(daemon: Daemon, line: str, body: bytes = b"", *, token: bool = True, **headers: str) -> bytes:
    """A request's bytes: the right Host and token unless said otherwise (`Host=…`, `_` in a name stands for `-`)."""
    given = {"Host": f"127.0.0.1:{daemon.port}", "Connection": "close"}
    given |= {"Authorization": f"Bearer {daemon.token}"} if token else {}
    given |= {"Content-Length": str(len(body))} if body else {}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"{line} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body


def ask(daemon: Daemon, line: str, body: bytes = b"", *, token: bool = True, **headers: str) -> Answers:
    """One request and its answer."""
    return say(daemon.port, request(daemon, line, body, token=token, **headers))


# ---------------------------------------------------------------- whose name is it


@pytest.mark.parametrize(
    "host",
    [
        "rebound.example:{port}",
        "127.0.0.1.rebound.example",
        "localhost.:{port}",
        "127.0.0.1.:{port}",
        "127.1:{port}",
        "2130706433:{port}",
        "0x7f000001:{port}",
        "0.0.0.0:{port}",
        "[::ffff:127.0.0.1]:{port}",
        "[::1%25lo]:{port}",
        "localhost:{port}:80",
        "localhost:99999",
        "localhost:-1",
        "localhost, rebound.example",
        "rebound.example, localhost",
        "user@localhost:{port}",
        "localhost/",
        "local\u00adhost",
        "*",
        "",
    ],
)
def test_a_rebound_or_odd_host_is_refused_with_the_right_token_too(daemon: Daemon, host: str) -> None:
    answer = ask(daemon, "GET /api/v1/me", Host=host.format(port=daemon.port))

    assert answer.statuses == [403]
    assert answer.problem["code"] == "host-not-allowed"


def test_two_hosts_are_one_too_many_and_none_is_too_few(daemon: Daemon) -> None:
    once = request(daemon, "GET /api/v1/me")
    twice = once.replace(b"Connection:", b"Host: rebound.example\r\nConnection:")
    never = once.replace(b"Host:", b"X-Host:")

    for tried in (twice, twice.replace(b"rebound.example", b"localhost"), never, never.replace(b"/1.1", b"/1.0")):
        assert say(daemon.port, tried).statuses in ([400], [403])


@pytest.mark.parametrize(
    "target", ["http://rebound.example/api/v1/me", "http://localhost/api/v1/me", "//rebound.example/api/v1/me"]
)
def test_a_target_that_names_a_host_leads_nowhere(daemon: Daemon, target: str) -> None:
    assert ask(daemon, f"GET {target}", token=False).statuses == [404]


# ---------------------------------------------------------------- whose page is it


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site", "Origin": "http://127.0.0.1:{port}"},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors", "Content_Type": "text/plain"},
        {"Origin": "http://127.0.0.1:{port}.elsewhere.example"},
        {"Origin": "http://127.0.0.1:{port}, https://elsewhere.example"},
    ],
)
def test_another_page_with_the_owners_cookie_changes_nothing(daemon: Daemon, headers: dict[str, str]) -> None:
    given = {"Content_Type": "application/json"} | {k: v.format(port=daemon.port) for k, v in headers.items()}
    for line in (f"POST {PERSONAS}", f"POST {PERSONAS}/import?filename=x.json", "GET /api/v1/events"):
        answer = ask(daemon, line, NEW, token=False, Cookie=f"echovessel={daemon.token}", **given)
        assert answer.statuses == [403]
        assert answer.problem["code"] == "origin-not-allowed"


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
        "",
    ],
)
def test_a_form_is_no_json_even_where_a_browser_tells_no_origin(daemon: Daemon, kind: str) -> None:
    """What an old browser sends for `<form enctype="text/plain">`: the cookie, no Origin, and JSON that looks right."""
    body = b'{"name": "Smuggled", "about": "="}'
    answer = ask(daemon, f"POST {PERSONAS}", body, token=False, Cookie=f"echovessel={daemon.token}", Content_Type=kind)

    assert answer.statuses == [415]


def test_the_cookie_never_leaves_for_another_site(daemon: Daemon) -> None:
    told = ask(daemon, f"GET /login?token={daemon.token}", token=False).raw.decode().lower()

    assert "samesite=strict" in told
    assert "httponly" in told
    assert "path=/api;" in told


# ---------------------------------------------------------------- which way


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../../../etc/passwd",
        "/assets/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/assets/%2e%2e/%2e%2e/token",
        "/assets/..%5c..%5ctoken",
        "/assets/..\\..\\token",
        "/assets//etc/passwd",
        "/assets/%00",
        "/%00",
        "/assets/%c0%ae%c0%ae/token",
        "/assets/" + "a" * 40_000,
        "/%",
        "/%zz",
        "/%ff%fe",
        "/token",
        "/memory.db",
        "/assets",
        "/assets/",
        "*",
    ],
)
def test_no_path_leads_out_of_the_page(daemon: Daemon, path: str) -> None:
    answer = ask(daemon, f"GET {path}", token=False)

    assert answer.statuses in ([400], [404])
    assert daemon.token.encode() not in answer.raw
    assert b"root:" not in answer.raw


@pytest.mark.parametrize(
    "path",
    [
        "/api%2fv1%2fme",
        "/%61pi/v1/me",
        "/API/v1/me",
        "//api/v1/me",
        "/./api/v1/me",
        "/assets/../api/v1/me",
        "/api/v1/me/",
        "/api/v1/me%20",
        "/api/v1/me%00",
        "/api/v1/me;x",
        "/api/v1/me%0d%0aX-Made-Up:%20yes",
        "/api/v1/../v1/me",
        "/api/%2e%2e/api/v1/me",
    ],
)
def test_no_spelling_of_a_route_goes_past_its_guard(daemon: Daemon, path: str) -> None:
    answer = ask(daemon, f"GET {path}", token=False)

    assert answer.statuses in ([401], [404])
    assert b"x-made-up" not in answer.raw.lower()


@pytest.mark.parametrize(
    "name", ["..", "%2e%2e", "..%2fme", "%00", "%ff", "'; DROP TABLE message; --", "a" * 30_000, "%F0%9F%90%99"]
)
def test_an_id_is_looked_up_and_never_interpreted(daemon: Daemon, name: str) -> None:
    for path in (f"{PERSONAS}/{name}/messages", f"/api/v1/messages/{name}", f"/api/v1/backups/{name}"):
        method = "DELETE" if "backups" in path else "GET"
        answer = ask(daemon, f"{method} {path.replace(' ', '%20')}")
        assert answer.statuses in ([404], [405], [422]), path


# ---------------------------------------------------------------- where does it end


@pytest.mark.parametrize(
    "framing",
    [
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        "Content-Length: 4\r\nContent-Length: 40\r\n",
        "Content-Length: 4, 40\r\n",
        "Content-Length: +4\r\n",
        "Content-Length: 4 4\r\n",
        "Content-Length : 4\r\n",
        "Content-Length: 0x4\r\n",
        "Content-Length: -4\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding:\x0bchunked\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding : chunked\r\n",
        "X: y\r\n Content-Length: 4\r\nTransfer-Encoding: gzip\r\n",
    ],
)
def test_a_body_of_two_lengths_is_refused_and_what_follows_it_is_no_request(daemon: Daemon, framing: str) -> None:
    """Two programs that disagree on where a request ends: the second would read what the first let through."""
    smuggled = request(daemon, f"POST {PERSONAS}", NEW, Content_Type="application/json")
    head = request(daemon, "POST /api/v1/doctor", Content_Type="application/json", Connection="keep-alive")
    answer = say(daemon.port, head[:-2] + framing.encode() + b"\r\n" + b"0\r\n\r\n" + smuggled, quiet_s=3)

    assert answer.statuses
    assert set(answer.statuses) <= {400, 501}


@pytest.mark.parametrize(
    "chunk", [b"zz\r\n", b"-1\r\n", b"ffffffffffffffffffff\r\n", b"5\r\nabcdefgh\r\n", b"\r\n", b"1;" + b"x" * 90_000]
)
def test_a_broken_chunk_ends_the_connection(daemon: Daemon, chunk: bytes) -> None:
    head = request(daemon, f"POST {PERSONAS}", Content_Type="application/json", Transfer_Encoding="chunked")
    answer = say(daemon.port, head, chunk, b"0\r\n\r\n", quiet_s=3)

    assert set(answer.statuses) <= {400}


@pytest.mark.parametrize(
    "head",
    [
        b"GET /api/v1/me\r\n\r\n",
        b"GET /api/v1/me HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET  /api/v1/me  HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX\x00Y: z\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n: nameless\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
        b"GET /" + b"y" * 200_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\r\n" * 100_000,
    ],
)
def test_what_is_no_request_of_ours_is_refused_or_gets_no_answer(daemon: Daemon, head: bytes) -> None:
    assert set(say(daemon.port, head, quiet_s=2).statuses) <= {400, 403}


# ---------------------------------------------------------------- what is in it


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000,
        b'{"name":' * 100_000,
        b'{"name": ' + b"9" * 10_000 + b"}",
        b'{"name": 1e400}',
        b'{"name": -Infinity, "x": NaN}',
        b'{"name": "\\ud83d"}',
        b'{"name": "a\\u0000b"}',
        b'\xef\xbb\xbf{"name": "Smuggled"',
        '{"name": "Smuggled"'.encode("utf-16"),
        b'{"name": "\xff\xfe"}',
        b"\x1f\x8b\x08\x00",
        b'{"name": "' + b"x" * 900_000 + b'"}',
        b'{"' + b"k" * 900_000 + b'": 1}',
        b"{" + b",".join(b'"k%d":1' % n for n in range(60_000)) + b"}",
        b"null",
        b"[]",
        b'""',
        b"{}{}",
    ],
)
def test_no_json_is_too_deep_too_long_or_too_strange(daemon: Daemon, body: bytes) -> None:
    for line in (f"POST {PERSONAS}", "PATCH /api/v1/me", "PATCH /api/v1/settings", "POST /login"):
        answer = ask(daemon, line, body, Content_Type="application/json")
        assert answer.statuses in ([400], [422]), line
        assert answer.problem["do"]


@pytest.mark.parametrize("value", ["9" * 5_000, "-1", "1e5", "%00", "%f0%9f", "0x10", "NaN", "1" * 60_000])
def test_a_number_in_a_query_is_a_number_or_refused(daemon: Daemon, value: str) -> None:
    for path in (f"/api/v1/jobs?limit={value}", f"/api/v1/events?after={value}", f"/api/v1/usage?since={value}"):
        assert ask(daemon, f"GET {path}").statuses in ([400], [422]), path


def test_a_body_larger_than_any_is_refused_and_never_held(daemon: Daemon) -> None:
    assert daemon.process is not None
    memory = holding(daemon.process.pid).memory_mb
    head = request(daemon, f"POST {PERSONAS}", Content_Length=str(1 << 40), Content_Type="application/json")
    answer = say(daemon.port, head, *[b"x" * (1 << 20)] * 33)

    assert answer.statuses == [413]
    assert holding(daemon.process.pid).memory_mb - memory < 20


# ---------------------------------------------------------------- how long does it take


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_five_hundred_idle_and_a_hundred_dripping_connections_keep_nobody_waiting(daemon: Daemon) -> None:
    head = request(daemon, f"POST {PERSONAS}", Content_Type="application/json", Content_Length="1000")
    with ExitStack() as open_lines:

        def connect() -> socket.socket:
            return open_lines.enter_context(socket.create_connection(("127.0.0.1", daemon.port), timeout=30))

        for _ in range(500):
            connect()
        dripping = [connect() for _ in range(100)]
        for number, line in enumerate(dripping):
            line.sendall(head if number % 2 else head[:30])
        served: list[float] = []
        for byte in range(20):
            with contextlib.suppress(ConnectionError):
                for line in dripping:
                    line.sendall(b"%d" % (byte % 10))
            started = time.monotonic()
            daemon.call("GET", "/api/v1/me")
            served.append(time.monotonic() - started)
        assert sorted(served)[-2] < 5

        # Silence and drips end by themselves: the headers' time is up before the body's.
        first = open_lines.enter_context(socket.create_connection(("127.0.0.1", daemon.port), timeout=40))
        assert first.recv(1) == b""
        dripped = [_last_words(line) for line in dripping]
    assert set(dripped) <= {b"", b"HTTP/1.1 408", b"HTTP/1.1 400"}
    assert b"HTTP/1.1 408" in dripped


def _last_words(line: socket.socket) -> bytes:
    try:
        return line.recv(12)
    except ConnectionError:
        return b""


def test_a_new_persona_may_still_be_made_by_who_may(daemon: Daemon, tmp_path: Path) -> None:
    """The requests above were refused for what is wrong with them, and not because everything is refused."""
    answer = ask(daemon, "PATCH /api/v1/me", json.dumps({"name": "Ada"}).encode(), Content_Type="application/json")

    assert answer.statuses == [200]
    assert answer.problem["name"] == "Ada"
