"""Views of people and personas show what may be shown."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from echovessel.api.dto.people import CoreBlockView, Kind, LibraryView, Me, PersonaMake, PersonaView
from echovessel.core.ids import PersonaId, UserId
from echovessel.ports.front import LibraryEntry
from echovessel.ports.records import BlockLabel, CoreBlock, Persona, PersonaKind, User

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_a_persona_with_the_form_of_its_card_alone() -> None:
    persona = Persona(
        id=PersonaId("p"),
        name="小满",
        kind=PersonaKind.ORIGINAL,
        locale="zh",
        zone="Asia/Shanghai",
        greetings=("早",),
        card_format="v3-png",
        created_at=AT,
    )
    view = PersonaView.of(persona).model_dump(mode="json")

    assert "card" not in view
    assert (view["greetings"], view["card_format"], view["created_at"]) == (
        ["早"],
        "v3-png",
        "2026-03-02T09:00:00.000Z",
    )


def test_you_an_entry_and_a_block() -> None:
    user = User(id=UserId("u"), name="阿青", zone="Asia/Shanghai", locale="zh", created_at=AT)
    block = CoreBlock(
        persona_id=PersonaId("p"), user_id=None, label=BlockLabel.STYLE, text="t", revision=3, by="u", at=AT
    )
    entry = LibraryEntry(slug="s", locale="zh", name="n", tagline="t", about="a")

    assert Me.of(user).model_dump() == {"id": "u", "name": "阿青", "zone": "Asia/Shanghai", "locale": "zh"}
    assert CoreBlockView.of(block).revision == 3
    assert LibraryView.of(entry).slug == "s"


def test_every_kind_of_persona_can_be_made_and_no_other() -> None:
    assert set(Kind.__args__) == {kind.value for kind in PersonaKind}
    with pytest.raises(ValidationError):
        PersonaMake.model_validate({"name": "a", "kind": "celebrity"})
