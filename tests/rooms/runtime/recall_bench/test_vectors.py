"""A text is embedded once, also when it is measured again."""

from pathlib import Path

import numpy as np
import pytest

from echovessel.core.errors import BadInput
from echovessel.ports.embedder import Kind
from echovessel.runtime.recall_bench.vectors import KeptVectors
from echovessel.testing.hash_embedder import HashEmbedder


async def test_a_text_is_embedded_once_of_each_kind() -> None:
    inner = HashEmbedder()
    kept = KeptVectors(inner, None)

    first = await kept.embed(["rain", "violin", "rain"], Kind.PASSAGE)
    second = await kept.embed(["violin", "bus"], Kind.PASSAGE)
    await kept.embed(["violin"], Kind.QUERY)

    assert inner.asked == {Kind.PASSAGE: 3, Kind.QUERY: 1}
    assert np.array_equal(first, inner.raw(["rain", "violin", "rain"]))
    assert np.array_equal(second, inner.raw(["violin", "bus"]))
    assert (await kept.embed([], Kind.QUERY)).shape == (0, inner.dimension)
    kept.close()


async def test_a_folder_keeps_them_for_the_next_time_and_for_each_embedder(tmp_path: Path) -> None:
    before = KeptVectors(HashEmbedder(), tmp_path / "vectors")
    await before.embed(["rain"], Kind.PASSAGE)
    before.close()

    same, other = HashEmbedder(), HashEmbedder()
    other.name = "hash-256@2"
    for inner in (same, other):
        again = KeptVectors(inner, tmp_path / "vectors")
        await again.embed(["rain"], Kind.PASSAGE)
        again.close()

    assert same.asked[Kind.PASSAGE] == 0
    assert other.asked[Kind.PASSAGE] == 1


def test_it_compares_as_the_embedder_within_does() -> None:
    inner = HashEmbedder()
    kept = KeptVectors(inner, None)
    raw = inner.raw(["rain"])

    assert (kept.name, kept.dimension, kept.calibrated) == (inner.name, inner.dimension, True)
    assert np.array_equal(kept.centre(raw, ["rain"]), inner.centre(raw, ["rain"]))
    assert kept.relevance(np.array([0.25], np.float32)).tolist() == [0.5]
    kept.close()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(BadInput, match="cannot be kept"):
        KeptVectors(HashEmbedder(), tmp_path / "file")
