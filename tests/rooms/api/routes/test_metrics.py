"""A scraper needs the token, and learns numbers only."""

from datetime import datetime

from prometheus_client.parser import text_string_to_metric_families

from echovessel.testing.world import World
from tests.rooms.api.conftest import Api

SAID = "桂花糕 secret"


def test_who_shows_no_token_is_not_told(api: Api) -> None:
    answer = api.call("GET", "/metrics", headers={"Authorization": ""})

    assert (answer.status_code, answer.json()["code"]) == (401, "no-token")


def values_of(told: str) -> dict[str, float]:
    return {s.name: s.value for family in text_string_to_metric_families(told) for s in family.samples}


def test_a_turn_is_seen_in_the_numbers_and_in_nothing_else(api: Api, world: World) -> None:
    world.model_says(f"{SAID}?")
    receipt = world.hears(SAID)
    world.rests()

    with api.events():
        told = api.call("GET", "/metrics").text

    values = values_of(told)
    assert values["echovessel_turns_total"] == 1
    assert values["echovessel_reply_seconds_count"] == values["echovessel_reply_first_token_seconds_count"] == 1
    assert values["echovessel_recall_seconds_count"] == 1
    assert values["echovessel_feed_listeners"] == 1
    assert values["echovessel_texts_without_vector"] == 0
    for hidden in (SAID, "桂花糕", "小满", receipt.turn_id, world.pair.user_id, world.pair.persona_id):
        assert hidden not in told


def test_they_are_told_though_the_backup_folder_cannot_be_read(api: Api, world: World) -> None:
    made = api.post("/api/v1/backups")
    api.call("DELETE", f"/api/v1/backups/{made['id']}")
    folder = world.home.path / "backups"
    folder.rmdir()
    folder.touch()
    assert api.call("GET", "/api/v1/backups").status_code == 503

    told = api.call("GET", "/metrics")

    assert told.status_code == 200
    made_at = datetime.fromisoformat(made["made_at"]).timestamp()
    assert values_of(told.text)["echovessel_last_backup_timestamp_seconds"] == made_at
