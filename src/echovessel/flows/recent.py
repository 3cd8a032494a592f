"""The vectors of what was asked lately: a turn worded again, and a question asked twice, need not be embedded anew."""

from collections import OrderedDict
from hashlib import sha256

from echovessel.ports.embedder import Vectors

MOST = 256
"""So many are kept, about 400 kB; the one not asked for longest leaves first."""


class RecentVectors:
    """Raw query vectors by the embedder's name and the text, of which only a digest is kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, bytes], Vectors] = OrderedDict()

    def get(self, embedder: str, text: str) -> Vectors | None:
        """What `keep` was given, if it is still there."""
        key = _key(embedder, text)
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, embedder: str, text: str, vector: Vectors) -> None:
        """Remember a vector for a while."""
        self._kept[_key(embedder, text)] = vector
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)


def _key(embedder: str, text: str) -> tuple[str, bytes]:
    return embedder, sha256(text.encode()).digest()
