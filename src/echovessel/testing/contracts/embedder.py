"""What every embedder promises (`ports.embedder.Embedder`). A subclass gives the fixture `embedder`."""

import asyncio
from itertools import combinations

import numpy as np
import pytest

from echovessel.ports.embedder import Embedder, Kind, Vectors

LINES = ["I planted tomatoes on the balcony.", "我在阳台上种了番茄。", "The train to Hamburg was late again."]
ODD = ["", " ", "x", "😂", '" OR NEAR( *', "a\x00b", "\ud800", "\u202eabc", "词" * 5000, "word " * 20_000]


class EmbedderContract:
    """Whatever the model, its vectors can be stored, centred and compared."""

    async def test_it_has_a_name_and_a_dimension(self, embedder: Embedder) -> None:
        vectors = await embedder.embed(LINES, Kind.PASSAGE)

        assert "@" in embedder.name
        assert vectors.shape == (3, embedder.dimension)
        assert vectors.dtype == np.float32

    async def test_no_texts_no_vectors(self, embedder: Embedder) -> None:
        vectors = await embedder.embed([], Kind.QUERY)

        assert vectors.shape == (0, embedder.dimension)
        assert embedder.centre(vectors, []).shape == (0, embedder.dimension)

    async def test_the_same_text_gives_the_same_vector_alone_and_among_others(self, embedder: Embedder) -> None:
        together = await embedder.embed(LINES * 4, Kind.PASSAGE)
        alone = await embedder.embed([LINES[1]], Kind.PASSAGE)

        assert np.allclose(together[1], alone[0], atol=1e-4)
        assert np.allclose(together[:3], together[9:], atol=1e-4)

    @pytest.mark.parametrize(
        ("one", "other"),
        [("caf\u00e9 lait", "cafe\u0301 lait"), ("憂鬱的臺灣烏龜", "忧郁的台湾乌龟"), ("my cat", "my cat\x00")],
    )
    async def test_spellings_of_one_thing_stand_in_one_place(self, embedder: Embedder, one: str, other: str) -> None:
        vectors = await embedder.embed([one, other], Kind.PASSAGE)

        assert float(vectors[0] @ vectors[1]) > 0.99

    async def test_any_text_has_a_finite_vector(self, embedder: Embedder) -> None:
        for kind in Kind:
            vectors = await embedder.embed(ODD, kind)
            assert np.isfinite(vectors).all()
            assert np.isfinite(embedder.centre(vectors, ODD)).all()

    async def test_a_text_without_a_word_is_like_nothing(self, embedder: Embedder) -> None:
        texts = ["…", *LINES]
        centred = embedder.centre(await embedder.embed(texts, Kind.PASSAGE), texts)

        assert not centred[0].any()
        assert np.allclose(np.linalg.norm(centred[1:], axis=1), 1, atol=1e-3)

    async def test_a_text_is_sure_of_itself_and_similarity_grows_with_the_cosine(self, embedder: Embedder) -> None:
        passage = embedder.centre(await embedder.embed(LINES[:1], Kind.PASSAGE), LINES[:1])
        query = embedder.centre(await embedder.embed(LINES[:1], Kind.QUERY), LINES[:1])
        steps = embedder.relevance(np.linspace(-1, 1, 41, dtype=np.float32))

        assert float(embedder.relevance(passage @ query[0])[0]) > 0.9
        assert (steps[0], steps[-1]) == (0, 1)
        assert (np.diff(steps) >= 0).all()

    async def test_a_question_is_answered_while_a_batch_is_under_way(self, embedder: Embedder) -> None:
        batch = asyncio.create_task(embedder.embed([f"{line} {n}" for line in LINES for n in range(8)], Kind.PASSAGE))
        question = asyncio.create_task(embedder.embed(["Where are my tomatoes?"], Kind.QUERY))

        done, _ = await asyncio.wait([batch, question], return_when=asyncio.FIRST_COMPLETED)

        assert question in done or batch.done()
        assert (await question).shape == (1, embedder.dimension)
        assert (await batch).shape == (24, embedder.dimension)


class BilingualContract(EmbedderContract):
    """What a real model must do besides: the same thing said in the other language is nearer than another thing said in
    one's own."""

    async def test_meaning_counts_more_than_language(self, embedder: Embedder) -> None:
        centred = await self._centred(embedder, LINES)

        across = float(centred[0] @ centred[1])
        assert across > max(float(centred[0] @ centred[2]), float(centred[1] @ centred[2]))
        assert float(embedder.relevance(np.array([across], np.float32))[0]) > 0.4

    async def test_unrelated_lines_stay_below_the_gate(self, embedder: Embedder) -> None:
        apart = ["My tooth hurts since Monday.", "我弟弟在学打鼓。", "这家店的豆浆很浓。", "The flight leaves at six."]
        centred = await self._centred(embedder, apart)

        cosines = np.array([float(one @ other) for one, other in combinations(centred, 2)], np.float32)
        assert (embedder.relevance(cosines) < 0.4).mean() >= 0.8

    async def _centred(self, embedder: Embedder, texts: list[str]) -> Vectors:
        return embedder.centre(await embedder.embed(texts, Kind.PASSAGE), texts)
