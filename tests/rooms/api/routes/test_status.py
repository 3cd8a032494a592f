"""Status, usage and jobs."""

import pytest

from echovessel import __version__
from echovessel.testing.world import World
from tests.rooms.api.conftest import Api


def test_the_status_says_what_runs_where(api: Api, world: World) -> None:
    status = api.get("/api/v1/status")

    assert status["version"] == __version__
    assert status["model"]["connected"] is True
    assert status["home"] == str(world.home.path)
    assert status["daily"]["calls"] == 0
    world.without_model()
    none = {"connected": False, "profile": "", "base_url": "", "file": "", "model": "", "fallback": []}
    assert api.get("/api/v1/status")["model"] == none


def test_messages_without_a_vector_are_counted(api: Api, world: World) -> None:
    world.rests()
    assert api.get("/api/v1/status")["embedder"]["waiting"] == 0


def test_today_begins_at_midnight_in_your_zone(api: Api, world: World) -> None:
    world.model_says("早。")
    world.hears("早安")

    shanghai = api.get("/api/v1/usage")
    api.patch("/api/v1/me", {"zone": "America/Los_Angeles"})
    los_angeles = api.get("/api/v1/usage")

    assert (shanghai["since"], los_angeles["since"]) == ("2026-03-01T16:00:00.000Z", "2026-03-02T08:00:00.000Z")
    assert shanghai["calls"] == 1
    assert shanghai["tokens_in"] > 0
    assert [(by["profile"], by["model"], by["calls"]) for by in shanghai["by_model"]] == [("", "scripted", 1)]
    assert api.get("/api/v1/usage", since="2026-03-03T00:00:00Z")["calls"] == 0
    assert api.get("/api/v1/usage", since="2026-03-02T17:00:00+08:00")["since"] == "2026-03-02T09:00:00.000Z"


@pytest.mark.parametrize("since", ["yesterday", "2026-03-02", "2026-03-02T00:00:00", "0.5", "1767225600", "١", ""])
def test_a_since_that_is_no_instant_is_named(steady: Api, since: str) -> None:
    answer = steady.call("GET", "/api/v1/usage", params={"since": since})

    assert (answer.status_code, answer.json()["field"]) == (422, "since")


def test_work_that_was_queued_is_seen(api: Api, world: World) -> None:
    said = api.post(f"{api.persona}/messages", {"text": "forget this"})
    api.call("DELETE", f"/api/v1/messages/{said['message_id']}")
    world.rests()
    jobs = api.get("/api/v1/jobs")["items"]

    assert [(j["kind"], j["state"]) for j in jobs] == [("scrub", "done")]
    assert api.get("/api/v1/jobs", state="parked")["items"] == []
    assert api.call("GET", "/api/v1/jobs", params={"state": "lost"}).json()["field"] == "state"
