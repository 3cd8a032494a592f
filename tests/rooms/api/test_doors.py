"""Who asks for what: another user's things are not there, and neither is what has no such id."""

import pytest

from echovessel.testing.world import World
from tests.rooms.api.conftest import UNKNOWN, Api, Stranger

WRONG_IDS = [
    UNKNOWN,
    "x",
    "0",
    UNKNOWN.lower(),
    UNKNOWN + "A",
    "..",
    "%2e%2e",
    "a%00b",
    "%ed%a0%80",
    "a" * 3000,
    "%F0%9F%92%A9",
]
OF_A_MESSAGE = [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/regenerate")]
OF_A_TURN = [("GET", ""), ("POST", "/stop"), ("GET", "/trace")]
OF_A_PERSONA = [
    ("GET", ""),
    ("PATCH", ""),
    ("POST", "/greetings"),
    ("GET", "/core-blocks"),
    ("PUT", "/core-blocks/persona"),
    ("GET", "/core-blocks/persona/revisions"),
    ("GET", "/messages"),
    ("POST", "/messages"),
    ("POST", "/recall"),
    ("POST", "/imports"),
]
BODY = {
    "PATCH /api/v1/messages/{}": {"text": "changed"},
    "PATCH /api/v1/personas/{}": {"name": "changed"},
    "PUT /api/v1/personas/{}/core-blocks/persona": {"text": "changed", "base_revision": 0},
    "POST /api/v1/personas/{}/messages": {"text": "hello"},
    "POST /api/v1/personas/{}/recall": {"query": "hello"},
}


def routes() -> list[tuple[str, str]]:
    return [
        (method, f"/api/v1/{thing}/{{}}{rest}")
        for thing, known in (("messages", OF_A_MESSAGE), ("turns", OF_A_TURN), ("personas", OF_A_PERSONA))
        for method, rest in known
    ]


def test_what_has_no_such_id_is_a_404_with_a_remedy(steady: Api) -> None:
    for method, path in routes():
        for wrong in WRONG_IDS:
            answer = steady.call(method, path.format(wrong), json=BODY.get(f"{method} {path}"))
            problem = answer.json()
            assert answer.status_code == 404, (method, path, wrong, answer.text)
            assert problem["code"] in {"not-found", "no-such-route"}
            assert problem["do"]


@pytest.mark.parametrize(("thing", "known"), [("messages", OF_A_MESSAGE), ("turns", OF_A_TURN)])
def test_another_users_things_are_not_there(
    api: Api, world: World, stranger: Stranger, thing: str, known: list[tuple[str, str]]
) -> None:
    theirs = stranger.message_id if thing == "messages" else stranger.turn_id

    for method, rest in known:
        path = f"/api/v1/{thing}/{{}}{rest}"
        answer = api.call(method, path.format(theirs), json=BODY.get(f"{method} {path}"))
        unknown = api.call(method, path.format(UNKNOWN), json=BODY.get(f"{method} {path}"))
        assert (answer.status_code, answer.json()) == (404, unknown.json()), path

    message = world.run(world.vessel.deps.store.message(stranger.user_id, stranger.message_id))
    assert message is not None
    assert message.text == stranger.text


def test_another_users_words_are_found_nowhere(api: Api, world: World, stranger: Stranger) -> None:
    world.rests()
    seen = [
        api.call("GET", f"{api.persona}/messages"),
        api.call("GET", f"{api.persona}/messages", params={"q": "secret"}),
        api.call("GET", f"{api.persona}/messages", params={"before": stranger.message_id}),
        api.call("GET", f"{api.persona}/messages", params={"after": stranger.message_id}),
        api.call("POST", f"{api.persona}/recall", json={"query": stranger.text, "k": 100}),
        api.call("GET", "/api/v1/jobs"),
    ]

    assert [a for a in seen if stranger.text in a.text or stranger.message_id in a.text] == []
    assert {a.status_code for a in seen} <= {200, 404, 422}
