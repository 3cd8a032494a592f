"""What was exported is read back as it was said."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from echovessel.core.errors import BadInput
from echovessel.core.pair import Pair
from echovessel.flows.export import FlowExport
from echovessel.flows.exported import CONVERSATION, joined, read_exported
from echovessel.flows.history import Told
from echovessel.flows.ingest import FlowIngest
from echovessel.ports.front import ImportReport, NewPersona
from echovessel.testing.world import World

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ZONE = ZoneInfo("Europe/Berlin")
LINE: dict[str, Any] = {
    "id": "01KBBXQ3M0V2H8S4W6Y7Z9A1C3",
    "sent_at": "2026-03-01T08:00:00.120Z",
    "zone": "Asia/Shanghai",
    "speaker": "persona",
    "voice": "persona",
    "text": "好",
}


def read(**other: object) -> Told | None:
    return read_exported(json.dumps({**LINE, **other}), ZONE, NOW)


def test_a_message_keeps_who_when_and_where() -> None:
    told = read()

    assert told is not None
    (said,) = told.said
    assert (said.speaker, said.text, said.zone, said.origin) == ("persona", "好", "Asia/Shanghai", LINE["id"])
    assert said.at == datetime(2026, 3, 1, 8, 0, 0, 120_000, tzinfo=UTC)


@pytest.mark.parametrize("line", ["", "{", "[]", "1", '{"conv_id": "c", "sent_at": "x"}', '{"conv_id": "c"}'])
def test_other_lines_are_left_to_others(line: str) -> None:
    assert read_exported(line, ZONE, NOW) is None


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"id": "x"}, "`id`"),
        ({"speaker": "owner"}, "`speaker`"),
        ({"speaker": ["user"]}, "`speaker`"),
        ({"speaker": None}, "`speaker`"),
        ({"text": 3}, "`text`"),
        ({"voice": "keeper"}, "program itself"),
        ({"voice": "care"}, "program itself"),
        ({"text": ""}, "no words"),
        ({"sent_at": "yesterday"}, "not a time"),
        ({"sent_at": "2027-03-01T08:00:00Z"}, "future"),
        ({"zone": "Nowhere/Land"}, "time zone"),
    ],
)
def test_what_cannot_be_taken_says_why(wrong: dict[str, object], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        read(**wrong)


def test_a_voice_that_is_no_word_is_nobody_s() -> None:
    assert read(voice={}) == read(voice=["keeper"]) == read()


async def test_messages_that_follow_each_other_come_together() -> None:
    one = read()
    assert one is not None
    other, bad = Told("c", [], []), BadInput("no", field="file", do="")

    async def lines() -> AsyncIterator[tuple[int, Told | BadInput]]:
        for number, item in enumerate([one, one, one, other, one, bad], 1):
            yield number, item

    found = [(n, len(t.said) if isinstance(t, Told) else t) async for n, t in joined(lines(), 2)]

    assert found == [(2, 2), (3, 1), (4, 0), (5, 1), (6, bad)]
    assert one.conv_id == CONVERSATION


def imported(vessel: World, data: bytes, pair: Pair | None = None) -> ImportReport:
    async def lines() -> AsyncIterator[str | BadInput]:
        for line in data.decode().splitlines():
            yield line

    return vessel.run(FlowIngest(vessel.vessel.deps)(pair or vessel.pair, lines, me=None, dry_run=False))


def exported(vessel: World) -> bytes:
    async def read() -> bytes:
        return b"".join(
            [piece async for name, piece in FlowExport(vessel.vessel.deps)(vessel.pair) if name == "messages.jsonl"]
        )

    return vessel.run(read())


def test_a_fresh_home_gets_the_same_timeline_once(tmp_path: Path) -> None:
    with World(tmp_path / "old", user_name="阿青") as old:
        for n in range(3):
            old.model_says(f"答 {n}")
            old.hears(f"问 {n}")
            old.passes(3600)
        data = exported(old)
        before = [(m.speaker, m.text, m.sent_at, m.zone) for m in old.timeline]
    with World(tmp_path / "new", user_name="Ada", zone="Europe/Berlin") as new:
        assert imported(new, data).added == 6
        assert [(m.speaker, m.text, m.sent_at, m.zone) for m in new.timeline] == before

        again = imported(new, data)

        assert (again.added, again.already_there) == (0, 6)


def test_where_it_came_from_nothing_is_doubled_and_the_deleted_stays_gone(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        vessel.model_says("好")
        receipt = vessel.hears("忘了它")
        data = exported(vessel)
        vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, receipt.message_id))

        report = imported(vessel, data)

        assert (report.added, report.already_there, vessel.said) == (0, 2, ["好"])
        other = vessel.run(vessel.vessel.library.create(NewPersona(name="另一个", locale="zh")))
        assert imported(vessel, data, Pair(vessel.pair.user_id, other.id)).added == 2
