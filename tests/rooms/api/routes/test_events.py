"""Where a stream begins, and that it ends with its reader."""

import asyncio
from typing import Any

import pytest

from echovessel.testing.world import World
from tests.rooms.api.conftest import Api


@pytest.mark.parametrize("given", ["x", "-1", "1.5", "9" * 30, "1;drop", "٣"])
def test_an_id_that_is_none_is_named(steady: Api, given: str) -> None:
    header = steady.call("GET", "/api/v1/events", headers={"Last-Event-ID": given.encode()})
    query = steady.call("GET", "/api/v1/events", params={"after": given})

    assert (header.status_code, header.json()["field"]) == (422, "Last-Event-ID")
    assert (query.status_code, query.json()["field"]) == (422, "after")


def test_the_query_stands_in_for_the_header(api: Api, world: World) -> None:
    api.patch("/api/v1/me", {"name": "A"})
    head = world.run(world.vessel.deps.store.head(world.pair.user_id))

    async def first_line_with(**request: Any) -> str:
        async with api.client.stream("GET", "/api/v1/events", **request) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("id: "):
                    return line
        return ""

    for request in (
        {"params": {"after": str(head - 1)}},
        {"headers": {"Last-Event-ID": str(head - 1)}},
        {"headers": {"Last-Event-ID": str(head - 1)}, "params": {"after": "0"}},
    ):
        assert world.run(asyncio.wait_for(first_line_with(**request), 10)) == f"id: {head}"


@pytest.mark.parametrize("days", [1, -1])
def test_a_stream_goes_on_when_the_clock_is_set(api: Api, world: World, days: int) -> None:
    world.model_says("早。")
    with api.events() as events:
        world.sends("早")
        events.until("message.created")
        world.clock.set(days * 86400)
        world.passes(2)
        (*_, done) = events.until("reply.done")

    assert done.data["message"]["text"] == "早。"
