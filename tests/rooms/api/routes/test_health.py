"""Supervisors can ask without a token, and are told the truth."""

from echovessel.testing.world import World
from tests.rooms.api.conftest import Api


def test_healthy_and_ready_without_a_token(api: Api) -> None:
    for path in ("/healthz", "/readyz"):
        answer = api.call("GET", path, headers={"Authorization": ""})
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_not_ready_once_the_loops_have_ended(api: Api, world: World) -> None:
    world.run(world.stops())
    answer = api.call("GET", "/readyz")

    assert (answer.status_code, answer.json()["code"]) == (503, "not-ready")
    assert api.call("GET", "/healthz").status_code == 200
