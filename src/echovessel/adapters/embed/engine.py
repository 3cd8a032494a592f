"""What a local embedding model must be able to do. Engines are called from one thread only."""

from typing import Protocol

from echovessel.ports.embedder import Kind, Vectors


class Engine(Protocol):
    """One model. `name` is stored beside each vector, `batch` is how many texts it is best given at once."""

    name: str
    dimension: int
    batch: int

    def load(self) -> None:
        """Get ready. Raises ImportError, OSError, RuntimeError or ValueError when it cannot."""
        ...

    def count(self, text: str, kind: Kind) -> int:
        """How many of the model's tokens a text is, or an estimate that is not lower."""
        ...

    def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Raw vectors of unit length, shape (len(texts), dimension)."""
        ...
