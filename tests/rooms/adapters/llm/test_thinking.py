from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.adapters.llm.thinking import ThinkFilter


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
