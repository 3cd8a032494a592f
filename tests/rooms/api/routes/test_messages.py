"""Saying something, the timeline, and changing what was said."""

import pytest

from echovessel.testing.world import World
from tests.rooms.api.conftest import UNKNOWN, Api

ODD_BUT_FINE = [
    "x",
    "😀👩‍👩‍👧‍👦🏳️‍🌈👍🏽",
    "\u202bשלום\u202c \u200fعربي\u200e",
    "line\nline\r\n\ttab",
    "<script>alert(1)</script>{{user}}",
    "'; DROP TABLE message; --",
    "长" * 100_000,
    "\ufeffzero\u200bwidth",
    "𠀀𪛖",
]


@pytest.mark.parametrize("text", ODD_BUT_FINE, ids=lambda t: ascii(t[:8]))
def test_odd_text_is_kept_as_it_was_said(api: Api, text: str) -> None:
    said = api.post(f"{api.persona}/messages", {"text": text})

    assert api.get(f"/api/v1/messages/{said['message_id']}")["text"] == text


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000", "a\0b", "\ud83d", "x" * 100_001])
def test_text_that_cannot_be_taken_is_refused_whole(steady: Api, text: str) -> None:
    content = '{"text": ' + ascii(text).replace("'", '"').replace("\\x00", "\\u0000") + "}"
    answer = steady.call(
        "POST", f"{steady.persona}/messages", content=content, headers={"Content-Type": "application/json"}
    )

    assert (answer.status_code, answer.json()["field"]) == (422, "text"), answer.text
    assert answer.json()["do"]
    assert steady.world.said == []


def test_the_same_client_id_twice_is_one_message(api: Api, world: World) -> None:
    first = api.post(f"{api.persona}/messages", {"text": "早安", "client_id": "c-1"})
    again = api.post(f"{api.persona}/messages", {"text": "早安", "client_id": "c-1"})

    assert again == first
    assert world.said == ["早安"]


def test_the_terminal_is_a_channel_of_its_own(api: Api) -> None:
    page = api.post(f"{api.persona}/messages", {"text": "on the page"})
    terminal = api.post(f"{api.persona}/messages", {"text": "in the terminal", "channel": "terminal"})

    assert page["turn_id"] != terminal["turn_id"]
    assert api.get(f"/api/v1/messages/{terminal['message_id']}")["channel"] == "terminal"


def test_pages_join_without_gap_or_overlap_in_both_directions(api: Api) -> None:
    ids = [api.post(f"{api.persona}/messages", {"text": f"number {n}"})["message_id"] for n in range(7)]

    older: list[str] = []
    cursor = None
    while True:
        page = api.get(f"{api.persona}/messages", limit=3, **({"before": cursor} if cursor else {}))
        older += [m["id"] for m in page["items"]]
        if not (cursor := page["next"]):
            break
    assert older == ids[::-1]

    newer: list[str] = []
    cursor = ids[0]
    while cursor:
        page = api.get(f"{api.persona}/messages", limit=2, after=cursor)
        newer += [m["id"] for m in page["items"]][::-1]
        cursor = page["next"]
    assert newer == ids[1:]


def test_a_full_last_page_has_no_next(api: Api) -> None:
    for n in range(4):
        api.post(f"{api.persona}/messages", {"text": f"number {n}"})

    assert api.get(f"{api.persona}/messages", limit=4)["next"] is None
    assert api.get(f"{api.persona}/messages", limit=3)["next"]


def test_search_finds_chinese_and_english(api: Api) -> None:
    for text in ("阳台上的龟背竹长新叶了", "I watered the monstera", "今天下雨"):
        api.post(f"{api.persona}/messages", {"text": text})

    def found(q: str) -> list[str]:
        return [m["text"] for m in api.get(f"{api.persona}/messages", q=q)["items"]]

    assert found("龟背竹") == ["阳台上的龟背竹长新叶了"]
    assert found("watering") == ["I watered the monstera"]
    assert found("火星") == []
    assert len(found("  ")) == 3


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 201}, "limit"),
        ({"limit": "x"}, "limit"),
        ({"before": "x"}, "before"),
        ({"after": "../x"}, "after"),
        ({"before": UNKNOWN, "after": UNKNOWN}, "after"),
        ({"q": "x" * 501}, "q"),
        ({"q": "a\0b"}, "q"),
        ({"page": 2}, "page"),
    ],
)
def test_a_question_that_makes_no_sense_is_named(steady: Api, query: dict[str, object], field: str) -> None:
    answer = steady.call("GET", f"{steady.persona}/messages", params=query)

    assert (answer.status_code, answer.json()["field"]) == (422, field)


def test_an_edit_keeps_the_older_wording(api: Api) -> None:
    said = api.post(f"{api.persona}/messages", {"text": "helo"})
    path = f"/api/v1/messages/{said['message_id']}"
    first = api.get(path)
    edited = api.patch(path, {"text": "hello"})
    back = api.patch(path, {"text_id": first["text_id"]})

    assert (edited["text"], edited["edited"], len(edited["variants"])) == ("hello", True, 2)
    assert (back["text"], back["edited"], len(back["variants"])) == ("helo", False, 2)


@pytest.mark.parametrize(
    ("change", "status", "field"),
    [
        ({}, 422, "text"),
        ({"text": "a", "text_id": UNKNOWN}, 422, "text"),
        ({"text": "  "}, 422, "text"),
        ({"text_id": UNKNOWN}, 404, None),
        ({"text_id": "nothing"}, 404, None),
        ({"state": "complete"}, 422, "state"),
    ],
)
def test_an_edit_that_cannot_be_changes_nothing(
    api: Api, change: dict[str, object], status: int, field: str | None
) -> None:
    path = f"/api/v1/messages/{api.post(f'{api.persona}/messages', {'text': 'hello'})['message_id']}"
    before = api.get(path)
    answer = api.call("PATCH", path, json=change)

    assert (answer.status_code, answer.json().get("field")) == (status, field)
    assert api.get(path) == before


def test_a_deleted_message_leaves_the_timeline(api: Api) -> None:
    said = api.post(f"{api.persona}/messages", {"text": "forget this"})
    path = f"/api/v1/messages/{said['message_id']}"
    gone = api.call("DELETE", path)

    assert (gone.json()["state"], gone.json()["text"]) == ("deleted", "")
    assert api.get(f"{api.persona}/messages")["items"] == []
    assert api.get(f"{api.persona}/messages", q="forget")["items"] == []
    assert api.call("DELETE", path).json() == gone.json()


def test_a_reply_is_worded_again_but_not_what_you_said(api: Api, world: World) -> None:
    world.model_says("first")
    said = api.post(f"{api.persona}/messages", {"text": "hi"})
    world.answers(said["turn_id"])
    hold = world.model_says("second", hold_after=0)
    again = api.call("POST", f"/api/v1/messages/{world.last.id}/regenerate")
    busy = api.call("POST", f"/api/v1/messages/{world.last.id}/regenerate")
    hold.release()
    world.answers(again.json()["turn_id"])
    yours = api.call("POST", f"/api/v1/messages/{said['message_id']}/regenerate")

    assert again.status_code == 202
    assert (busy.status_code, busy.json()["code"]) == (409, "conflict")
    assert api.get(f"/api/v1/turns/{again.json()['turn_id']}")["regenerates"] == world.last.id
    assert world.reply == "second"
    assert yours.status_code == 422
