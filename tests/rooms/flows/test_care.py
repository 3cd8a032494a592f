import time
from pathlib import Path

import pytest

from echovessel.core.text import Script, script
from echovessel.flows.care import care_text, check, owns_up

LINES = Path(__file__).parents[2] / "data" / "care"


def _lines(name: str) -> list[str]:
    return [line for line in (LINES / f"{name}.txt").read_text(encoding="utf-8").splitlines() if line]


@pytest.mark.parametrize("line", [*_lines("crisis.zh"), *_lines("crisis.en")])
def test_words_of_despair_or_danger_are_noticed(line: str) -> None:
    assert check([line]).crisis


@pytest.mark.parametrize("line", [*_lines("calm.zh"), *_lines("calm.en")])
def test_idioms_stories_and_everyday_trouble_are_no_crisis(line: str) -> None:
    assert not check([line]).crisis


def test_what_is_known_to_go_wrong_stands_in_the_reference() -> None:
    missed = [line for language in ("zh", "en") for line in _lines(f"missed.{language}")]
    false_alarms = [line for language in ("zh", "en") for line in _lines(f"false-alarms.{language}")]

    assert [line for line in missed if check([line]).crisis] == []
    assert [line for line in false_alarms if not check([line]).crisis] == []
    reference = (Path(__file__).parents[3] / "docs" / "reference" / "care.md").read_text(encoding="utf-8")
    assert [line for line in [*missed, *false_alarms] if line not in reference] == []


def test_one_message_of_a_burst_is_enough() -> None:
    assert check(["在吗", "我真的", "我不想活了"]).crisis
    assert check(["hey", "sorry to bother you", "I want to die"]).crisis


@pytest.mark.parametrize("burst", [("我想", "死"), ("i want", "to die"), ("我", "不想", "活了")])
def test_a_sentence_may_be_sent_in_pieces(burst: tuple[str, ...]) -> None:
    assert check(burst).crisis
    assert not check(["我想", "吃死面饼"]).crisis
    assert not check(["我想" + "你" * 60, "死"]).crisis


@pytest.mark.parametrize("text", ["割腕了", "我站在天台上了", "我买好了安眠药", "我爬上窗台了"])
def test_what_is_done_already_is_noticed(text: str) -> None:
    assert check([text]).crisis


@pytest.mark.parametrize("text", ["ur an ai right", "you're a bot, right?", "ok so you are an AI, aren't you"])
def test_a_question_needs_no_question_mark(text: str) -> None:
    assert check([text]).asks_if_ai


def test_mixed_and_spaced_writing_is_noticed() -> None:
    assert check(["我真的want to die"]).crisis
    assert check(["我 不 想 活 了"]).crisis
    assert check(["你是 AI 吗"]).asks_if_ai
    assert owns_up("我是 AI 呀", "zh") is None


def test_a_quotation_is_somebody_elses_unless_nobody_is_quoted() -> None:
    assert not check(["电影里那句台词“我不想活了”让我哭了"]).crisis
    assert not check(['the lyrics go "I want to die" in every chorus']).crisis
    assert check(["“我不想活了”"]).crisis


def test_a_denial_that_comes_with_despair_counts() -> None:
    assert check(["我没有想自杀，但我真的撑不下去了"]).crisis
    assert check(["I'm not going to kill myself but I can't go on"]).crisis


@pytest.mark.parametrize("line", _lines("asks"))
def test_a_sincere_question_is_noticed(line: str) -> None:
    assert check([line]).asks_if_ai


@pytest.mark.parametrize("line", _lines("asks-not"))
def test_talk_about_machines_and_people_is_no_such_question(line: str) -> None:
    assert not check([line]).asks_if_ai


@pytest.mark.parametrize("reply", _lines("owning-up-needed"))
def test_a_reply_that_denies_or_evades_gets_an_honest_sentence(reply: str) -> None:
    honest = owns_up(reply, "en")

    assert honest is not None
    assert "AI" in honest
    assert (script(honest) is Script.HAN) == (script(reply) is Script.HAN)


@pytest.mark.parametrize("reply", _lines("owned-up"))
def test_a_reply_that_owns_up_is_left_alone(reply: str) -> None:
    assert owns_up(reply, "zh") is None


def test_the_sentence_itself_owns_up() -> None:
    for reply in ("我当然是真人", "I'm a real person"):
        assert owns_up(owns_up(reply, "en") or "", "en") is None


@pytest.mark.parametrize(
    ("text", "locale", "number"),
    [
        ("我不想活了", "en", "12356"),
        ("I want to die", "zh", "988"),
        ("💔", "zh-CN", "12356"),
        ("💔", "fr", "116 123"),
    ],
)
def test_help_is_named_in_the_language_of_the_one_who_needs_it(text: str, locale: str, number: str) -> None:
    said = care_text([text], locale)

    assert number in said
    assert all(word in said for word in ("findahelpline.com", "112", "988"))
    assert (script(said) is Script.HAN) == (script(text) is Script.HAN or (locale.startswith("zh") and text == "💔"))


@pytest.mark.parametrize(("text", "locale"), [("我不想活了", "zh"), ("I want to die", "en")])
def test_what_stands_just_above_is_only_pointed_to(text: str, locale: str) -> None:
    full = care_text([text], locale)
    again = care_text([text], locale, said_lately=[full])

    assert len(again.splitlines()) == 1
    assert "112" in again
    assert care_text([text], locale, said_lately=[again]) == full
    assert care_text(["I want to die" if locale == "zh" else "我不想活了"], locale, said_lately=[full]) not in {
        full,
        again,
    }


@pytest.mark.parametrize(
    "hostile", ["想", "我 ", "he ", "are you an ", "“", "《", "tell me if ", "not ", "he hit him and "]
)
def test_no_text_makes_it_slow(hostile: str) -> None:
    began = time.process_time()

    check([hostile * (100_000 // len(hostile))])
    owns_up(hostile * (5_000 // len(hostile)), "zh")

    assert time.process_time() - began < 3
