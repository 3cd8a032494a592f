"""You can say who you are."""

import pytest

from tests.rooms.api.conftest import Api


def test_what_you_change_stays(api: Api) -> None:
    before = api.get("/api/v1/me")
    changed = api.patch("/api/v1/me", {"name": " 阿青 🏳️‍🌈 ", "zone": "Europe/Berlin"})

    assert changed == before | {"name": "阿青 🏳️‍🌈", "zone": "Europe/Berlin"}
    assert api.get("/api/v1/me") == changed
    assert api.patch("/api/v1/me", {}) == changed


def test_right_to_left_marks_stay_as_they_are(api: Api) -> None:
    assert api.patch("/api/v1/me", {"name": "\u200fשלום\u200e"})["name"] == "\u200fשלום\u200e"


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", "/etc/localtime", "utc+8", "Asia/"])
def test_a_zone_that_does_not_exist_changes_nothing(steady: Api, zone: str) -> None:
    before = steady.get("/api/v1/me")
    answer = steady.call("PATCH", "/api/v1/me", json={"name": "new", "zone": zone})

    assert (answer.status_code, answer.json()["field"]) == (422, "zone")
    assert "Asia/Shanghai" in answer.json()["do"]
    assert steady.get("/api/v1/me") == before
