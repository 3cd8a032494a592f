"""Engines of embedders that do what a test wants."""

import numpy as np

from echovessel.ports.embedder import Kind, Vectors


class TwoNumbers:
    """An engine that gives a text's length and a number, and writes down what happens to it."""

    name = "two-numbers@1"
    dimension = 2
    batch = 2

    def __init__(self) -> None:
        self.happened: list[object] = []
        self.broken: Exception | None = None
        self.value: float = 1.0

    def load(self) -> None:
        """Fail if it is broken."""
        self.happened.append("load")
        if self.broken:
            raise self.broken

    def count(self, text: str, kind: Kind) -> int:  # noqa: ARG002 - this model knows no kinds
        """One token a character."""
        return len(text)

    def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Length and number."""
        self.happened.append((tuple(texts), kind))
        return np.array([[len(text), self.value] for text in texts], np.float32)
