"""Turns over HTTP."""

from echovessel.testing.world import World
from tests.rooms.api.conftest import Api


def test_a_turn_is_seen_from_open_to_done(api: Api, world: World) -> None:
    world.model_says("早。")
    turn_id = api.post(f"{api.persona}/messages", {"text": "早安"})["turn_id"]
    opened = api.get(f"/api/v1/turns/{turn_id}")
    world.answers(turn_id)
    done = api.get(f"/api/v1/turns/{turn_id}")

    assert (opened["state"], opened["persona_id"], opened["channel"]) == ("open", world.pair.persona_id, "page")
    assert opened["due_at"] > opened["opened_at"]
    assert opened["opened_at"].endswith("Z")
    assert (done["state"], done["trouble"]) == ("done", None)


def test_a_stopped_reply_keeps_what_was_said(api: Api, world: World) -> None:
    hold = world.model_says("one two three four five", hold_after=3)
    turn_id = api.post(f"{api.persona}/messages", {"text": "count"})["turn_id"]
    world.waits_for(hold)
    stopped = api.call("POST", f"/api/v1/turns/{turn_id}/stop")
    world.answers(turn_id)
    again = api.call("POST", f"/api/v1/turns/{turn_id}/stop")

    assert (stopped.status_code, stopped.json()) == (202, {"turn_id": turn_id})
    assert again.status_code == 202
    assert api.get(f"/api/v1/turns/{turn_id}")["state"] == "stopped"
    assert world.last.state == "partial"
    assert world.reply.startswith("one")


def test_a_trace_says_why_once_there_was_a_reply(api: Api, world: World) -> None:
    world.model_says("早。")
    turn_id = api.post(f"{api.persona}/messages", {"text": "早安"})["turn_id"]
    early = api.call("GET", f"/api/v1/turns/{turn_id}/trace")
    world.answers(turn_id)
    trace = api.get(f"/api/v1/turns/{turn_id}/trace")

    assert (early.status_code, early.json()["code"]) == (404, "not-found")
    assert trace["turn_id"] == turn_id
    assert trace["trace"]
    assert "早" not in str(trace["trace"])
