"""One pair's timeline: in whatever order messages come, the same question gets the same answer."""

from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echovessel.adapters.index.timeline import TOP, Timeline
from echovessel.adapters.index.weights import load_weights
from echovessel.core.ids import MessageId, TextId
from echovessel.core.talk import Speaker
from echovessel.memory.question import ask
from echovessel.memory.recall import Candidates, rank
from echovessel.memory.scoring import Factor, total
from echovessel.ports.embedder import Kind
from echovessel.ports.index import Query
from echovessel.ports.records import IndexRow
from echovessel.testing.clock import START
from echovessel.testing.hash_embedder import HashEmbedder

EMBEDDER = HashEmbedder()
WORDS = ("violin", "lesson", "the", "猫", "审批", "流程", "rain", "bridge", "😂")


def said(
    number: int,
    text: str,
    *,
    speaker: Speaker = Speaker.USER,
    at: datetime | None = None,
    wording: str = "a",
    vector: bool = False,
) -> IndexRow:
    raw = EMBEDDER.raw([text])[0].tobytes() if vector else None
    return IndexRow(
        message_id=MessageId(f"M{number:03}"),
        text_id=TextId(f"T{number:03}{wording}"),
        speaker=speaker,
        sent_at=at or START + timedelta(minutes=number),
        text=text,
        vector=raw,
    )


def timeline(*rows: IndexRow) -> Timeline:
    held = Timeline(EMBEDDER, load_weights())
    held.put(rows)
    return held


def ask_for(text: str, *, vector: bool = False, exclude: tuple[str, ...] = (), at: datetime | None = None) -> Query:
    asked = ask(text, user_name="", persona_name="", asked_at=at)
    return Query(
        asked=asked,
        vector=EMBEDDER.raw([asked.text])[0] if vector else None,
        exclude=frozenset(MessageId(each) for each in exclude),
    )


def hits(found: Candidates) -> list[str]:
    return [message_id for message_id, _, _ in rank(found)]


def test_a_message_is_found_by_keyword_at_once_and_by_vector_when_it_comes() -> None:
    held = timeline(said(1, "My violin lesson is on Friday"), said(90, "nothing else"))

    by_word = held.candidates(ask_for("violin", vector=True))
    held.put([said(1, "My violin lesson is on Friday", vector=True)])
    by_both = held.candidates(ask_for("violin", vector=True))

    assert hits(by_word) == hits(by_both) == ["M001"]
    assert by_word.similarity[0] == 0 < by_both.similarity[0]
    assert len(held) == 2
    assert held.wasted == 0


def test_an_edited_message_is_found_by_its_new_words_in_its_old_place() -> None:
    held = timeline(said(1, "one"), said(2, "the trombone broke"), said(3, "three"))

    held.put([said(2, "the violin broke", wording="b")])

    assert hits(held.candidates(ask_for("trombone"))) == []
    [first, *_] = rank(held.candidates(ask_for("violin")))
    found = held.candidates(ask_for("violin"))
    at = found.ids.index(first[0])
    assert first[0] == "M002"
    assert [n.message_id for n in found.before[at]] == ["M001"]
    assert [n.message_id for n in found.after[at]] == ["M003"]
    assert held.wasted == 1


def test_a_deleted_message_is_gone_and_nobodys_neighbour() -> None:
    held = timeline(said(1, "one"), said(2, "the violin broke"), said(3, "my violin too"))

    held.drop([MessageId("M002"), MessageId("unknown")])
    found = held.candidates(ask_for("violin"))

    assert "M002" not in found.ids
    assert [n.message_id for n in found.before[found.ids.index(MessageId("M003"))]] == ["M001"]
    assert len(held) == 2


def test_what_the_prompt_shows_is_no_candidate_and_no_neighbour() -> None:
    held = timeline(said(1, "my violin"), said(2, "a violin?"), said(3, "the violin lesson"), said(4, "and so on"))

    found = held.candidates(ask_for("violin", exclude=("M002",)))

    assert set(found.ids) >= {"M001", "M003"}
    assert "M002" not in found.ids
    assert found.before[found.ids.index(MessageId("M003"))] == ()


def test_neighbours_do_not_reach_into_another_session() -> None:
    held = timeline(said(1, "good night"), said(200, "my violin"), said(201, "nice"), said(202, "yes"), said(203, "ok"))

    found = held.candidates(ask_for("violin"))
    at = found.ids.index(MessageId("M200"))

    assert found.before[at] == ()
    assert [n.message_id for n in found.after[at]] == ["M201", "M202"]


def test_i_means_the_users_own_words() -> None:
    held = timeline(said(1, "violin lesson on Friday", speaker=Speaker.PERSONA), said(100, "violin lesson on Friday"))

    assert hits(held.candidates(ask_for("When is my violin lesson?")))[0] == "M100"


