from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.adapters.llm.thinking import ThinkFilter, leaves_out_the_opening, shows_its_thinking


def _said(*pieces: str) -> str:
    thinking = ThinkFilter()
    return "".join(thinking.feed(piece) for piece in pieces) + thinking.finish()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Good evening.", "Good evening."),
        ("<think>what now</think>Good evening.", "Good evening."),
        ("\n <think>\n好\n</think>\n\n晚上好。", "晚上好。"),
        ("<think>a</think><think>b</think> Hello", "Hello"),
        ("I use <think> as a word</think>", "I use <think> as a word</think>"),
        ("<thin ice>", "<thin ice>"),
        ("<thought>Plan.</thought>Hello", "Hello"),
        ("<seed:think>a</seed:think>你好", "你好"),
        ("[THINK]a[/THINK]Bonjour", "Bonjour"),
        ("</think>\n\nHello", "Hello"),
        ("<think>a</thought>b</think>c", "c"),
        ("<think>never ends", ""),
        ("<think>only</think>", ""),
        ("<thi", "<thi"),
        ("  \n ", ""),
        ("", ""),
        ("  trailing kept  ", "trailing kept  "),
    ],
)
def test_only_thinking_at_the_start_is_taken_out(answer: str, said: str) -> None:
    assert _said(answer) == said
    assert _said(*answer) == said


@given(
    st.text("<>/think 想\n", max_size=30).filter(lambda t: "</think>" not in t),
    st.text("<>/think 说\n", max_size=30),
    st.lists(st.integers(1, 60), max_size=12),
)
def test_where_the_pieces_are_cut_makes_no_difference(thought: str, speech: str, cuts: list[int]) -> None:
    answer = f"<think>{thought}</think>{speech}"
    edges = [0, *sorted(cuts), len(answer)]
    pieces = [answer[a:b] for a, b in pairwise(edges)]
    assert _said(*pieces) == _said(answer)


@given(st.lists(st.text(max_size=5), max_size=10))
def test_an_answer_without_the_tag_loses_nothing_but_white_space_before_it(pieces: list[str]) -> None:
    whole = "".join(pieces)
    if not whole.lstrip().startswith("<think>"):
        assert _said(*pieces) == whole.lstrip()


def test_speech_is_not_held_back_once_it_began() -> None:
    thinking = ThinkFilter()
    assert thinking.feed("Hel") == "Hel"
    assert thinking.feed("<") == "<"


def _said_unopened(*pieces: str) -> str:
    thinking = ThinkFilter(unopened=True)
    return "".join(thinking.feed(piece) for piece in pieces) + thinking.finish()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Let me see.\n</think>\n\nGood evening.", "Good evening."),
        ("<think>a</think>Good evening.", "Good evening."),
        ("Good evening.", "Good evening."),
        ("嗯，用户在问好。</think>晚上好。", "晚上好。"),
        ("<think>never ends", ""),
        ("a</think>b</think>", "b</think>"),
    ],
)
def test_a_model_that_leaves_out_the_opening_tag_is_held_back_until_the_closing_one(answer: str, said: str) -> None:
    assert _said_unopened(answer) == said
    assert _said_unopened(*answer) == said


def test_where_thinking_comes_apart_nothing_is_held_back() -> None:
    thinking = ThinkFilter(unopened=True)
    assert thinking.thought_apart() == ""
    assert thinking.feed("Good ") == "Good "


@pytest.mark.parametrize(
    "model", ["deepseek-r1:8b", "DeepSeek-R1-0528", "qwq-32b", "Qwen3-30B-A3B-Thinking-2507", "glm-z1-9b"]
)
def test_models_known_to_leave_it_out(model: str) -> None:
    assert leaves_out_the_opening(model)


@pytest.mark.parametrize(
    "model",
    [
        "deepseek-chat",
        "qwen3:8b",
        "llama-3.3-70b",
        "command-r",
        "gpt-5",
        "gemma3r1x",
        "grok-4-fast-non-reasoning",
        "house-nothink",
        "some-no-think",
        "glm-nonthinking",
    ],
)
def test_models_that_are_not_held_back(model: str) -> None:
    assert not leaves_out_the_opening(model)


def test_thinking_that_was_said_is_noticed() -> None:
    assert shows_its_thinking("Let me see. </think> Hello")
    assert not shows_its_thinking("One writes <think> and </think>.")
