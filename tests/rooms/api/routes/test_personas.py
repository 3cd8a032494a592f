"""Personas over HTTP: made, imported, edited, greeting."""

import json

import pytest

from echovessel.api.security.bodies import MB
from echovessel.testing.world import World
from tests.rooms.api.conftest import Api

CARD = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Mira",
        "description": "A lighthouse keeper.",
        "personality": "patient",
        "scenario": "",
        "first_mes": "The lamp is lit.",
        "mes_example": "",
    },
}


def test_a_persona_that_was_made_comes_back_whole(api: Api) -> None:
    made = api.post(
        "/api/v1/personas", {"name": "小满", "locale": "zh", "about": "种花的人。", "greetings": ["你来了。"]}
    )

    assert made["name"] == "小满"
    assert made["greetings"] == ["你来了。"]
    assert made["kind"] == "fictional"
    assert api.get(f"/api/v1/personas/{made['id']}") == made
    assert made in api.get("/api/v1/personas")["items"]
    blocks = {b["label"]: b["text"] for b in api.get(f"/api/v1/personas/{made['id']}/core-blocks")["items"]}
    assert blocks["persona"] == "种花的人。"


def test_a_real_person_needs_a_basis(steady: Api) -> None:
    count = len(steady.get("/api/v1/personas")["items"])
    answer = steady.call("POST", "/api/v1/personas", json={"name": "Grandmother", "kind": "memorial"})

    assert (answer.status_code, answer.json()["field"]) == (422, "basis")
    assert len(steady.get("/api/v1/personas")["items"]) == count


def test_an_edit_changes_what_it_names(api: Api) -> None:
    before = api.get(api.persona)
    after = api.patch(api.persona, {"tagline": "Waters plants.", "zone": "Europe/Berlin", "greetings": []})

    assert after == before | {"tagline": "Waters plants.", "zone": "Europe/Berlin", "greetings": []}
    assert api.get(api.persona) == after


@pytest.mark.parametrize(
    ("change", "field"),
    [({"zone": "Mars/Olympus"}, "zone"), ({"kind": "self", "basis": ""}, "basis"), ({"name": ""}, "name")],
)
def test_an_edit_that_cannot_be_names_the_field_and_changes_nothing(
    steady: Api, change: dict[str, object], field: str
) -> None:
    before = steady.get(steady.persona)
    answer = steady.call("PATCH", steady.persona, json={"tagline": "new", **change})

    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert steady.get(steady.persona) == before


def test_a_card_becomes_a_persona(api: Api) -> None:
    answer = api.call("POST", "/api/v1/personas/import?filename=mira.json", content=json.dumps(CARD).encode())

    assert answer.status_code == 201
    assert answer.json()["name"] == "Mira"
    assert answer.json()["card_format"].startswith("v2")
    assert answer.json()["greetings"] == ["The lamp is lit."]


@pytest.mark.parametrize("card", [b"", b"not a card", b"{}", b"[]", b"\x89PNG\r\n\x1a\n", b"\xff" * 100])
def test_what_is_no_card_is_refused_in_words(steady: Api, card: bytes) -> None:
    count = len(steady.get("/api/v1/personas")["items"])
    answer = steady.call("POST", "/api/v1/personas/import", content=card)

    assert answer.status_code == 422, answer.text
    assert answer.json()["do"]
    assert len(steady.get("/api/v1/personas")["items"]) == count


def test_a_card_may_be_larger_than_a_message_but_not_endless(api: Api) -> None:
    large = json.dumps({**CARD, "extra": "x" * (2 * MB)}).encode()

    assert api.call("POST", "/api/v1/personas/import", content=large).status_code == 201
    endless = api.call("POST", "/api/v1/personas/import", content=b"x" * (20 * MB + 1))
    assert (endless.status_code, endless.json()["code"]) == (413, "too-large")


def test_a_persona_greets_once(api: Api, world: World) -> None:
    made = api.post("/api/v1/personas", {"name": "Mira", "greetings": ["The lamp is lit."]})
    path = f"/api/v1/personas/{made['id']}"
    first, again = api.post(f"{path}/greetings"), api.post(f"{path}/greetings")

    assert first == again
    assert [m["text"] for m in api.get(f"{path}/messages")["items"]] == ["The lamp is lit."]
    assert api.post(f"{path}/greetings?channel=terminal") != first
    assert api.call("POST", f"{path}/greetings?channel=fax").json()["field"] == "channel"
