"""The client against a real local server that answers as told."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from echovessel.core.errors import BadInput, Conflict, EchoVesselError, NotFound
from echovessel.runtime.client import Client, DaemonDown, ServerEvent

EVENTS = b""": still here

event: reply.delta
id: 7
data: {"turn_id":
data: "t"}

event: empty

data: {"a": 1}

"""


class _Handler(BaseHTTPRequestHandler):
    """GET /status/N answers N; /problem a problem; /page pages; /api/v1/events some events; POST echoes what it got."""

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - the base class names it so

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path == "/page":
            more = "before=b" not in query
            self._answer(200, {"items": [1, 2] if more else [3], "next": "b" if more else None})
        elif path == "/problem":
            self._answer(409, {"code": "conflict", "detail": "No.", "do": "Wait."})
        elif path == "/field":
            self._answer(422, {"code": "bad-input", "detail": "No.", "do": "Write.", "field": "text"})
        elif path == "/missing":
            self._answer(404, {"code": "not-found", "detail": "No.", "do": "List."})
        elif path == "/other":
            self._answer(500, {"code": "odd", "detail": "No.", "do": "Report."})
        elif path == "/file":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"x" * 100_000)
        elif path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"x")
        elif path == "/stranger":
            self.send_response(404)
            self.end_headers()
            self.wfile.write(b"<html>")
        elif path == "/api/v1/events":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(EVENTS)

    def do_DELETE(self) -> None:
        self.send_response(204)
        self.end_headers()

    def do_PATCH(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        body = b""
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(
            200,
            {"key": self.headers["Authorization"], "method": self.command, "path": self.path, "body": body.decode()},
        )

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def client() -> Iterator[Client]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    with Client(f"http://127.0.0.1:{server.server_port}", "secret") as made:
        yield made
    server.shutdown()
    thread.join()
    server.server_close()


def test_it_brings_the_token_and_json(client: Client) -> None:
    answer = client.post("/x", {"text": "早"})

    assert answer["key"] == "Bearer secret"
    assert json.loads(answer["body"]) == {"text": "早"}


def test_a_change_is_sent_as_json(client: Client) -> None:
    answer = client.patch("/x", {"name": "青"})

    assert (answer["method"], json.loads(answer["body"])) == ("PATCH", {"name": "青"})


def test_an_upload_is_streamed_with_its_questions(client: Client) -> None:
    answer = client.upload("/x", iter([b"a", b"bc"]), "text/plain", me=None, filename="名 1.png")

    assert answer["body"] == "abc"
    assert answer["path"] == "/x?filename=%E5%90%8D+1.png"


def test_what_is_removed_answers_nothing(client: Client) -> None:
    client.delete("/x")


def test_a_download_is_a_private_file_or_none(client: Client, tmp_path: Path) -> None:
    client.download("/file", tmp_path / "file")
    assert (tmp_path / "file").stat().st_size == 100_000
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600

    with pytest.raises(FileExistsError):
        client.download("/file", tmp_path / "file")
    assert (tmp_path / "file").exists()

    for path, kind in (("/cut", DaemonDown), ("/missing", NotFound)):
        with pytest.raises(kind):
            client.download(path, tmp_path / "other")
        assert not (tmp_path / "other").exists()


def test_all_pages_are_read(client: Client) -> None:
    assert list(client.all_items("/page", limit=2)) == [1, 2, 3]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/problem", Conflict),
        ("/field", BadInput),
        ("/missing", NotFound),
        ("/other", EchoVesselError),
        ("/stranger", DaemonDown),
    ],
)
def test_a_problem_becomes_the_error_it_was(client: Client, path: str, kind: type[EchoVesselError]) -> None:
    with pytest.raises(EchoVesselError) as refused:
        client.get(path)

    assert type(refused.value) is kind
    assert refused.value.do


def test_nobody_there_is_told_with_a_remedy() -> None:
    with Client("http://127.0.0.1:9", "t") as client, pytest.raises(DaemonDown) as down:
        client.get("/x")

    assert "start it again" in down.value.do


def test_events_are_read_and_the_end_of_the_stream_is_an_error(client: Client) -> None:
    with client.events() as stream:
        assert next(stream) == ServerEvent("reply.delta", {"turn_id": "t"})
        assert next(stream) == ServerEvent("message", {"a": 1})
        with pytest.raises(DaemonDown, match="was stopped") as down:
            next(stream)

    assert "echovessel run" in down.value.do