@pytest.mark.parametrize(
    "text",
    ["", " ", "猫", "x", "😂" * 50, '" OR NEAR( *', "a\x00b", "\ud800", "词" * 100_000, "的", "'"],
    ids=lambda text: f"{len(text)}-characters",
)
def test_any_question_is_answered_or_finds_nothing(text: str) -> None:
    held = timeline(said(1, "我的猫叫芝麻", vector=True), said(2, "😂"), said(3, ""))

    found = held.candidates(ask_for(text, vector=True))

    assert np.isfinite(total(found.factors)).all()
    assert len(found.ids) <= 3


def test_an_empty_timeline_has_no_candidates() -> None:
    assert timeline().candidates(ask_for("violin", vector=True)).ids == ()


def test_without_an_embedder_keywords_still_find() -> None:
    held = Timeline(None, load_weights())
    held.put([said(1, "my violin", vector=True)])

    assert hits(held.candidates(ask_for("violin", vector=True))) == ["M001"]


def test_the_signs_are_of_all_that_may_come_up() -> None:
    held = timeline(said(1, "my violin lesson", vector=True), said(2, "rain", vector=True), said(3, "the bridge"))

    whole = held.candidates(ask_for("violin lesson", vector=True)).signs
    barred = held.candidates(ask_for("violin lesson", vector=True, exclude=("M001",))).signs
    unheard = held.candidates(ask_for("violin lesson")).signs

    assert (whole.size, whole.heard, whole.length) == (3, True, 4)
    assert whole.similarity > 0.5 < whole.coverage
    assert barred.size == 2
    assert barred.similarity < 0.5 > barred.coverage
    assert (unheard.heard, unheard.similarity, unheard.personal) == (False, 0, 0)


def test_a_name_finds_what_was_said_of_the_relation_and_the_other_way_round() -> None:
    told = said(1, "我妹妹小雨搬家了")
    held = timeline(told, said(2, "my sister hates cilantro"), said(3, "小雨养了一只鹦鹉"), said(4, "今天下雨了"))

    assert best(held, "小雨 birthday")[0] in {"M001", "M003"}
    assert "M002" in best(held, "小雨 birthday")
    assert "M003" in best(held, "my sister")

    held.drop([told.message_id])
    assert "M002" not in best(held, "小雨 birthday")


def test_a_relation_is_one_thing_in_both_languages() -> None:
    held = timeline(said(1, "我妈不吃香菜"), said(2, "今天下雨了"))

    assert best(held, "what about mum")[:1] == ["M001"]


def best(held: Timeline, text: str) -> list[str]:
    """What the words find, best first."""
    found = held.candidates(ask_for(text))
    by_words = dict(zip(found.ids, found.factors[Factor.KEYWORD].tolist(), strict=True))
    return [message_id for message_id, _, _ in rank(found) if by_words[message_id] > 0]


def test_no_more_than_the_best_are_candidates() -> None:
    held = timeline(*(said(number, f"violin {'x ' * (number % 40)}") for number in range(200)))

    assert len(held.candidates(ask_for("violin")).ids) == TOP


DAY = 24 * 60


def test_when_a_time_is_asked_for_what_names_one_comes_first() -> None:
    held = timeline(said(1, "the violin lesson was lovely"), said(500, "the violin lesson is on 12 March at ten"))

    assert hits(held.candidates(ask_for("violin lesson")))[0] == "M001"
    assert hits(held.candidates(ask_for("when is the violin lesson?")))[0] == "M500"


def test_what_was_said_at_the_time_asked_about_comes_first() -> None:
    rows = [said(number * DAY, "went to the market") for number in range(20)]

    found = timeline(*rows).candidates(ask_for("market yesterday?", at=START + timedelta(days=8, minutes=5)))

    assert hits(found)[0] == f"M{7 * DAY:03}"


def test_what_tells_of_the_time_asked_about_comes_first() -> None:
    held = timeline(
        said(15 * DAY, "the market was open"),
        said(9 * DAY, "the market was closed a week ago"),
        said(12 * DAY, "the market again"),
    )
    late = START + timedelta(days=20)

    [first, *_] = rank(held.candidates(ask_for(f"the market on {START + timedelta(days=2):%-d %B}?", at=late)))

    assert first[0] == f"M{9 * DAY}"
    assert first[2]["tells_of_then"] > 0


def test_a_message_asked_in_its_own_words_is_first_among_many_alike_wherever_it_stands() -> None:
    rows = [said(number, f"今天记下第 r3w{number}n5 件小事", vector=True) for number in range(60)]
    held = timeline(*rows)

    for number in (0, 30, 59):
        asked = ask_for(f"今天记下第 r3w{number}n5 件小事", vector=True)
        assert hits(held.candidates(asked))[0] == f"M{number:03}"


@pytest.mark.parametrize(
    "same",
    ["我的貓叫芝麻，牠三歲了", "我的猫叫芝麻，它三岁了😂", "我的猫叫芝麻  它三岁了", "Ｍy cat 芝麻", "MY CAT 芝麻"],
)
def test_spelling_script_width_and_case_do_not_change_what_is_found(same: str) -> None:
    held = timeline(said(1, "我的猫叫芝麻，它三岁了"), said(500, "my cat 芝麻"), said(1000, "审批流程要走三天"))

    first = hits(held.candidates(ask_for(same)))[0]

    assert first == ("M500" if "c" in same.lower() else "M001")


