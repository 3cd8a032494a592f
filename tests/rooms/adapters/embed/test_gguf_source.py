"""A model file that makes vectors: run in a process of its own, told apart from others, its troubles told with a remedy."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from echovessel.adapters.embed.gguf_source import GgufSource
from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind
from tests.support.embedders import embedder_settings
from tests.support.gguf import BRINGS_THE_ENGINE_DOWN, gguf, smollm2


def source_of(file: Path, **settings: object) -> GgufSource:
    return GgufSource(embedder_settings(file=str(file), **settings))


@pytest.mark.slow
async def test_a_real_file_gives_vectors_of_meaning_and_is_started_again_after_a_crash() -> None:
    source = source_of(smollm2())
    try:
        vectors = await source.embed(
            ["I planted tomatoes.", "Tomatoes grow here.", "The train was late.", ""], Kind.PASSAGE
        )
        assert source._engine is not None
        source._engine.kill()
        source._engine._process.wait()
        again = await source.embed(["I planted tomatoes."], Kind.PASSAGE)
    finally:
        source.close()

    assert vectors.shape == (4, 576)
    assert float(vectors[0] @ vectors[1]) > float(vectors[0] @ vectors[2])
    assert np.allclose(vectors[0], again[0], atol=1e-3)


def test_the_name_tells_what_is_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(gguf({"general.architecture": "bert"}))
    before = source_of(tmp_path / "m.gguf").name
    (tmp_path / "m.gguf").write_bytes(gguf({"general.architecture": "llama"}))

    assert before.startswith("m-")
    assert source_of(tmp_path / "m.gguf").name not in (before, source_of(tmp_path / "m.gguf", query_prefix="q: ").name)


async def test_a_file_that_is_missing_or_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "text.gguf").write_text("This is no model.")
    for name, told in (("missing.gguf", "no model file 'missing.gguf'"), ("text.gguf", "no GGUF file")):
        source = source_of(tmp_path / name)
        with pytest.raises(EmbedderDown, match=told) as down:
            await source.embed(["a"], Kind.QUERY)
        assert "embedder.file" in down.value.do or "GGUF" in down.value.do
        assert "llm.file" not in f"{down.value.message} {down.value.do}"
        source.close()


async def test_a_file_that_is_exchanged_while_we_run_is_not_mixed_up(tmp_path: Path) -> None:
    shutil.copy(smollm2(), tmp_path / "m.gguf")
    source = source_of(tmp_path / "m.gguf")
    with (tmp_path / "m.gguf").open("ab") as file:
        file.write(b"more")

    with pytest.raises(EmbedderDown, match="another file than at the start"):
        await source.embed(["a"], Kind.QUERY)
    source.close()


async def test_a_file_that_brings_the_engine_down_takes_nothing_with_it(tmp_path: Path) -> None:
    (tmp_path / "bad.gguf").write_bytes(gguf(BRINGS_THE_ENGINE_DOWN))
    source = source_of(tmp_path / "bad.gguf")

    with pytest.raises(EmbedderDown, match=r"bad\.gguf"):
        await source.embed(["a"], Kind.QUERY)
    source.close()
