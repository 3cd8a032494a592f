"""The vectors of what was asked lately: a turn worded again, and a question asked twice, need not be embedded anew."""

from collections import OrderedDict

from echovessel.ports.embedder import Vectors

MOST = 256
"""So many are kept, about 400 kB; the one not asked for longest leaves first."""


class RecentVectors:
    """Raw query vectors by the embedder's name and the text."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Vectors] = OrderedDict()

    def get(self, embedder: str, text: str) -> Vectors | None:
        """What `keep` was given, if it is still there."""
        found = self._kept.get((embedder, text))
        if found is not None:
            self._kept.move_to_end((embedder, text))
        return found

    def keep(self, embedder: str, text: str, vector: Vectors) -> None:
        """Remember a vector for a while."""
        self._kept[embedder, text] = vector
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
