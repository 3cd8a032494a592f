from datetime import UTC, datetime

import pytest

from echovessel.core.ids import ConversationId, MessageId, PersonaId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, MessageState, Speaker, Voice, reply_among, voice_of


@pytest.mark.parametrize(
    ("speaker", "made_by", "voice"),
    [
        (Speaker.USER, "user", Voice.USER),
        (Speaker.USER, "keeper@1", Voice.USER),
        (Speaker.PERSONA, "keeper@2", Voice.KEEPER),
        (Speaker.PERSONA, "care@1", Voice.CARE),
        (Speaker.PERSONA, "reply@1 caretaker", Voice.PERSONA),
        (Speaker.PERSONA, "card", Voice.PERSONA),
    ],
)
def test_the_program_s_words_are_told_from_the_persona_s(speaker: Speaker, made_by: str, voice: Voice) -> None:
    assert voice_of(speaker, made_by) is voice


def test_the_reply_is_the_last_that_is_the_persona_s_or_the_keeper_s() -> None:
    asked, care, kept = said("user", Speaker.USER), said("care@1"), said("keeper@1")

    assert reply_among([asked, care, kept]) is kept
    assert reply_among([kept, care]) is kept
    assert reply_among([asked, care]) is None


def said(made_by: str, speaker: Speaker = Speaker.PERSONA) -> Message:
    return Message(
        id=MessageId(made_by),
        pair=Pair(UserId("u"), PersonaId("p")),
        conversation_id=ConversationId("c"),
        turn_id=TurnId("t"),
        channel="page",
        speaker=speaker,
        state=MessageState.COMPLETE,
        sent_at=datetime(2026, 3, 1, tzinfo=UTC),
        zone="UTC",
        text="words",
        text_id=TextId("x"),
        made_by=made_by,
    )
