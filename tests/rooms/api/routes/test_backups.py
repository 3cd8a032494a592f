"""Backups over HTTP: listed, made now, removed."""

from pathlib import Path

from echovessel.testing.world import World
from tests.rooms.api.conftest import Api


def test_one_made_now_is_answered_whole_and_listed(api: Api, world: World) -> None:
    world.sends("你好")

    answer = api.call("POST", "/api/v1/backups")

    assert answer.status_code == 201
    made = answer.json()
    assert (made["reason"], made["messages"], made["wrong"], made["holds_deleted"]) == ("asked", 1, "", False)
    listed = api.get("/api/v1/backups")
    assert (listed["items"], listed["next"], listed["failing"], listed["every_h"]) == ([made], None, "", 24)
    assert listed["folder"] == str(world.home.path / "backups")


def test_one_is_removed_and_then_unknown(api: Api, world: World) -> None:
    made = api.post("/api/v1/backups")

    assert api.call("DELETE", f"/api/v1/backups/{made['id']}").status_code == 204

    assert api.get("/api/v1/backups")["items"] == []
    again = api.call("DELETE", f"/api/v1/backups/{made['id']}")
    assert (again.status_code, again.json()["code"]) == (404, "not-found")


def test_a_name_is_never_a_path(api: Api, world: World) -> None:
    for name in ("..", "%2e%2e", "..%2f..%2fhome", "%2fetc", ".part-x"):
        assert api.call("DELETE", f"/api/v1/backups/{name}").status_code in (404, 405)
    assert world.home.database.exists()


def test_a_folder_that_cannot_be_written_is_told_with_its_remedy(api: Api, world: World) -> None:
    (world.home.path / "backups").touch()

    refused = api.call("POST", "/api/v1/backups")

    assert (refused.status_code, refused.json()["code"]) == (503, "backup-failed")
    assert "[backup]" in refused.json()["do"]
    assert Path(world.home.database).exists()
