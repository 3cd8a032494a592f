"""Personas are made, imported, taken, edited, and greet once."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from echovessel.core.errors import BadInput, Conflict, NotFound
from echovessel.core.ids import ConversationId, PersonaId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Speaker
from echovessel.ports.front import NewPersona, PersonaEdit
from echovessel.ports.records import BlockLabel, CoreBlock, Persona, PersonaKind
from echovessel.testing.world import World
from tests.support.cards import CARDS, file_of

OWNER = UserId("owner")


@pytest.fixture
def vessel(tmp_path: Path) -> Iterator[World]:
    greeting = "{{user}}，你来了。我是{{char}}。"
    with World(tmp_path, persona=NewPersona(name="小满", locale="zh", greetings=(greeting, "第二句"))) as world:
        yield world


def personas(vessel: World) -> list[Persona]:
    return list(vessel.run(vessel.vessel.deps.store.personas()))


def blocks(vessel: World, persona: Persona) -> dict[BlockLabel, CoreBlock]:
    pair = Pair(vessel.pair.user_id, persona.id)
    return {b.label: b for b in vessel.run(vessel.vessel.deps.store.core_blocks(pair))}


def make(vessel: World, **fields: object) -> Persona:
    return vessel.run(vessel.vessel.library.create(NewPersona(**{"name": "阿绿", "locale": "zh", **fields})))  # type: ignore[arg-type]


# ---------------------------------------------------------------- making


def test_what_was_written_about_someone_becomes_its_first_blocks(vessel: World) -> None:
    persona = make(
        vessel, about="{{char}}住在海边。", style="话少。", examples="{{char}}：嗯。", greetings=("来了。", " ")
    )
    found = {label: (b.text, b.revision, b.by, b.user_id) for label, b in blocks(vessel, persona).items()}
    assert found == {
        BlockLabel.PERSONA: ("{{char}}住在海边。", 1, "hand", None),
        BlockLabel.STYLE: ("话少。", 1, "hand", None),
    }
    assert (persona.examples, persona.greetings, persona.card_format) == ("{{char}}：嗯。", ("来了。",), "")
    assert persona in personas(vessel)


def test_a_name_is_enough(vessel: World) -> None:
    persona = make(vessel, name="  阿绿 ")
    assert persona.name == "阿绿"
    assert blocks(vessel, persona) == {}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "\u200b"),
        ("name", "x" * 201),
        ("name", "a\x00"),
        ("locale", "fr"),
        ("about", "a\x00"),
        ("style", "\ud800"),
        ("examples", "x" * 100_001),
        ("greetings", ("ok", "a\x00")),
        ("basis", "\udfff"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_its_field_and_nobody_is_made(
    vessel: World, field: str, value: object
) -> None:
    before = personas(vessel)
    with pytest.raises(BadInput) as refused:
        make(vessel, **{field: value})
    assert refused.value.field == field
    assert personas(vessel) == before


@pytest.mark.parametrize("kind", [PersonaKind.SELF, PersonaKind.AUTHORISED, PersonaKind.MEMORIAL])
def test_a_real_person_needs_a_basis(vessel: World, kind: PersonaKind) -> None:
    with pytest.raises(BadInput) as refused:
        make(vessel, kind=kind, basis="  ")
    assert refused.value.field == "basis"
    assert make(vessel, kind=kind, basis="她生前写下的同意书").basis == "她生前写下的同意书"


# ---------------------------------------------------------------- cards


def test_a_card_becomes_a_persona_and_its_bytes_are_kept(vessel: World) -> None:
    data = (CARDS / "png_ccv3_only.png").read_bytes()
    imported = vessel.run(vessel.vessel.library.import_card(data, "mira.png"))
    persona = imported.persona
    assert (persona.name, persona.card_format, persona.locale) == ("Mira Vale", "v3-png", "en")
    assert vessel.run(vessel.vessel.deps.store.persona_of_card(data)) == persona
    assert blocks(vessel, persona)[BlockLabel.PERSONA].text.startswith("Mira keeps a night radio show")
    assert blocks(vessel, persona)[BlockLabel.PERSONA].by == "card"
    assert any("lorebook" in note for note in imported.left_out)


def test_the_same_card_again_is_the_same_persona_as_it_is_now(vessel: World) -> None:
    data = file_of(first_mes="hi")
    first = vessel.run(vessel.vessel.library.import_card(data, "a.json")).persona
    vessel.run(vessel.vessel.library.edit(first.id, PersonaEdit(name="Renamed")))
    vessel.restart()
    again = vessel.run(vessel.vessel.library.import_card(data, "b.json")).persona
    assert (again.id, again.name) == (first.id, "Renamed")
    assert len(personas(vessel)) == 2


def test_the_same_card_many_times_at_once_is_one_persona(vessel: World) -> None:
    library, data = vessel.vessel.library, vessel.vessel.library._shelf.card("mender", "zh")

    async def at_once() -> set[PersonaId]:
        imported = [library.import_card(data, "a.json") for _ in range(4)]
        taken = [library.take("mender", "zh") for _ in range(4)]
        return {i.persona.id for i in await asyncio.gather(*imported)} | {p.id for p in await asyncio.gather(*taken)}

    assert len(vessel.run(at_once())) == 1
    assert len(personas(vessel)) == 2


def test_two_cards_that_differ_in_a_blank_are_two_personas(vessel: World) -> None:
    data = file_of(first_mes="hi")
    for file in (data, data + b"\n"):
        vessel.run(vessel.vessel.library.import_card(file, "a.json"))
    assert len(personas(vessel)) == 3


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"\x89PNG\r\n\x1a\n", file_of(extensions={"echovessel": {"kind": "memorial"}})],
    ids=["empty", "no card", "cut", "a real person without a basis"],
)
def test_a_card_that_cannot_be_taken_leaves_nothing(vessel: World, data: bytes) -> None:
    before = personas(vessel)
    with pytest.raises(BadInput):
        vessel.run(vessel.vessel.library.import_card(data, "x.json"))
    assert personas(vessel) == before


# ---------------------------------------------------------------- the shelf


def test_whoever_is_taken_from_the_shelf_is_there_once(vessel: World) -> None:
    entries = vessel.vessel.library.shelf()
    for entry in (*entries, *entries):
        persona = vessel.run(vessel.vessel.library.take(entry.slug, entry.locale))
        assert (persona.name, persona.tagline, persona.locale) == (entry.name, entry.tagline, entry.locale)
        assert blocks(vessel, persona)[BlockLabel.STYLE].by == "library"
    assert len(personas(vessel)) == 1 + len(entries) == 7


def test_who_is_not_on_the_shelf_cannot_be_taken(vessel: World) -> None:
    with pytest.raises(NotFound):
        vessel.run(vessel.vessel.library.take("nobody", "zh"))


# ---------------------------------------------------------------- editing


def test_an_edit_changes_what_it_names_and_nothing_else(vessel: World) -> None:
    before = personas(vessel)[0]
    edit = PersonaEdit(tagline="海边的人", zone="Asia/Tokyo", greetings=("早。", ""))
    after = vessel.run(vessel.vessel.library.edit(before.id, edit))
    assert (after.tagline, after.zone, after.greetings) == ("海边的人", "Asia/Tokyo", ("早。",))
    assert (after.name, after.locale, after.created_at) == (before.name, before.locale, before.created_at)
    assert personas(vessel) == [after]


def test_two_edits_at_once_both_count(vessel: World) -> None:
    library, persona_id = vessel.vessel.library, vessel.pair.persona_id

    async def both() -> None:
        await asyncio.gather(
            library.edit(persona_id, PersonaEdit(tagline="一")), library.edit(persona_id, PersonaEdit(name="二"))
        )

    vessel.run(both())
    assert [(p.tagline, p.name) for p in personas(vessel)] == [("一", "二")]


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        (PersonaEdit(name=" "), "name"),
        (PersonaEdit(zone="Mars/Olympus"), "zone"),
        (PersonaEdit(locale="zh-CN"), "locale"),
        (PersonaEdit(kind=PersonaKind.SELF), "basis"),
        (PersonaEdit(examples="a\x00"), "examples"),
    ],
)
def test_an_edit_that_cannot_be_changes_nothing(vessel: World, edit: PersonaEdit, field: str) -> None:
    before = personas(vessel)
    with pytest.raises(BadInput) as refused:
        vessel.run(vessel.vessel.library.edit(vessel.pair.persona_id, edit))
    assert refused.value.field == field
    assert personas(vessel) == before


def test_a_real_persons_basis_cannot_be_taken_away(vessel: World) -> None:
    persona = make(vessel, kind=PersonaKind.MEMORIAL, basis="同意书")
    with pytest.raises(BadInput):
        vessel.run(vessel.vessel.library.edit(persona.id, PersonaEdit(basis="")))


def test_nobody_edits_who_is_not_there(vessel: World) -> None:
    nobody = PersonaId("0" * 26)
    with pytest.raises(NotFound):
        vessel.run(vessel.vessel.library.edit(nobody, PersonaEdit(name="x")))
    with pytest.raises(NotFound):
        vessel.run(vessel.vessel.library.edit_block(nobody, "persona", "x", base_revision=0, by=OWNER))
    with pytest.raises(NotFound):
        vessel.run(vessel.vessel.library.begin(Pair(vessel.pair.user_id, nobody), "k", "page", "UTC"))


# ---------------------------------------------------------------- blocks


def write(vessel: World, label: str, text: str, base: int) -> CoreBlock:
    return vessel.run(vessel.vessel.library.edit_block(vessel.pair, label, text, base_revision=base, by=OWNER))


def test_a_block_is_replaced_and_its_revisions_are_kept(vessel: World) -> None:
    write(vessel, "persona", "初稿", 0)
    write(vessel, "persona", "二稿", 1)
    write(vessel, "persona", "", 2)
    history = vessel.run(vessel.vessel.deps.store.block_history(vessel.pair.persona_id, None, BlockLabel.PERSONA))
    assert [(b.revision, b.text, b.by) for b in history] == [(3, "", OWNER), (2, "二稿", OWNER), (1, "初稿", OWNER)]


@pytest.mark.parametrize("base", [0, 2, 7])
def test_a_revision_that_someone_else_has_passed_is_a_conflict(vessel: World, base: int) -> None:
    write(vessel, "persona", "初稿", 0)
    with pytest.raises(Conflict):
        write(vessel, "persona", "晚到的", base)
    assert blocks(vessel, personas(vessel)[0])[BlockLabel.PERSONA].text == "初稿"


def test_what_belongs_to_one_pair_needs_its_user(vessel: World) -> None:
    block = write(vessel, "user", "喜欢安静", 0)
    assert block.user_id == vessel.pair.user_id
    with pytest.raises(BadInput) as refused:
        vessel.run(vessel.vessel.library.edit_block(vessel.pair.persona_id, "user", "x", base_revision=1, by=OWNER))
    assert refused.value.field == "label"


def test_what_belongs_to_the_persona_is_the_same_for_everyone(vessel: World) -> None:
    assert write(vessel, "style", "话少", 0).user_id is None
    library = vessel.vessel.library
    block = vessel.run(library.edit_block(vessel.pair.persona_id, "style", "话更少", base_revision=1, by=OWNER))
    assert blocks(vessel, personas(vessel)[0])[BlockLabel.STYLE] == block


@pytest.mark.parametrize(
    ("label", "text"), [("nobody", "x"), ("", "x"), ("persona", "a\x00"), ("persona", "x" * 100_001)]
)
def test_a_block_that_cannot_be_kept_is_refused(vessel: World, label: str, text: str) -> None:
    with pytest.raises(BadInput):
        write(vessel, label, text, 0)
    assert blocks(vessel, personas(vessel)[0]) == {}


# ---------------------------------------------------------------- greeting


async def begin(vessel: World, channel: str = "page") -> ConversationId:
    return await vessel.vessel.library.begin(vessel.pair, vessel.pair.persona_id, channel, "Asia/Shanghai")


def test_a_persona_greets_when_a_talk_begins_and_only_then(vessel: World) -> None:
    first = vessel.run(begin(vessel))
    vessel.passes(3600)
    assert vessel.run(begin(vessel)) == first
    assert vessel.said == ["你，你来了。我是小满。"]
    assert (vessel.last.speaker, vessel.last.made_by, vessel.last.conversation_id) == (Speaker.PERSONA, "card", first)


def test_it_calls_the_user_by_name(tmp_path: Path) -> None:
    persona = NewPersona(name="Mira", greetings=("{{// nobody sees this}}", "Hello {{user}}, {{char}} here."))
    with World(tmp_path, persona=persona, locale="en", user_name="{{char}}") as vessel:
        vessel.run(begin(vessel))
        assert vessel.said == ["Hello {{char}}, Mira here."]


def test_two_talks_that_begin_at_once_are_greeted_once(vessel: World) -> None:
    async def race() -> None:
        await asyncio.gather(*(begin(vessel, channel) for channel in ("page", "terminal", "page", "page")))

    vessel.run(race())
    assert len(vessel.said) == 1


def test_it_does_not_greet_who_has_spoken_already(vessel: World) -> None:
    vessel.model_says("嗯。")
    vessel.hears("在吗")
    vessel.run(begin(vessel))
    vessel.run(begin(vessel, "terminal"))
    assert vessel.said == ["在吗", "嗯。"]


def test_a_greeting_that_was_deleted_stays_away(vessel: World) -> None:
    vessel.run(begin(vessel))
    vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, vessel.last.id))
    vessel.restart()
    vessel.run(begin(vessel))
    assert vessel.said == []


def test_who_has_no_greeting_waits(vessel: World) -> None:
    persona = vessel.run(vessel.vessel.library.edit(vessel.pair.persona_id, PersonaEdit(greetings=())))
    assert persona.greetings == ()
    assert vessel.run(begin(vessel))
    assert vessel.said == []


def test_a_zone_that_does_not_exist_opens_nothing(vessel: World) -> None:
    with pytest.raises(BadInput):
        vessel.run(vessel.vessel.library.begin(vessel.pair, vessel.pair.persona_id, "page", "Mars/Olympus"))
    assert (
        vessel.run(vessel.vessel.deps.store.conversation(vessel.pair.user_id, "page", vessel.pair.persona_id)) is None
    )


def test_a_greeting_is_found_again(vessel: World) -> None:
    vessel.run(begin(vessel))
    vessel.rests()
    found = vessel.run(vessel.vessel.deps.store.messages(vessel.pair, q="小满"))
    assert [m.text for m in found] == ["你，你来了。我是小满。"]


def test_the_card_of_a_persona_survives_an_edit(vessel: World) -> None:
    data = json.dumps({"name": "Bare", "vendor/unknown": [1, None]}).encode()
    persona = vessel.run(vessel.vessel.library.import_card(data, "bare.json")).persona
    vessel.run(vessel.vessel.library.edit(persona.id, PersonaEdit(name="Clad")))
    vessel.restart()
    found = vessel.run(vessel.vessel.deps.store.persona_of_card(data))
    assert found is not None
    assert found.name == "Clad"
