"""A model folder behind the engine's protocol, with a real ONNX model of some thousand words."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from echovessel.adapters.embed.onnx_engine import OnnxEngine
from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind
from tests.support.embedders import embedder_settings
from tests.support.onnx import onnx_folder

TOMATOES = "I planted tomatoes on the balcony."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return onnx_folder(tmp_path / "words", TOMATOES)


def engine_of(folder: Path, **settings: object) -> OnnxEngine:
    return OnnxEngine(embedder_settings(folder=str(folder), **settings))


def test_texts_become_the_mean_of_their_words_whatever_stands_beside_them(folder: Path) -> None:
    engine = engine_of(folder)
    engine.load()

    together = engine.embed([TOMATOES, "the balcony", ""], Kind.PASSAGE)
    alone = engine.embed([TOMATOES], Kind.PASSAGE)

    assert engine.dimension == 64
    assert together.shape == (3, 64)
    assert np.allclose(together[0], alone[0], atol=1e-5)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert engine.count("the balcony", Kind.PASSAGE) == 2


def test_a_prefix_of_the_folder_is_used_and_one_of_the_settings_wins(folder: Path) -> None:
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": {"query": "train "}}))
    told, set_by_owner = engine_of(folder), engine_of(folder, query_prefix="late ")
    for engine in (told, set_by_owner):
        engine.load()

    assert np.allclose(told.embed(["balcony"], Kind.QUERY), told.embed(["train balcony"], Kind.PASSAGE))
    assert np.allclose(set_by_owner.embed(["balcony"], Kind.QUERY), told.embed(["late balcony"], Kind.PASSAGE))
    assert told.name != set_by_owner.name


@pytest.mark.parametrize("pooling", ["cls_token", "lasttoken"])
def test_the_first_or_the_last_token_alone(folder: Path, pooling: str) -> None:
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({f"pooling_mode_{pooling}": True}))
    engine = engine_of(folder)
    engine.load()

    word = {"cls_token": "the", "lasttoken": "balcony"}[pooling]
    both = engine.embed(["the balcony", "the balcony the balcony"], Kind.PASSAGE)
    assert np.allclose(both, engine.embed([word, word], Kind.PASSAGE), atol=1e-5)


def test_a_model_that_is_none_and_a_spoilt_tokenizer_are_named(folder: Path) -> None:
    (folder / "onnx" / "model.onnx").write_bytes(b"This is no model.")
    with pytest.raises(EmbedderDown, match="no ONNX model"):
        engine_of(folder).load()

    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(EmbedderDown, match=r"tokenizer\.json"):
        engine_of(folder).load()


def test_a_folder_that_is_exchanged_while_we_run_is_not_mixed_up(folder: Path) -> None:
    engine = engine_of(folder)
    (folder / "tokenizer.json").write_text((folder / "tokenizer.json").read_text() + " ")

    with pytest.raises(EmbedderDown, match="another one than at the start"):
        engine.load()


@pytest.mark.parametrize("package", ["tokenizers", "onnxruntime"])
def test_without_the_extra_it_says_what_to_install(folder: Path, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(EmbedderDown) as down:
        engine_of(folder).load()

    assert package in down.value.message
    assert 'pip install "echovessel[onnx]"' in down.value.do
