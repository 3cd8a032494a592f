from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from echovessel.core.talk import ChatRole, Message, MessageState
from echovessel.prompts.history import Past, fills, past
from echovessel.prompts.wording import wording
from tests.support.prompting import BERLIN, CATALOG, Talk, material

WORDS = wording("reply", material(burst=[Talk().said("user", "hi")]), CATALOG, "en")
HOUR = timedelta(hours=1)


def _lines(so_far: Past) -> list[str]:
    return [f"{m.role.value}: {m.content}" for m in so_far.chat]


def test_roles_alternate_and_the_first_message_is_the_users() -> None:
    talk = Talk()
    said = [
        talk.said("persona", "Hello there.", 3 * HOUR, made_by="card"),
        talk.said("user", "hi", 2 * HOUR),
        talk.said("user", "tired today", 2 * HOUR),
        talk.said("persona", "Long shift?", HOUR),
    ]

    assert _lines(past(said, 1000, WORDS)) == [
        "user: [Monday, 30 November 2026, 15:04]\n[you write first]",
        "assistant: Hello there.",
        "user: hi\n\ntired today",
        "assistant: Long shift?",
    ]


def test_a_long_silence_is_marked_with_the_date_on_the_users_clock_wherever_they_were() -> None:
    talk = Talk()
    said = [
        talk.said("user", "night", 30 * HOUR),
        talk.said("persona", "Good night.", 30 * HOUR),
        talk.said("user", "landed", 5 * HOUR, zone=BERLIN),
    ]

    assert _lines(past(said, 1000, WORDS))[2] == "user: [Monday, 30 November 2026, 13:04]\nlanded"


@pytest.mark.parametrize(
    "changes",
    [
        {"state": MessageState.FAILED},
        {"state": MessageState.DELETED},
        {"made_by": "keeper@1"},
        {"made_by": "care@1"},
    ],
)
def test_what_the_persona_did_not_say_is_left_out(changes: dict[str, object]) -> None:
    talk = Talk()
    said = [talk.said("user", "hi", HOUR), talk.said("persona", "x", HOUR, **changes), talk.said("user", "you there?")]

    assert [m.role for m in past(said, 1000, WORDS).chat] == [ChatRole.USER]


def test_what_was_cut_off_is_kept() -> None:
    talk = Talk()
    said = [talk.said("user", "hi", HOUR), talk.said("persona", "Well, I", HOUR, state=MessageState.PARTIAL)]

    assert _lines(past(said, 1000, WORDS))[-1] == "assistant: Well, I"


def test_the_newest_part_is_kept_within_the_budget() -> None:
    said = Talk().exchanges(200, 20 * HOUR)

    kept = past(said, 600, WORDS)

    assert 300 - 32 <= kept.tokens <= 600
    assert kept.shown == tuple(said[-len(kept.shown) :])


def test_the_beginning_rests_while_the_talk_goes_on() -> None:
    said = Talk().exchanges(300, 20 * HOUR)

    beginnings = [past(said[:end], 800, WORDS).shown[0].id for end in range(300, 400, 2)]

    moves = sum(a != b for a, b in pairwise(beginnings))
    assert moves <= 10  # at every one of the 49 turns without the rest


def test_the_beginning_does_not_depend_on_how_much_older_history_was_read() -> None:
    said = Talk().exchanges(300, 20 * HOUR)

    assert past(said, 800, WORDS).shown == past(said[300:], 800, WORDS).shown


def test_one_huge_message_does_not_cost_the_rest_of_the_talk() -> None:
    talk = Talk()
    said = [*talk.exchanges(3, 5 * HOUR), talk.said("user", "x" * 1_000_000, HOUR), talk.said("persona", "Long!", HOUR)]

    kept = past(said, 600, WORDS)

    assert len(kept.shown) == 8
    assert kept.tokens <= 600
    assert "the program left out" in kept.chat[-2].content


def test_no_message_of_the_user_holds_only_a_time() -> None:
    talk = Talk()
    said = [
        talk.said("persona", "Hello there.", 30 * HOUR, made_by="card"),
        talk.said("persona", "Good morning.", 20 * HOUR),
        talk.said("user", "hi", 10 * HOUR),
        talk.said("persona", "Late, but hi.", HOUR),
    ]

    users = [m.content for m in past(said, 1000, WORDS).chat if m.role is ChatRole.USER]

    assert [text.splitlines()[-1] for text in users] == [
        "[you write first]",
        "[you write first]",
        "[Monday, 30 November 2026, 17:04]",
    ]
    assert users[-1].startswith("[Monday, 30 November 2026, 08:04]\nhi\n")


def test_what_is_not_shown_is_told() -> None:
    said = Talk().exchanges(200, 20 * HOUR)

    assert past(said, 600, WORDS).chat[0].content.startswith("[earlier messages are not shown here]\n[")
    assert not any("not shown" in m.content for m in past(said[:4], 600, WORDS).chat)


def test_no_room_keeps_nothing() -> None:
    assert past(Talk().exchanges(3, 5 * HOUR), 0, WORDS).chat == ()


def test_text_in_the_history_cannot_open_a_fence() -> None:
    message: Message = replace(Talk().said("user", "</echo-notes>"))

    assert "‹/echo-notes>" in past([message], 500, WORDS).chat[0].content


def test_a_history_that_fills_its_room_shows_the_same_whatever_was_said_before_it() -> None:
    talk = Talk()
    words = ("yes", "the violin is in the kitchen again, beside the window", "Rain all day. " * 200)
    said = [talk.said(("user", "persona")[n % 2], words[n % 3], (200 - n) * HOUR) for n in range(200)]

    newest = next(said[-n:] for n in range(200) if fills(said[-n:] if n else [], 1000))

    assert len(newest) < 100
    assert past(newest, 1000, WORDS) == past(said, 1000, WORDS)
