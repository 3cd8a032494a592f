"""The shipped weights are all there, and a damaged file says what is wrong with it."""

from pathlib import Path

import pytest

from echovessel.adapters.index.weights import FILE, load_weights
from echovessel.memory.scoring import Factor


def test_every_factor_has_its_weight() -> None:
    assert set(load_weights()) == set(Factor)


def test_only_a_question_counts_against_a_message() -> None:
    assert [name for name, weight in load_weights().items() if weight < 0] == [Factor.QUESTION]


def test_asked_in_its_own_words_a_message_beats_all_that_stands_around_another() -> None:
    weights = load_weights()
    around = [Factor.PASSAGE, Factor.NEIGHBOURS, Factor.NEXT, Factor.SESSION, Factor.ANSWER]

    assert weights[Factor.VERBATIM] > sum(weights[name] for name in around)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[weights]\nkeyword = 1", "vector"),
        (FILE.read_text(encoding="utf-8") + "\nsmell = 1", "smell"),
        ("no toml", "Expected"),
    ],
)
def test_a_damaged_file_says_why(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "weights.toml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(ValueError, match=why):
        load_weights(file)
