"""The API as a command of the terminal uses it: a small synchronous client of a daemon on this machine."""

import json
import os
import socket
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Self

import httpx2

from echovessel.core.errors import BadInput, Conflict, EchoVesselError, NotFound, PortDown

Json = dict[str, Any]

TIMEOUT_S = 60.0
_BY_CODE: Mapping[str, type[EchoVesselError]] = {"not-found": NotFound, "conflict": Conflict}


class DaemonDown(PortDown):
    """The daemon did not answer, or not in our protocol."""

    code = "daemon-down"


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event of the stream."""

    name: str
    data: Json


class Client:
    """Speaks to the API at `url` with the home's token. Every failure is an EchoVesselError with its remedy."""

    def __init__(self, url: str, token: str, timeout_s: float = TIMEOUT_S) -> None:
        # No proxy and no .netrc: the daemon is on this machine, and the token is for it alone. Nor certificates, which take as
        # long to load as all else here: it speaks plain HTTP.
        self._http = httpx2.Client(
            base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=timeout_s, trust_env=False, verify=False
        )

    def get(self, path: str, **query: object) -> Json:
        """GET a JSON object."""
        return self._send("GET", path, params={k: v for k, v in query.items() if v is not None})

    def post(self, path: str, body: Json | None = None, *, patient: bool = False) -> Json:
        """POST a JSON object; `patient` waits as long as the daemon works on it."""
        return self._send("POST", path, json=body or {}, **({"timeout": None} if patient else {}))

    def put(self, path: str, body: Json) -> Json:
        """PUT a JSON object."""
        return self._send("PUT", path, json=body)

    def delete(self, path: str) -> None:
        """DELETE what the path names."""
        self._send("DELETE", path)

    def patch(self, path: str, body: Json) -> Json:
        """PATCH a JSON object."""
        return self._send("PATCH", path, json=body)

    def upload(self, path: str, content: bytes | Iterator[bytes], media_type: str, **query: object) -> Json:
        """POST raw bytes; they are streamed when they come as an iterator. Waits as long as the daemon works on them."""
        return self._send(
            "POST",
            path,
            content=content,
            params={k: v for k, v in query.items() if v is not None},
            headers={"Content-Type": media_type},
            timeout=None,
        )

    def download(self, path: str, to: Path) -> None:
        """GET bytes into the new file `to`, readable by its owner alone; nothing of it stays when they break off."""
        try:
            with self._http.stream("GET", path, timeout=None) as response:
                if not response.is_success:
                    response.read()
                    raise _refused(response)
                with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                    for piece in response.iter_bytes():
                        file.write(piece)
        except (httpx2.TransportError, OSError) as cause:
            if not isinstance(cause, FileExistsError):
                to.unlink(missing_ok=True)
            if isinstance(cause, OSError):
                raise
            raise _down() from cause

    def all_items(self, path: str, **query: object) -> Iterator[Json]:
        """Every item of a paged list."""
        cursor: str | None = None
        while True:
            page = self.get(path, **query, **({"before": cursor} if cursor else {}))
            yield from page["items"]
            cursor = page.get("next")
            if not cursor:
                return

    @contextmanager
    def events(self) -> Generator["EventStream"]:
        """The stream of events from now on; entered once the daemon listens to us."""
        try:
            with self._http.stream("GET", "/api/v1/events", timeout=httpx2.Timeout(TIMEOUT_S, read=None)) as response:
                if not response.is_success:
                    response.read()
                    raise _refused(response)
                with EventStream(response) as stream:
                    yield stream
        except httpx2.TransportError as cause:
            raise _down() from cause

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, method: str, path: str, **request: Any) -> Json:
        try:
            response = self._http.request(method, path, **request)
        except httpx2.TransportError as cause:
            raise _down() from cause
        if not response.is_success:
            raise _refused(response)
        return response.json() if response.content else {}


class EventStream:
    """The events as they arrive. A thread reads them, so that Ctrl-C while waiting for the next one breaks nothing."""

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response
        self._arrived: SimpleQueue[ServerEvent | None] = SimpleQueue()
        self._reader = Thread(target=self._read, name="events", daemon=True)

    def __enter__(self) -> Self:
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        connection = self._response.extensions["network_stream"].get_extra_info("socket")
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        self._reader.join()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> ServerEvent:
        """The next event; DaemonDown when the daemon hung up."""
        event = None
        while event is None:
            # Waiting for ever could not be interrupted on Windows.
            with suppress(Empty):
                event = self._arrived.get(timeout=0.5)
                if event is None:
                    raise _hung_up()
        return event

    def _read(self) -> None:
        try:
            for event in _parse(self._response.iter_lines()):
                self._arrived.put(event)
        except (httpx2.TransportError, httpx2.StreamError):
            pass  # the end of the stream says it
        finally:
            self._arrived.put(None)


def _down() -> DaemonDown:
    return DaemonDown(
        "The running EchoVessel does not answer.", do="Look at its terminal or its log, and start it again."
    )


def _hung_up() -> DaemonDown:
    return DaemonDown(
        "EchoVessel was stopped, or broke off.",
        do="Start it again with `echovessel run`; what was said until then is kept.",
    )


def _refused(response: httpx2.Response) -> EchoVesselError:
    try:
        problem: Json = response.json()
        code, message, do = str(problem["code"]), str(problem["detail"]), str(problem["do"])
    except (ValueError, KeyError, TypeError):
        return DaemonDown(
            f"{response.request.url.copy_with(query=None)} answered {response.status_code}, and not as EchoVessel does.",
            do="Stop what listens there, or remove daemon.json from the home.",
        )
    if "field" in problem:
        return BadInput(message, field=str(problem["field"]), do=do)
    return _BY_CODE.get(code, EchoVesselError)(message, do=do)


def _parse(lines: Iterator[str]) -> Iterator[ServerEvent]:
    """Server-sent events (WHATWG HTML, section 9.2); comments and events without data are passed over."""
    name, data = "message", list[str]()
    for line in lines:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif not line:
            if data:
                yield ServerEvent(name, json.loads("\n".join(data)))
            name, data = "message", []
