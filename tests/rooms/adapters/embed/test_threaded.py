"""The engine off the loop: loaded once and late, fed in pieces, its failures told with a remedy."""

import pytest

from echovessel.adapters.embed.threaded import Threaded
from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind
from tests.support.engines import TwoNumbers


@pytest.fixture
def engine() -> TwoNumbers:
    return TwoNumbers()


@pytest.fixture
def source(engine: TwoNumbers) -> Threaded:
    return Threaded(engine)


async def test_it_is_loaded_with_the_first_text_and_once(source: Threaded, engine: TwoNumbers) -> None:
    assert engine.happened == []

    await source.embed(["a", "bb", "ccc"], Kind.PASSAGE)
    vectors = await source.embed(["dddd"], Kind.QUERY)
    await source.load()

    assert engine.happened == ["load", (("a", "bb"), "passage"), (("ccc",), "passage"), (("dddd",), "query")]
    assert vectors.tolist() == [[4, 1]]


async def test_a_model_that_cannot_be_loaded_is_told_of_and_tried_again(source: Threaded, engine: TwoNumbers) -> None:
    engine.broken = OSError("no such file")
    for _ in range(2):
        with pytest.raises(EmbedderDown, match="no such file") as down:
            await source.embed(["a"], Kind.QUERY)
        assert down.value.do

    engine.broken = None
    assert (await source.embed(["a"], Kind.QUERY)).shape == (1, 2)


async def test_vectors_that_are_no_numbers_are_refused(source: Threaded, engine: TwoNumbers) -> None:
    engine.value = float("nan")

    with pytest.raises(EmbedderDown):
        await source.embed(["a"], Kind.QUERY)
