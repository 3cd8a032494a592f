"""Recall over HTTP, with and without the embedder."""

import pytest

from echovessel.testing.world import World
from tests.rooms.api.conftest import Api

PHYSICS = "why do electrons stay near the nucleus of atoms and how did quantum physics put a cat into a box"


def test_what_fits_is_found_best_first_with_its_factors(api: Api, world: World) -> None:
    for text in ("阳台上的龟背竹长新叶了", "昨天去看了海", "I adopted a grey cat called Momo"):
        api.post(f"{api.persona}/messages", {"text": text})
    world.rests()

    zh = api.post(f"{api.persona}/recall", {"query": "龟背竹怎么样", "k": 2})["items"]
    en = api.post(f"{api.persona}/recall", {"query": "the cat Momo"})["items"]

    assert zh[0]["message"]["text"] == "阳台上的龟背竹长新叶了"
    assert en[0]["message"]["text"] == "I adopted a grey cat called Momo"
    assert len(zh) <= 2
    for hits in (zh, en):
        scores = [hit["score"] for hit in hits]
        assert scores == sorted(scores, reverse=True)
        assert all(hit["factors"] for hit in hits)


def test_without_a_vector_keywords_still_find(api: Api) -> None:
    api.post(f"{api.persona}/messages", {"text": "阳台上的龟背竹长新叶了"})

    assert api.post(f"{api.persona}/recall", {"query": "龟背竹"})["items"]


def test_nothing_said_is_nothing_found(api: Api) -> None:
    assert api.post(f"{api.persona}/recall", {"query": "anything"}) == {"items": [], "next": None}


@pytest.mark.parametrize(("body", "field"), [({"query": "  "}, "query"), ({"query": "a", "k": 0}, "k"), ({}, "query")])
def test_a_question_that_makes_no_sense_is_named(steady: Api, body: dict[str, object], field: str) -> None:
    answer = steady.call("POST", f"{steady.persona}/recall", json=body)

    assert (answer.status_code, answer.json()["field"]) == (422, field)


def test_what_fits_too_little_is_marked_and_can_be_left_out(api: Api, world: World) -> None:
    for text in ("阳台上的龟背竹长新叶了", "昨天去看了海", "I adopted a grey cat called Momo"):
        api.post(f"{api.persona}/messages", {"text": text})
    world.rests()

    fitting = api.post(f"{api.persona}/recall", {"query": "龟背竹怎么样", "only_fitting": True})["items"]
    farfetched = api.post(f"{api.persona}/recall", {"query": PHYSICS})["items"]

    assert [hit["message"]["text"] for hit in fitting][:1] == ["阳台上的龟背竹长新叶了"]
    assert all(hit["fits"] for hit in fitting)
    assert farfetched
    assert not any(hit["fits"] for hit in farfetched)
    assert api.post(f"{api.persona}/recall", {"query": PHYSICS, "only_fitting": True})["items"] == []
