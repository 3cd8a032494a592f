"""An embedder that embeds each text once and keeps its vector: measuring again then takes seconds."""

import sqlite3
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from echovessel.core.errors import BadInput
from echovessel.ports.embedder import Embedder, Kind, Vectors

FILE = "vectors.sqlite"


class KeptVectors:
    """Implements `ports.embedder.Embedder` around another one. `folder` holds the vectors of every run; None those of this."""

    def __init__(self, inner: Embedder, folder: Path | None) -> None:
        self._inner = inner
        self._file = _open(folder)

    @property
    def name(self) -> str:
        """That of the embedder within."""
        return self._inner.name

    @property
    def dimension(self) -> int:
        """That of the embedder within."""
        return self._inner.dimension

    @property
    def calibrated(self) -> bool:
        """Whether the embedder within is."""
        return self._inner.calibrated

    async def prepare(self, *, anew: bool = False) -> None:
        """Get the embedder within ready."""
        await self._inner.prepare(anew=anew)

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Raw vectors, the kept ones and those that are made now. Raises `EmbedderDown`."""
        keys = [_key(self.name, kind, text) for text in texts]
        kept = self._kept(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in kept}
        if missing:
            made = await self._inner.embed(list(missing.values()), kind)
            fresh = {key: vector.tobytes() for key, vector in zip(missing, made, strict=True)}
            with self._file:
                self._file.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?)", fresh.items())
            kept |= fresh
        return np.frombuffer(b"".join(kept[key] for key in keys), np.float32).reshape(len(texts), self.dimension)

    def centre(self, vectors: Vectors, texts: list[str]) -> Vectors:
        """As the embedder within does it."""
        return self._inner.centre(vectors, texts)

    def relevance(self, cosines: Vectors) -> Vectors:
        """As the embedder within does it."""
        return self._inner.relevance(cosines)

    def personal(self, units: Vectors) -> Vectors:
        """As the embedder within does it."""
        return self._inner.personal(units)

    def close(self) -> None:
        """Close the file; the embedder within is closed by who opened it."""
        self._file.close()

    def _kept(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        marks = ", ".join("?" * len(keys))
        return dict(self._file.execute(f"SELECT key, raw FROM vector WHERE key IN ({marks})", keys))


def _open(folder: Path | None) -> sqlite3.Connection:
    """The file of kept vectors, made when there is none; without a folder, one that is gone when it is closed."""
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        file = sqlite3.connect(folder / FILE if folder else "")
        file.execute("CREATE TABLE IF NOT EXISTS vector(key BLOB PRIMARY KEY, raw BLOB) WITHOUT ROWID")
    except (OSError, sqlite3.Error) as cause:
        raise BadInput(
            f"Vectors cannot be kept in {folder}: {cause}.", field="vectors", do="Name a folder that you may write to."
        ) from cause
    return file


def _key(name: str, kind: Kind, text: str) -> bytes:
    return sha256("\0".join((name, kind, text)).encode()).digest()
