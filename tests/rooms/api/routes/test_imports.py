"""History over HTTP."""

import json

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


@pytest.mark.parametrize(
    ("content", "query", "field"),
    [
        (b"\xff\xfe\n", {"me": "Ana"}, "body"),
        (LINES, {"me": "Ana", "dry_run": "perhaps"}, "dry_run"),
        (LINES, {"me": "a\nb"}, "me"),
        (LINES, {"me": "Ana", "who": "x"}, "who"),
    ],
)
def test_what_cannot_be_taken_is_named_and_nothing_is_written(
    api: Api, world: World, content: bytes, query: dict[str, str], field: str
) -> None:
    answer = api.call("POST", f"{api.persona}/imports", params=query, content=content)

    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert world.said == []
