from collections import Counter
from itertools import pairwise

import numpy as np

from echovessel.core.text import Script, script, tokens
from echovessel.ports.embedder import Kind
from echovessel.runtime.scale_talk import DIMENSION, SESSION, Synthetic, sent_at, text_of


def test_the_same_number_always_says_the_same_and_others_something_else() -> None:
    said = [text_of(number) for number in range(400)]

    assert said == [text_of(number) for number in range(400)]
    assert len(set(said)) == 400


def test_chinese_and_english_take_turns() -> None:
    assert {script(text_of(number)) for number in range(SESSION)} == {Script.HAN}
    assert {script(text_of(number)) for number in range(SESSION, 2 * SESSION)} == {Script.LATIN}


def test_few_words_are_common_and_many_are_rare() -> None:
    said = Counter(token for number in range(1200) for token in tokens(text_of(number)) if token.isascii())

    assert said.most_common(1)[0][1] > 100
    assert sum(times == 1 for times in said.values()) > 1000


def test_time_goes_on() -> None:
    assert all(earlier < later for earlier, later in pairwise(sent_at(number) for number in range(200)))


async def test_a_text_has_one_vector_and_others_lie_apart() -> None:
    embedder = Synthetic()
    texts = [text_of(number) for number in range(50)]
    raw = await embedder.embed(texts, Kind.PASSAGE)
    units = embedder.centre(raw, texts)

    assert raw.shape == (50, DIMENSION)
    assert raw.dtype == units.dtype == np.float32
    assert np.array_equal(raw[:1], await embedder.embed(texts[:1], Kind.QUERY))
    cosines = units @ units.T
    assert np.allclose(np.diag(cosines), 1, atol=1e-5)
    assert np.median(np.abs(cosines[np.triu_indices(50, 1)])) < 0.4
    assert embedder.relevance(np.array([-1, 0.25, 0.9], np.float32)).tolist() == [0, 0.5, 1]