def test_composed_and_decomposed_letters_are_the_same() -> None:
    held = timeline(said(1, "we met at the caf\u00e9"), said(500, "we met at the station"))

    one, other = (rank(held.candidates(ask_for(f"caf{e}?"))) for e in ("\u00e9", "e\u0301"))

    assert one == other
    assert one[0][0] == "M001"


def test_a_hundred_thousand_letters_are_answered_soon() -> None:
    held = timeline(*(said(number, f"violin {number}") for number in range(300)))

    assert hits(held.candidates(ask_for("violin 7 " + "nonsense words without end " * 3700)))[0] == "M007"


def test_every_message_is_measured_with_weights_of_one() -> None:
    held = timeline(said(2, "my violin is broken"), said(1, "when is the lesson?"), said(3, "tomorrow"))

    ids, factors = held.measured(ask_for("when is my violin lesson?"))

    assert ids == ["M001", "M002", "M003"]
    assert set(factors) == set(Factor)
    assert factors[Factor.QUESTION].tolist() == [1, 0, 0]
    assert factors[Factor.DATED].tolist() == [0, 0, 1]


UNRELATED = ("rain", "bridge", "😂", "审批", "流程")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(UNRELATED), max_size=5), min_size=1, max_size=20),
    st.integers(0, 20),
    st.sampled_from(UNRELATED),
)
def test_one_more_unrelated_memory_pushes_a_right_one_down_by_one_at_most(
    log: list[list[str]], place: int, word: str
) -> None:
    rows = [said(number * 45, " ".join(words), vector=True) for number, words in enumerate(log)]
    right = said(len(log) * 45, "violin lesson with 猫", vector=True)
    more = said(place * 45 + 20_000, word, vector=True)
    query = ask_for("violin 猫", vector=True)

    before = hits(timeline(*rows, right).candidates(query)).index(right.message_id)
    after = hits(timeline(*rows, right, more).candidates(query)).index(right.message_id)

    assert after <= before + 1


LOGS = st.lists(st.lists(st.sampled_from(WORDS), max_size=5), min_size=1, max_size=15)


@settings(max_examples=40, deadline=None)
@given(LOGS, st.randoms(use_true_random=False), st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))
def test_the_order_in_which_messages_come_means_nothing(log: list[list[str]], dice: object, asked: list[str]) -> None:
    rows = [said(number * 17, " ".join(words), vector=number % 3 > 0) for number, words in enumerate(log)]
    shuffled = list(rows)
    dice.shuffle(shuffled)  # pyright: ignore[reportAttributeAccessIssue]
    query = ask_for(" ".join(asked), vector=True)

    told, scattered = timeline(*rows).candidates(query), timeline(*shuffled).candidates(query)

    assert {i: (told.before[at], told.after[at]) for at, i in enumerate(told.ids)} == {
        i: (scattered.before[at], scattered.after[at]) for at, i in enumerate(scattered.ids)
    }
    ours, theirs = {i: s for i, s, _ in rank(told)}, {i: s for i, s, _ in rank(scattered)}
    assert ours == pytest.approx(theirs, abs=1e-4)


@settings(max_examples=25, deadline=None)
@given(LOGS, st.lists(st.tuples(st.integers(0, 14), st.sampled_from([*WORDS, None])), max_size=8))
def test_following_changes_ends_where_building_anew_would(
    log: list[list[str]], changes: list[tuple[int, str | None]]
) -> None:
    texts: dict[int, tuple[str, str] | None] = {number: (" ".join(words), "a") for number, words in enumerate(log)}
    followed = timeline(*(said(number, text, wording=w) for number, (text, w) in texts.items()))  # pyright: ignore[reportGeneralTypeIssues]
    for step, (number, word) in enumerate(changes):
        if texts.get(number % len(log)) is None:
            continue
        texts[number % len(log)] = (word, f"b{step}") if word else None
        if word:
            followed.put([said(number % len(log), word, wording=f"b{step}")])
        else:
            followed.drop([said(number % len(log), "").message_id])

    built = timeline(*(said(number, now[0], wording=now[1]) for number, now in texts.items() if now))

    query = ask_for("violin 猫 rain")
    one, other = followed.candidates(query), built.candidates(query)
    assert set(one.ids) == set(other.ids)
    assert {i: one.before[at] for at, i in enumerate(one.ids)} == {
        i: other.before[at] for at, i in enumerate(other.ids)
    }


async def test_the_stored_bytes_are_what_the_embedder_gave() -> None:
    [vector] = await EMBEDDER.embed(["violin"], Kind.PASSAGE)

    assert said(1, "violin", vector=True).vector == vector.tobytes()
