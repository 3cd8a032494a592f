"""An embedder of one's own: no questions before it is measured, measured once, and never mixed up with another."""

import asyncio
from pathlib import Path

import numpy as np
import pytest

from echovessel.adapters.embed.kept import KeptCalibration
from echovessel.adapters.embed.measured import MeasuredEmbedder
from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind, Vectors
from echovessel.testing.hash_embedder import HashEmbedder


class Own:
    """A source that can change under its name, and counts what it is given."""

    name = "own"

    def __init__(self, length: int = 256) -> None:
        self.length = length
        self.given = 0
        self.closed = False

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:  # noqa: ARG002 - questions and passages alike
        await asyncio.sleep(0)
        self.given += len(texts)
        return HashEmbedder().raw(texts)[:, : self.length]

    def close(self) -> None:
        self.closed = True


def opened(source: Own, home: Path) -> MeasuredEmbedder:
    return MeasuredEmbedder(source, KeptCalibration(home, source.name))


async def test_it_takes_no_questions_before_it_is_measured(tmp_path: Path) -> None:
    embedder = opened(Own(), tmp_path)

    with pytest.raises(EmbedderDown, match="not calibrated") as down:
        await embedder.embed(["a"], Kind.QUERY)

    assert "reindex" in down.value.do
    assert (embedder.name, embedder.dimension, embedder.calibrated) == ("own@0", 1, False)
    assert not embedder.relevance(np.ones(3, np.float32)).any()
    assert not embedder.centre(np.ones((1, 1), np.float32), ["a"]).any()


async def test_it_is_measured_once_and_that_is_kept(tmp_path: Path) -> None:
    source = Own()
    embedder = opened(source, tmp_path)

    await asyncio.gather(embedder.prepare(), embedder.prepare())
    measured = source.given
    again = opened(source, tmp_path)
    await again.prepare()

    assert source.given == measured
    assert again.calibrated
    assert again.name == embedder.name == "own-256@1"
    assert again.dimension == 256
    texts = ["the cat sat on the mat", "my rent went up again"]
    units = again.centre(await again.embed(texts, Kind.PASSAGE), texts)
    assert again.relevance(units @ units[0]).tolist() == [1, pytest.approx(0, abs=0.4)]


async def test_measured_anew_it_has_another_name(tmp_path: Path) -> None:
    embedder = opened(Own(), tmp_path)
    await embedder.prepare()

    await embedder.prepare(anew=True)

    assert embedder.name == opened(Own(), tmp_path).name == "own-256@2"


async def test_another_model_under_the_same_name_is_noticed_by_the_length_of_its_vectors(tmp_path: Path) -> None:
    source = Own()
    embedder = opened(source, tmp_path)
    await embedder.prepare()

    source.length = 128
    with pytest.raises(EmbedderDown, match="128 numbers; it was calibrated with 256") as down:
        await embedder.embed(["a"], Kind.QUERY)
    assert "--anew" in down.value.do

    await embedder.prepare(anew=True)
    assert (await embedder.embed(["a"], Kind.QUERY)).shape == (1, 128)
    assert embedder.name == "own-128@2"


async def test_a_model_that_gives_one_vector_for_everything_is_refused(tmp_path: Path) -> None:
    class Stuck(Own):
        async def embed(self, texts: list[str], kind: Kind) -> Vectors:  # noqa: ARG002
            return np.full((len(texts), 4), 0.5, np.float32)

    with pytest.raises(EmbedderDown, match="the same vector"):
        await opened(Stuck(), tmp_path).prepare()


async def test_closing_it_closes_what_it_is_made_of(tmp_path: Path) -> None:
    source = Own()

    opened(source, tmp_path).close()

    assert source.closed
