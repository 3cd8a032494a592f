"""Views of what was said."""

from dataclasses import replace
from datetime import UTC, datetime

from echovessel.api.dto.talk import MessageView, TroubleView, TurnView
from echovessel.core.ids import ConversationId, MessageId, PersonaId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, MessageState, Speaker, Trouble, Turn, TurnState, Variant

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
PAIR = Pair(UserId("u"), PersonaId("p"))
TROUBLE = Trouble(code="model-busy", message="m", do="d", aside="a")
MESSAGE = Message(
    id=MessageId("m"),
    pair=PAIR,
    conversation_id=ConversationId("c"),
    turn_id=TurnId("t"),
    channel="page",
    speaker=Speaker.PERSONA,
    state=MessageState.PARTIAL,
    sent_at=AT,
    zone="UTC",
    text="早",
    text_id=TextId("x2"),
    made_by="reply@1 some-model",
    variants=(
        Variant(id=TextId("x1"), text="hidden", made_by="reply@1 some-model", made_at=AT),
        Variant(id=TextId("x2"), text="早", made_by="reply@1 some-model", made_at=AT),
    ),
    client_id="c-1",
    external_id="private",
    trouble=TROUBLE,
)


def test_a_message_with_its_wordings_named_and_not_told() -> None:
    view = MessageView.of(MESSAGE).model_dump(mode="json")

    assert [v["id"] for v in view["variants"]] == ["x1", "x2"]
    assert "hidden" not in str(view)
    assert "private" not in str(view)
    assert (view["persona_id"], view["state"], view["speaker"], view["edited"]) == ("p", "partial", "persona", False)
    assert view["trouble"] == {"code": "model-busy", "message": "m", "do": "d", "aside": "a"}


def test_a_message_whose_active_wording_is_a_persons_is_edited() -> None:
    assert MessageView.of(replace(MESSAGE, made_by="edit")).edited


def test_a_turn() -> None:
    turn = Turn(
        id=TurnId("t"),
        pair=PAIR,
        conversation_id=ConversationId("c"),
        channel="page",
        state=TurnState.FAILED,
        opened_at=AT,
        due_at=AT,
        regenerates=MessageId("m"),
        draft="half a",
        trouble=TROUBLE,
    )
    view = TurnView.of(turn)

    assert (view.state, view.regenerates, view.draft) == ("failed", "m", "half a")
    assert view.trouble == TroubleView.of(TROUBLE)
    assert TurnView.of(replace(turn, trouble=None)).trouble is None
