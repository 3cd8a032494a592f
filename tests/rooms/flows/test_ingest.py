"""History from elsewhere goes into the timeline, once."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from echovessel.core.errors import BadInput, NotFound
from echovessel.core.ids import PersonaId
from echovessel.core.pair import Pair
from echovessel.core.talk import Speaker
from echovessel.flows.ingest import BATCH, MOST_REFUSALS, FlowIngest
from echovessel.ports.front import ImportReport, NewPersona
from echovessel.ports.store import Store
from echovessel.testing.world import World
from tests.support.faults import DyingStore, Killed


@pytest.fixture
def vessel(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path, user_name="阿青") as world:
        yield world


def turn(turn_id: object, speaker: str, text: str, at: str = "2025-05-01T20:00:00") -> dict[str, object]:
    return {"turn_id": turn_id, "speaker": speaker, "at": at, "text": text}


def conversation(*turns: object, conv_id: str = "c1") -> str:
    return json.dumps({"conv_id": conv_id, "sessions": [{"turns": list(turns)}]}, ensure_ascii=False)


TALK = conversation(
    turn(1, "user", "我把钥匙藏在了蓝色花盆底下。"),
    turn(2, "persona", "记住了，蓝色花盆。", at="2025-05-01T20:00:05"),
    turn(3, "user", "别告诉别人。", at="2025-05-01T20:01:00"),
)


async def lines_of(lines: tuple[str | BadInput, ...]) -> AsyncIterator[str | BadInput]:
    for line in lines:
        yield line


def take_in(vessel: World, *lines: str | BadInput, me: str | None = None, dry_run: bool = False) -> ImportReport:
    ingest = FlowIngest(vessel.vessel.deps)
    return vessel.run(ingest(vessel.pair, lambda: lines_of(lines), me=me, dry_run=dry_run))


def spoken(vessel: World) -> list[tuple[Speaker, str]]:
    return [(m.speaker, m.text) for m in vessel.timeline]


# ---------------------------------------------------------------- what goes in


def test_a_history_becomes_a_part_of_the_timeline(vessel: World) -> None:
    vessel.model_says("嗯。")
    vessel.hears("今天")
    report = take_in(vessel, TALK)
    assert (report.added, report.already_there, report.refused) == (3, 0, ())
    assert spoken(vessel) == [
        (Speaker.USER, "我把钥匙藏在了蓝色花盆底下。"),
        (Speaker.PERSONA, "记住了，蓝色花盆。"),
        (Speaker.USER, "别告诉别人。"),
        (Speaker.USER, "今天"),
        (Speaker.PERSONA, "嗯。"),
    ]
    first = vessel.timeline[0]
    assert (first.channel, first.made_by, first.zone, first.turn_id) == ("import", "import", "Asia/Shanghai", None)
    assert first.sent_at.isoformat() == "2025-05-01T12:00:00+00:00"
    assert (report.first_at, report.last_at) == (first.sent_at, vessel.timeline[2].sent_at)


def test_the_same_file_again_adds_nothing(vessel: World) -> None:
    take_in(vessel, TALK)
    before = vessel.timeline
    vessel.restart()
    report = take_in(vessel, "", TALK)
    assert (report.added, report.already_there) == (0, 3)
    assert vessel.timeline == before


def test_the_same_file_adds_nothing_when_the_user_has_moved(tmp_path: Path) -> None:
    for zone in ("Asia/Shanghai", "Europe/Berlin"):
        with World(tmp_path, zone=zone) as vessel:
            take_in(vessel, TALK)
            assert len(vessel.timeline) == 3


def test_a_longer_copy_adds_only_what_is_new(vessel: World) -> None:
    take_in(vessel, conversation(turn(1, "user", "一")))
    report = take_in(vessel, conversation(turn(1, "user", "一"), turn(2, "persona", "二", at="2025-05-01T20:00:09")))
    assert (report.added, report.already_there) == (1, 1)


def test_another_history_that_counts_its_turns_alike_is_not_taken_for_the_same(vessel: World) -> None:
    take_in(vessel, conversation(turn(1, "user", "第一份", at="2024-01-01")))
    take_in(vessel, conversation(turn(1, "user", "第二份", at="2024-06-01")))
    assert vessel.said == ["第一份", "第二份"]


def test_what_was_deleted_does_not_come_back(vessel: World) -> None:
    take_in(vessel, TALK)
    vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, vessel.timeline[0].id))
    report = take_in(vessel, TALK)
    assert report.added == 0
    assert vessel.said == ["记住了，蓝色花盆。", "别告诉别人。"]


def test_a_dry_run_counts_and_writes_nothing(vessel: World) -> None:
    head = vessel.run(vessel.vessel.deps.store.head(vessel.pair.user_id))
    report = take_in(vessel, TALK, "no json", dry_run=True)
    assert (report.added, report.already_there, len(report.refused)) == (3, 0, 1)
    assert report.first_at is not None
    assert vessel.timeline == []
    assert vessel.run(vessel.vessel.deps.store.head(vessel.pair.user_id)) == head
    assert vessel.run(vessel.vessel.deps.store.conversation(vessel.pair.user_id, "import", "c1")) is None


def test_messages_of_one_day_keep_the_order_of_the_file_over_many_writes(vessel: World) -> None:
    turns = [turn(i, "user" if i % 2 else "persona", f"第{i}句", at="2025-05-01") for i in range(2 * BATCH + 7)]
    report = take_in(vessel, conversation(*turns))
    assert report.added == len(turns)
    assert vessel.said == [f"第{i}句" for i in range(len(turns))]


def test_a_line_of_five_megabytes_goes_in(vessel: World) -> None:
    times = [f"2025-05-01T20:{i // 60:02}:{i % 60:02}" for i in range(300)]
    line = conversation(*(turn(i, "user", f"第{i}句", at=at) | {"raw": "长" * 5600} for i, at in enumerate(times)))
    assert len(line.encode()) > 5_000_000
    assert take_in(vessel, line).added == 300


def test_two_conversations_with_one_id_for_two_personas_do_not_meet(vessel: World) -> None:
    other = vessel.run(vessel.vessel.library.create(NewPersona(name="阿绿", locale="zh")))
    take_in(vessel, TALK)
    pair = Pair(vessel.pair.user_id, other.id)
    report = vessel.run(FlowIngest(vessel.vessel.deps)(pair, lambda: lines_of((TALK,)), me=None, dry_run=False))
    assert report.added == 3
    assert len(vessel.timeline) == 3


# ---------------------------------------------------------------- what is refused


def test_what_is_wrong_is_named_one_by_one_and_the_rest_goes_in(vessel: World) -> None:
    report = take_in(
        vessel,
        TALK,
        "",
        '{"cut": ',
        conversation(turn(1, "user", "好"), turn(2, "user", ""), {"turn_id": 3}, conv_id="c2"),
        conversation(turn(1, "user", "", at="x"), conv_id="c3"),
    )
    assert report.added == 4
    assert [reason.partition(": ")[0] for reason in report.refused] == [
        "line 3",
        "line 4, session 1, turn 2",
        "line 4, session 1, turn 3",
        "line 5, session 1, turn 1",
    ]
    assert report.refused[0].startswith("line 3: It is not JSON. Write it as")


def test_what_the_program_itself_said_is_counted_in_one_line(vessel: World) -> None:
    keeper = {"speaker": "persona", "voice": "keeper", "sent_at": "2025-05-01T20:00:00Z", "text": "No model."}
    lines = [json.dumps({**keeper, "id": f"01JT5XAVM0000000000000000{n}"}) for n in range(3)]

    alone = take_in(vessel, *lines)
    report = take_in(vessel, conversation(turn("t1", "Ann", "Hello.")), *lines, me="Ann")

    told = "what the program itself said (3 messages); it is nobody's memory"
    assert (alone.added, alone.refused) == (0, (told,))
    assert (report.added, report.refused) == (1, (told,))


def test_a_flood_of_refusals_is_counted(vessel: World) -> None:
    report = take_in(vessel, TALK, *["{"] * (MOST_REFUSALS + 5))
    assert len(report.refused) == MOST_REFUSALS + 1
    assert report.refused[-1] == "… and 5 more"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ((), "It is empty"),
        (("", " "), "It is empty"),
        (("x",), "line 1: It is not JSON"),
        ((conversation({}),), "turn 1"),
    ],
)
def test_a_file_of_which_nothing_can_be_taken_is_bad_input(vessel: World, lines: tuple[str, ...], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        take_in(vessel, *lines)
    assert vessel.timeline == []


def test_nobody_imports_for_who_is_not_there(vessel: World) -> None:
    nobody = Pair(vessel.pair.user_id, PersonaId("0" * 26))
    with pytest.raises(NotFound):
        vessel.run(FlowIngest(vessel.vessel.deps)(nobody, lambda: lines_of((TALK,)), me=None, dry_run=False))


# ---------------------------------------------------------------- who is who


@pytest.mark.parametrize(
    ("speakers", "me"),
    [
        (("user", "persona"), None),
        (("Human", "Assistant"), None),
        (("阿青", "林夕"), None),  # the user's own name
        (("陈默", "小满"), None),  # the persona's name
        (("我", "林夕"), None),
        (("林夕", "Kate"), "林夕"),
        (("KATE", "林夕"), "kate"),
        (("user", None), None),
        (("阿青", None), None),
        (("陈默", None), "陈默"),
        ((None, "小满"), None),
        ((None, "assistant"), "陈默"),
    ],
)
def test_who_is_who_is_seen_from_the_names(
    vessel: World, speakers: tuple[str | None, str | None], me: str | None
) -> None:
    roles = zip(speakers, (Speaker.USER, Speaker.PERSONA), strict=True)
    there = [(name, role) for name, role in roles if name is not None]
    take_in(vessel, conversation(*(turn(i, name, name) for i, (name, _) in enumerate(there))), me=me)
    assert spoken(vessel) == [(role, name) for name, role in there]


@pytest.mark.parametrize(
    ("speakers", "me"),
    [
        (("陈默", "林夕"), None),
        (("林夕",), None),
        (("陈默", "林夕"), "王五"),
        (("林夕",), "王五"),
        (("user", "persona", "Kate"), None),
        (("user", "me"), None),
        (("assistant", "小满"), None),
        (("Ada", "ada"), "ada"),
        (tuple(f"人{i}" for i in range(40)), None),
    ],
)
def test_what_would_be_a_guess_is_refused(vessel: World, speakers: tuple[str, ...], me: str | None) -> None:
    line = conversation(*(turn(i, name, "话") for i, name in enumerate(speakers)), conv_id="c2")
    report = (
        take_in(vessel, conversation(turn(1, "user", "好"), turn(2, "persona", "好")), line, me=me)
        if me is None
        else None
    )
    if report is None:
        with pytest.raises(BadInput, match="speak"):
            take_in(vessel, line, me=me)
        return
    assert report.added == 2
    assert len(report.refused) == 1
    assert "--me" in report.refused[0]
    assert len(report.refused[0]) < 500


def of_two_people() -> tuple[str, str]:
    return (
        conversation(turn(1, "Ada", "I am Ada"), turn(2, "companion", "hello"), conv_id="a"),
        conversation(turn(1, "Ben", "I am Ben"), turn(2, "companion", "hi"), conv_id="b"),
    )


def test_the_talks_of_several_people_are_never_taken_for_one_users(vessel: World) -> None:
    with pytest.raises(BadInput, match="'Ada', 'Ben'") as refusal:
        take_in(vessel, *of_two_people())
    assert refusal.value.field == "me"
    assert vessel.timeline == []


def test_who_names_themself_gets_their_own_talks_alone(vessel: World) -> None:
    report = take_in(vessel, *of_two_people(), me="ben")
    assert (report.added, report.refused) == (2, ("1 conversations in which 'ben' does not speak",))
    assert [text for _, text in spoken(vessel)] == ["I am Ben", "hi"]


def test_a_line_that_could_not_be_read_is_told_and_costs_the_others_nothing(vessel: World) -> None:
    unreadable = BadInput("It is not UTF-8.", field="body", do="Save the file as UTF-8.")
    lines = (conversation(turn(1, "user", "好")), unreadable, conversation(turn(1, "user", "再见"), conv_id="c2"))

    report = take_in(vessel, *lines)

    assert report.added == 2
    assert report.refused == ("line 2: It is not UTF-8. Save the file as UTF-8.",)
    with pytest.raises(BadInput, match=r"Nothing in this file can be taken\. line 1: It is not UTF-8"):
        take_in(vessel, unreadable, unreadable)


# ---------------------------------------------------------------- killed on the way


def test_an_import_that_was_killed_anywhere_is_completed_by_repeating_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("echovessel.flows.ingest.BATCH", 4)
    turns = [turn(i, "user" if i % 2 else "persona", f"第{i}句", at="2025-05-01") for i in range(7)]
    file = (conversation(*turns), conversation(turn(1, "user", "尾声", at="2025-05-02"), conv_id="c2"))
    for dies_at in range(10):
        stores: list[DyingStore] = []

        def dying(store: Store, stores: list[DyingStore] = stores) -> Store:
            stores.append(DyingStore(store))
            return stores[-1]  # type: ignore[return-value]

        with World(tmp_path / str(dies_at), wrap=dying) as vessel:
            vessel.rests()
            stores[-1].dies_at = stores[-1].points + dies_at
            with pytest.raises(Killed):
                take_in(vessel, *file)
            stores[-1].dies_at = None
            stores[-1].died.clear()
            vessel.restart()
            report = take_in(vessel, *file)
            assert report.added + report.already_there == len(turns) + 1
            assert vessel.said == [f"第{i}句" for i in range(len(turns))] + ["尾声"]


# ---------------------------------------------------------------- what becomes of it


def test_imported_talk_is_found_by_its_words(vessel: World) -> None:
    english = conversation(turn(1, "user", "My sister keeps bees in Aberdeen."), conv_id="en")
    take_in(vessel, TALK, english)
    store = vessel.vessel.deps.store
    assert [m.text for m in vessel.run(store.messages(vessel.pair, q="花盆"))] == [
        "记住了，蓝色花盆。",
        "我把钥匙藏在了蓝色花盆底下。",
    ]
    assert [m.text for m in vessel.run(store.messages(vessel.pair, q="bee"))] == ["My sister keeps bees in Aberdeen."]


def test_every_imported_message_gets_its_vector(vessel: World) -> None:
    take_in(vessel, TALK)
    vessel.rests()
    store, embedder = vessel.vessel.deps.store, vessel.vessel.deps.embedder
    assert embedder is not None
    assert vessel.run(store.embedders()) == {embedder.name: 3}
