"""The plain retrievers are plain: no neighbours, no sessions, no gate."""

import numpy as np

from echovessel.adapters.index.postings import Postings
from echovessel.core.ids import MessageId
from echovessel.core.text import tokens
from echovessel.memory.question import ask
from echovessel.ports.index import Query
from echovessel.runtime.recall_bench.baselines import Baselines
from echovessel.testing.hash_embedder import HashEmbedder

TEXTS = ["my violin is broken", "which violin?", "rain", "the violin, the old violin"]
EMBEDDER = HashEmbedder()


def baselines(embedder: HashEmbedder | None) -> Baselines:
    postings = Postings()
    postings.extend([tokens(text) for text in TEXTS])
    units = EMBEDDER.raw(TEXTS) if embedder else None
    return Baselines(tuple(MessageId(str(row)) for row in range(4)), postings, units, embedder)


def test_each_ranks_by_its_own_score_alone() -> None:
    [vector] = EMBEDDER.raw(["which violin"])

    rankings = baselines(EMBEDDER).rankings(
        Query(asked=ask("which violin", user_name="", persona_name=""), vector=vector), 3
    )

    assert {name: ids[0] for name, ids in rankings.items()} == {"BM25": "3", "cosine": "1", "min-max sum": "1"}
    assert rankings["BM25"] == ["3", "1", "0"]
    assert all(len(ids) == 3 for ids in rankings.values())


def test_without_vectors_only_the_keywords_rank() -> None:
    assert list(baselines(None).rankings(Query(asked=ask("violin", user_name="", persona_name="")), 2)) == ["BM25"]
    assert list(baselines(EMBEDDER).rankings(Query(asked=ask("violin", user_name="", persona_name="")), 2)) == ["BM25"]


def test_a_question_that_fits_nothing_leaves_the_order_of_the_timeline() -> None:
    vector = np.zeros(EMBEDDER.dimension, np.float32)

    rankings = baselines(EMBEDDER).rankings(Query(asked=ask("…", user_name="", persona_name=""), vector=vector), 4)

    assert rankings["min-max sum"] == ["0", "1", "2", "3"]
