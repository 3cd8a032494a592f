"""An embedder for tests: no model, no waiting; texts that share tokens are alike."""

from hashlib import blake2b

import numpy as np

from echovessel.core.errors import EmbedderDown
from echovessel.core.text import tokens
from echovessel.ports.embedder import Kind, Vectors


class HashEmbedder:
    """Implements `ports.embedder.Embedder`: every token is a fixed direction, a text their sum.

    `down` makes every call fail, as a broken installation would. `asked` counts the texts by kind.
    """

    name = "hash-256@1"
    dimension = 256
    calibrated = True

    def __init__(self) -> None:
        self.down = False
        self.asked = dict.fromkeys(Kind, 0)

    async def prepare(self, *, anew: bool = False) -> None:  # noqa: ARG002 - there is nothing to measure
        """Fails when it is down."""
        if self.down:
            raise EmbedderDown("The embedder is down.", do="Set `down` to False.")

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """The sums of the tokens' directions, of unit length."""
        if self.down:
            raise EmbedderDown("The embedder is down.", do="Set `down` to False.")
        self.asked[kind] += len(texts)
        return self.raw(texts)

    def raw(self, texts: list[str]) -> Vectors:
        """The same at once, questions and passages alike."""
        return np.stack([self._vector(text) for text in texts]) if texts else np.zeros((0, self.dimension), np.float32)

    def centre(self, vectors: Vectors, texts: list[str]) -> Vectors:  # noqa: ARG002 - one language, one centre: the origin
        """Unit vectors; zero where there was no token."""
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True).astype(np.float32)
        return vectors / np.maximum(lengths, np.float32(1e-9))

    def relevance(self, cosines: Vectors) -> Vectors:
        """A cosine of 0.5 is as alike as can be told."""
        return np.clip(cosines / np.float32(0.5), 0, 1)

    def personal(self, units: Vectors) -> Vectors:
        """Hashes do not tell."""
        return np.zeros(len(units), np.float32)

    def close(self) -> None:
        """Nothing is held."""

    def _vector(self, text: str) -> Vectors:
        total = np.zeros(self.dimension, np.float32)
        for token in tokens(text):
            bits = np.frombuffer(blake2b(token.encode(), digest_size=self.dimension // 8).digest(), np.uint8)
            total += np.unpackbits(bits).astype(np.float32) * 2 - 1
        return total / np.float32(max(float(np.linalg.norm(total)), 1e-9))
