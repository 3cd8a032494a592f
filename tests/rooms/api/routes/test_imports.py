"""History over HTTP."""

import asyncio
import json
import logging

import pytest

from echovessel.testing.world import World
from tests.rooms.api.conftest import Api

TALK = {
    "conv_id": "c1",
    "sessions": [
        {
            "turns": [
                {"turn_id": "t1", "speaker": "Ana", "at": "2024-05-01T09:00:00Z", "text": "I planted tomatoes."},
                {"turn_id": "t2", "speaker": "Mira", "at": "2024-05-01T09:01:00Z", "text": "How many?"},
            ],
        }
    ],
}
LINES = (json.dumps(TALK) + "\n").encode()


def test_history_is_added_once(api: Api, world: World) -> None:
    path = f"{api.persona}/imports"
    first = api.call("POST", path, params={"me": "Ana"}, content=LINES).json()
    again = api.call("POST", path, params={"me": "Ana"}, content=LINES).json()

    assert (first["added"], first["already_there"], first["refused"]) == (2, 0, [])
    assert (again["added"], again["already_there"]) == (0, 2)
    assert first["first_at"] == "2024-05-01T09:00:00.000Z"
    assert world.said == ["I planted tomatoes.", "How many?"]


def test_a_dry_run_only_tells(api: Api, world: World) -> None:
    told = api.call("POST", f"{api.persona}/imports", params={"me": "Ana", "dry_run": "true"}, content=LINES).json()

    assert told["added"] == 2
    assert world.said == []


def test_an_upload_that_breaks_off_writes_nothing_and_is_no_bug(
    api: Api, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    async def hang_up_in_the_middle() -> None:
        host, _, port = str(api.client.base_url).removeprefix("http://").rstrip("/").partition(":")
        _, writer = await asyncio.open_connection(host, int(port))
        head = f"POST {api.persona}/imports?me=Ana HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(LINES) * 2}\r\n"
        writer.write(f"{head}Authorization: Bearer {world.vessel.token}\r\n\r\n".encode() + LINES)
        await writer.drain()
        await asyncio.sleep(0.1)
        writer.close()
        await writer.wait_closed()
        await asyncio.sleep(0.1)

    world.run(hang_up_in_the_middle())

    assert world.said == []
    assert [r for r in caplog.records if r.levelno >= logging.ERROR] == []
    assert api.get("/healthz") == {"status": "ok"}


@pytest.mark.parametrize(
    ("content", "query", "field"),
    [
        (b"\xff\xfe\n", {"me": "Ana"}, "file"),
        (LINES, {"me": "Ana", "dry_run": "perhaps"}, "dry_run"),
        (LINES, {"me": "a\nb"}, "me"),
        (LINES, {"me": "Ana", "who": "x"}, "who"),
    ],
)
def test_what_cannot_be_taken_is_named_and_nothing_is_written(
    steady: Api, content: bytes, query: dict[str, str], field: str
) -> None:
    answer = steady.call("POST", f"{steady.persona}/imports", params=query, content=content)

    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert steady.world.said == []
