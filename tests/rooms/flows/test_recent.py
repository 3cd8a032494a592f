"""What was asked lately is not embedded again."""

import numpy as np

from echovessel.flows.recent import MOST, RecentVectors


def test_a_vector_is_known_by_its_embedder_and_text() -> None:
    recent = RecentVectors()
    vector = np.ones(3, np.float32)

    recent.keep("one@1", "早", vector)

    assert recent.get("one@1", "早") is vector
    assert recent.get("two@1", "早") is None
    assert recent.get("one@1", "晚") is None


def test_what_was_not_asked_for_longest_leaves_first() -> None:
    recent = RecentVectors()
    for number in range(MOST):
        recent.keep("one@1", str(number), np.full(1, number, np.float32))

    assert recent.get("one@1", "0") is not None
    recent.keep("one@1", "new", np.zeros(1, np.float32))

    assert recent.get("one@1", "0") is not None
    assert recent.get("one@1", "1") is None
