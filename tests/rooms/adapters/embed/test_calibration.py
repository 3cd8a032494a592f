"""Each language's mean is taken out, and a calibration can be kept."""

from pathlib import Path

import numpy as np
import pytest

from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.manner import Manner
from echovessel.core.language import Language

EXAMPLE = Calibration(
    {Language.ZH: np.array([1, 0], np.float32), Language.EN: np.array([0, 1], np.float32)},
    lo=0.1,
    hi=0.6,
    manner=Manner(np.array([[1, 0]], np.float32), np.array([[0, 1], [0, -1]], np.float32)),
)


def test_the_language_of_the_text_says_which_mean_is_taken_out() -> None:
    raw = np.array([[1, 1], [1, 1], [1, 1], [1, 1]], np.float32)

    centred = EXAMPLE.centre(raw, ["你好", "hello", "привет", "¿Dónde está la llave?"])

    between = pytest.approx([0.5**0.5, 0.5**0.5])
    assert centred.tolist() == [[0, 1], [1, 0], between, between]


def test_nothing_said_and_nothing_left_are_zero() -> None:
    raw = np.array([[1, 1], [1, 0]], np.float32)

    assert not EXAMPLE.centre(raw, ["", "你好"]).any()


def test_a_text_that_could_not_be_embedded_is_like_nothing() -> None:
    assert not EXAMPLE.centre(np.zeros((2, 2), np.float32), ["hello", "你好"]).any()


def test_similarity_runs_from_lo_to_hi() -> None:
    cosines = np.array([-1, 0.1, 0.35, 0.6, 1], np.float32)

    assert EXAMPLE.relevance(cosines).tolist() == pytest.approx([0, 0, 0.5, 1, 1])


def test_what_is_kept_is_what_is_loaded(tmp_path: Path) -> None:
    EXAMPLE.save(tmp_path / "kept.npz")

    loaded = Calibration.load(tmp_path / "kept.npz")

    assert {each: mean.tolist() for each, mean in loaded.means.items()} == {"zh": [1, 0], "en": [0, 1]}
    assert (loaded.lo, loaded.hi, loaded.dimension) == (0.1, 0.6, 2)
    assert loaded.manner.ours.tolist() == [[1, 0]]
    assert loaded.manner.anyone.tolist() == [[0, 1], [0, -1]]


def test_similarities_say_what_a_question_sounds_like() -> None:
    ours, anyone = EXAMPLE.personal(np.array([[1, 0], [0, 1]], np.float32))

    assert ours > 0 > anyone


@pytest.mark.parametrize("other", ["zh", "?"])
def test_a_file_without_means_of_one_length_is_refused(tmp_path: Path, other: str) -> None:
    named = {other: np.zeros(3), "en" if other == "zh" else "!": np.zeros(2)}
    np.savez(tmp_path / "kept.npz", lo=np.zeros(()), hi=np.ones(()), allow_pickle=False, **named)

    with pytest.raises(ValueError, match="no means"):
        Calibration.load(tmp_path / "kept.npz")
