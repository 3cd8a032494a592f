"""Where the vectors of an embedder of one's own come from, and what they have to be like."""

from typing import Protocol

import numpy as np

from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind, Vectors


class Source(Protocol):
    """A model that makes vectors and has not been measured."""

    @property
    def name(self) -> str:
        """The model and what its vectors depend on beside it."""
        ...

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Raw vectors, shape (len(texts), length); questions need not wait for a batch. Raises EmbedderDown."""
        ...

    def close(self) -> None:
        """Let go of what is held."""
        ...


def units(vectors: Vectors, name: str) -> Vectors:
    """`vectors` at unit length. Raises EmbedderDown when there is a number in them that is none."""
    if not np.isfinite(vectors).all():
        raise EmbedderDown(
            f"The embedder {name} gave a vector with something in it that is no number.",
            do="Choose another model, or another quantisation of it; recall by words works meanwhile.",
        )
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9))
