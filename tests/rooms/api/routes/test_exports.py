"""Export over HTTP: a zip archive, streamed."""

import io
import json
import zipfile
from urllib.parse import quote

from echovessel.testing.world import World
from tests.rooms.api.conftest import UNKNOWN, Api


def test_a_pair_is_sent_as_a_zip_named_after_it(api: Api, world: World) -> None:
    world.model_says("好")
    world.hears("你好")

    answer = api.call("GET", f"{api.persona}/export")

    assert answer.headers["content-type"] == "application/zip"
    assert quote("小满") in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        said = [json.loads(line) for line in archive.read("messages.jsonl").splitlines()]
    assert [m["text"] for m in said] == ["你好", "好"]


def test_an_unknown_persona_is_not_found(api: Api) -> None:
    assert api.call("GET", f"/api/v1/personas/{UNKNOWN}/export").status_code == 404
