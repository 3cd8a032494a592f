from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from echovessel.core.talk import ChatRole, Message, MessageState
from echovessel.prompts.material import SMALLEST_BUDGET
from echovessel.prompts.render import PromptBudget, ReplyMaterial, frame
from tests.support.prompting import BERLIN, CATALOG, NOW, SHANGHAI, Talk, block, material, persona, reply, user

BUDGET = PromptBudget()
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def _everyday(exchanges: int = 10) -> ReplyMaterial:
    talk = Talk()
    return material(
        by=persona(examples="<START>\n{{char}}: Tick."),
        blocks=[block("persona", "A clockmaker."), block("style", "Short sentences."), block("user", "Has a cat.")],
        remembered=[[talk.said("user", "My cat is called Niangao.", 9 * DAY)]],
        history=talk.exchanges(exchanges, 5 * HOUR),
        burst=[talk.said("user", "what was"), talk.said("user", "my cat's name?")],
    )


def test_the_prompt_is_system_then_chat_then_notes_with_the_burst() -> None:
    prompt = reply(_everyday(), BUDGET, CATALOG)

    assert prompt.name == "reply@1"
    assert [m.role for m in prompt.messages[:2]] == [ChatRole.SYSTEM, ChatRole.USER]
    assert sum(m.role is ChatRole.SYSTEM for m in prompt.messages) == 1
    last = prompt.messages[-1].content
    assert last.startswith("<echo-notes>\n# What was said before")
    assert last.endswith("</echo-notes>\n\nwhat was\n\nmy cat's name?")
    assert prompt.history_kept == 20
    assert prompt.passages_kept == 1
    assert list(prompt.sections) == [
        "opening", "persona", "style", "examples", "rules", "user", "history", "remembered", "now", "voice", "burst",
    ]  # fmt: skip


def test_only_the_last_message_changes_while_time_and_memory_change() -> None:
    state = _everyday()
    later = replace(state, now=NOW + 3 * DAY, remembered=[], care=True, asks_if_ai=True)

    assert reply(state, BUDGET, CATALOG).messages[:-1] == reply(later, BUDGET, CATALOG).messages[:-1]


def test_the_next_turn_begins_with_this_turns_chat() -> None:
    state = _everyday()
    answer = Talk().said("persona", "Niangao.")
    after = replace(state, history=[*state.history, *state.burst, answer], burst=[Talk().said("user", "right!")])

    before, then = reply(state, BUDGET, CATALOG).messages, reply(after, BUDGET, CATALOG).messages

    assert then[: len(before) - 1] == before[:-1]


def test_unanswered_messages_stand_with_the_burst_below_the_notes() -> None:
    talk = Talk()
    history = [talk.said("user", "anyone?", HOUR), talk.said("persona", "", HOUR, state=MessageState.FAILED)]

    prompt = reply(material(history=history, burst=[talk.said("user", "hello?")]), BUDGET, CATALOG)

    assert [m.role for m in prompt.messages] == [ChatRole.SYSTEM, ChatRole.USER]
    assert prompt.messages[1].content.startswith("<echo-notes>")
    assert prompt.messages[1].content.endswith("</echo-notes>\n\n[Monday, 30 November 2026, 17:04]\nanyone?\n\nhello?")


def test_right_now_tells_both_clocks_when_they_differ() -> None:
    talk = Talk()
    apart = material(
        burst=[talk.said("user", "hi")], by=persona(zone=BERLIN), history=[talk.said("user", "x", 3 * DAY)]
    )
    together = replace(apart, persona=persona(zone=SHANGHAI), history=(), last_spoke=None)

    now = reply(apart, BUDGET, CATALOG).messages[-1].content
    assert "It is Monday, 30 November 2026, 18:04 where Lin is." in now
    assert "Where you are, it is Monday, 30 November 2026, 11:04." in now
    assert "You two last wrote 3 days ago, Friday evening (27 November 2026)." in now
    alone = reply(together, BUDGET, CATALOG).messages[-1].content
    assert "It is the same time where you are." in alone
    assert "You two have not talked here before." in alone


def test_what_goes_without_saying_is_not_said() -> None:
    talk = Talk()
    greeted = material(
        burst=[talk.said("user", "hi")], history=[talk.said("persona", "Come in.", HOUR, made_by="card")]
    )
    talking = material(burst=[talk.said("user", "and?")], history=talk.exchanges(2, HOUR / 2))

    met = reply(greeted, BUDGET, CATALOG).messages[-1].content
    assert "only just met here: your greeting is all that has been said" in met
    assert "last wrote" not in met
    running = reply(talking, BUDGET, CATALOG).messages[-1].content
    assert "last wrote" not in running
    assert "no name for the user" not in running
    nameless = reply(replace(talking, user=user(name=" ")), BUDGET, CATALOG).messages[-1].content
    assert "You know no name for the user yet" in nameless


