"""A pair is taken elsewhere whole, a page of messages at a time."""

import json
from pathlib import Path
from typing import Any

import pytest

from echovessel.core.errors import NotFound
from echovessel.core.ids import PersonaId
from echovessel.core.pair import Pair
from echovessel.flows import export
from echovessel.flows.export import FORMAT, FlowExport
from echovessel.ports.front import NewPersona
from echovessel.testing.world import World
from tests.support.cards import CARDS


def exported(vessel: World, pair: Pair | None = None) -> dict[str, bytes]:
    async def read() -> dict[str, bytes]:
        files: dict[str, bytes] = {}
        async for name, piece in FlowExport(vessel.vessel.deps)(pair or vessel.pair):
            assert name not in files or name == list(files)[-1], "one file after another"
            files[name] = files.get(name, b"") + piece
        return files

    return vessel.run(read())


def lines(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.decode().splitlines()]


def test_everything_that_was_said_is_there_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "BATCH", 2)
    with World(tmp_path, user_name="阿青") as vessel:
        for n in range(3):
            vessel.model_says(f"答 {n}")
            vessel.hears(f"问 {n}")
        gone = vessel.sends("忘了它")
        vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, gone.message_id))
        first = vessel.timeline[0]
        vessel.run(vessel.vessel.curation.edit(vessel.pair.user_id, first.id, "问零"))

        files = exported(vessel)

        said = lines(files["messages.jsonl"])
        assert [m["text"] for m in said] == vessel.said == ["问零", "答 0", "问 1", "答 1", "问 2", "答 2"]
        assert [m["id"] for m in said] == [m.id for m in vessel.timeline]
        assert [v["text"] for v in said[0]["variants"]] == ["问 0", "问零"]
        assert [v["active"] for v in said[0]["variants"]] == [False, True]
        assert said[1]["variants"] == []
        assert {m["zone"] for m in said} == {"Asia/Shanghai"}
        assert json.loads(files["me.json"])["name"] == "阿青"
        manifest = json.loads(files["manifest.json"])
        assert (manifest["format"], manifest["messages"], list(files)[-1]) == (FORMAT, 6, "manifest.json")


def test_the_card_is_there_byte_for_byte_and_every_revision_of_the_blocks(tmp_path: Path) -> None:
    card = json.dumps({"name": "Wren", "description": "Mends clocks.", "personality": "Dry."}).encode()
    with World(tmp_path) as vessel:
        made = vessel.run(vessel.vessel.library.import_card(card, "wren.json"))
        pair = Pair(vessel.pair.user_id, made.persona.id)
        vessel.run(
            vessel.vessel.library.edit_block(
                made.persona.id, "persona", "Mends watches.", base_revision=1, by=vessel.pair.user_id
            )
        )

        files = exported(vessel, pair)

        assert files["card.json"] == card
        assert json.loads(files["persona.json"])["name"] == "Wren"
        blocks = [b for b in lines(files["core-blocks.jsonl"]) if b["label"] == "persona"]
        assert [b["revision"] for b in blocks] == [1, 2]
        assert blocks[-1]["text"] == "Mends watches."


def test_a_card_that_is_a_picture_is_there_byte_for_byte(tmp_path: Path) -> None:
    picture = (CARDS / "png_ccv3_only.png").read_bytes()
    with World(tmp_path) as vessel:
        made = vessel.run(vessel.vessel.library.import_card(picture, "mira.png"))

        files = exported(vessel, Pair(vessel.pair.user_id, made.persona.id))

        assert files["card.png"] == picture
        assert [name for name in files if name.startswith("card.")] == ["card.png"]


def test_a_pair_that_never_talked_is_empty_and_whole(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        persona = vessel.run(vessel.vessel.library.create(NewPersona(name="../../新", locale="zh")))

        files = exported(vessel, Pair(vessel.pair.user_id, persona.id))

        assert files["messages.jsonl"] == b""
        assert json.loads(files["manifest.json"])["messages"] == 0
        assert not [name for name in files if "/" in name]


def test_an_unknown_persona_is_not_found(tmp_path: Path) -> None:
    with World(tmp_path) as vessel, pytest.raises(NotFound):
        exported(vessel, Pair(vessel.pair.user_id, PersonaId("01KBBXQ3M0V2H8S4W6Y7Z9A1C3")))
