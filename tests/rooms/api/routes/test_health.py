"""Supervisors can ask without a token, and are told the truth."""

from dataclasses import replace

from echovessel.core.errors import DiskFull
from tests.rooms.api.conftest import Api


def test_healthy_and_ready_without_a_token(api: Api) -> None:
    for path in ("/healthz", "/readyz"):
        answer = api.call("GET", path, headers={"Authorization": ""})
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_not_ready_is_said_with_what_to_do(api: Api) -> None:
    api.app.state.doors = replace(api.app.state.doors, ready=lambda: False)
    answer = api.call("GET", "/readyz", headers={"Authorization": ""})

    assert (answer.status_code, answer.json()["code"]) == (503, "not-ready")
    assert answer.json()["do"]
    assert api.call("GET", "/healthz").status_code == 200


def test_a_disk_that_is_full_is_why_it_is_not_ready(api: Api) -> None:
    store = api.app.state.doors.store
    store._down = DiskFull("The disk is full.", do="Make room.")

    answer = api.call("GET", "/readyz")

    assert (answer.status_code, answer.json()["code"], answer.json()["do"]) == (503, "disk-full", "Make room.")
    assert api.get("/api/v1/status")["troubles"] == [
        {"code": "disk-full", "message": "The disk is full.", "do": "Make room.", "aside": ""}
    ]
