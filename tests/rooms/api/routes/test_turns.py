"""Turns over HTTP."""

import asyncio
import json

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


def test_one_reply_is_followed_to_its_end(api: Api, world: World) -> None:
    hold = world.model_says("one two three", hold_after=2)
    turn_id = api.post(f"{api.persona}/messages", {"text": "count"})["turn_id"]
    world.waits_for(hold)

    async def follow(after: int) -> list[str]:
        lines: list[str] = []
        async with api.client.stream("GET", f"/api/v1/turns/{turn_id}/events", params={"after": after}) as answer:
            async for line in answer.aiter_lines():
                lines.append(line)
                hold.release()
        return lines

    lines = world.run(asyncio.wait_for(follow(4), 10))
    events = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    data = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    assert (events[0], events[-1]) == ("reply.delta", "reply.done")
    assert "".join(d["text"] for d in data[:-1]) == "two three"
    assert data[-1]["message"]["text"] == "one two three"


def test_the_events_of_an_ended_turn_are_its_words_and_its_end(api: Api, world: World) -> None:
    world.model_says("早。")
    turn_id = api.post(f"{api.persona}/messages", {"text": "早安"})["turn_id"]
    world.answers(turn_id)
    lines = api.call("GET", f"/api/v1/turns/{turn_id}/events").text.splitlines()
    assert [line for line in lines if line.startswith("event: ")] == ["event: reply.delta", "event: reply.done"]


def test_where_help_is_comes_before_the_reply_it_goes_with(api: Api, world: World) -> None:
    world.model_says("我在听。")
    turn_id = api.post(f"{api.persona}/messages", {"text": "我不想活了"})["turn_id"]
    world.answers(turn_id)

    lines = api.call("GET", f"/api/v1/turns/{turn_id}/events").text.splitlines()
    data = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]

    assert [line.removeprefix("event: ") for line in lines if line.startswith("event: ")] == [
        "message.created",
        "reply.delta",
        "reply.done",
    ]
    assert data[0]["message"]["made_by"] == "care@1"
    assert "12356" in data[0]["message"]["text"]
    assert data[-1]["message"]["text"] == "我在听。"