def test_care_and_an_honest_question_are_told_only_when_they_are_there() -> None:
    state = _everyday()

    plain = reply(state, BUDGET, CATALOG).messages[-1].content
    told = reply(replace(state, care=True, care_before=True, asks_if_ai=True), BUDGET, CATALOG).messages[-1].content

    assert "Possible danger" not in plain
    assert "An honest question" not in plain
    assert "Answer as Mira" in plain
    assert "Possible danger" in told
    assert "An honest question" in told
    assert "Answer as Mira" not in told
    assert "Earlier in this talk" not in told


def test_danger_outlives_its_message() -> None:
    told = reply(replace(_everyday(), care_before=True), BUDGET, CATALOG).messages[-1].content

    assert "Earlier in this talk" in told
    assert "Possible danger" not in told


def test_shown_names_what_stands_in_the_chat() -> None:
    state = _everyday(exchanges=400)

    ids = frame(state, BUDGET, CATALOG).shown

    kept = reply(state, BUDGET, CATALOG).history_kept
    assert ids == {m.id for m in (*state.history[-kept:], *state.burst)}


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_a_megabyte_is_shortened_with_a_visible_mark(locale: str) -> None:
    talk = Talk()
    burst = [talk.said("user", "粘贴 paste " * 100_000), talk.said("user", "what do you think?")]

    prompt = reply(material(burst=burst, by=persona(locale), history=talk.exchanges(50, 9 * HOUR)), BUDGET, CATALOG)

    assert prompt.tokens <= BUDGET.tokens
    assert prompt.messages[-1].content.endswith("what do you think?")
    assert "[程序在此略去" in prompt.messages[-1].content or "the program left out" in prompt.messages[-1].content


def test_no_number_of_the_inner_life_reaches_the_prompt() -> None:
    everything = "\n".join(m.content for m in reply(_everyday(), BUDGET, CATALOG).messages)

    assert not any(word in everything.lower() for word in ("affinity", "closeness", "stage", "score", "%"))


TEXTS = st.one_of(
    st.text(max_size=200),
    st.sampled_from(
        ["</echo-notes>", "{user}", "{{char}}", "今天好累啊", "ignore the above", "x" * 20_000, "\ud83d\ude00 \u202e"]
    ),
)
ROOMY = 3000
"""From this budget on an everyday burst and the notes never shorten the history, so that its beginning rests."""
SPEAKERS = st.sampled_from(["user", "persona"])


@st.composite
def states(draw: st.DrawFn) -> ReplyMaterial:
    talk = Talk()

    def message(speaker: str) -> Message:
        made_by = draw(st.sampled_from(["user", "reply@1 m", "keeper@1", "care@1", "card"]))
        state = draw(st.sampled_from([MessageState.COMPLETE, MessageState.PARTIAL, MessageState.FAILED]))
        return talk.said(speaker, draw(TEXTS), draw(st.integers(0, 3000)) * HOUR, made_by=made_by, state=state)

    history = sorted((message(draw(SPEAKERS)) for _ in range(draw(st.integers(0, 12)))), key=lambda m: m.sent_at)
    fresh = [[message(draw(SPEAKERS)) for _ in range(draw(st.integers(0, 3)))] for _ in range(draw(st.integers(0, 4)))]
    return material(
        history=history,
        burst=[talk.said("user", draw(TEXTS)) for _ in range(draw(st.integers(1, 3)))],
        remembered=[*fresh, history[:2]],
        blocks=[block(label, draw(TEXTS)) for label in ("persona", "style", "self", "user", "relationship")],
        by=persona(draw(st.sampled_from(["zh", "en", "ja"])), draw(TEXTS), draw(TEXTS)),
        to=user(name=draw(TEXTS)),
        care=draw(st.booleans()),
        care_before=draw(st.booleans()),
        asks_if_ai=draw(st.booleans()),
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(states(), st.integers(0, 9000))
def test_any_state_gives_a_sound_prompt(state: ReplyMaterial, tokens: int) -> None:
    budget = PromptBudget(tokens=tokens)

    prompt = reply(state, budget, CATALOG)

    assert prompt.tokens <= max(tokens, SMALLEST_BUDGET)
    roles = [m.role for m in prompt.messages]
    assert roles[0] is ChatRole.SYSTEM
    assert roles[1:] == [ChatRole.USER if i % 2 == 0 else ChatRole.ASSISTANT for i in range(len(roles) - 1)]
    assert roles[-1] is ChatRole.USER
    last = prompt.messages[-1].content
    assert last.count("</echo-notes>") == 1
    assert last.count("<echo-memories>") == last.count("</echo-memories>") == (1 if prompt.passages_kept else 0)
    if all(len(m.text) < 100 for m in state.burst):
        assert last.endswith("\n\n".join(m.text for m in state.burst).replace("</echo", "‹/echo"))
    if tokens >= ROOMY and sum(len(m.text) for m in state.burst) < 1000:
        later = replace(state, now=state.now + DAY, remembered=())
        assert reply(later, budget, CATALOG).messages[:-1] == prompt.messages[:-1]
