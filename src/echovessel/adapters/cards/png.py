"""The texts inside a PNG picture, found by a walk over its chunks.

Chunks: PNG (Third Edition), section 5.3, length, type, data, CRC; texts: section 11.3.3, `tEXt`, `zTXt`, `iTXt`. They may stand
behind the picture's data. A wrong checksum over a whole chunk is only noted: editors that change a card forget it.
"""

import struct
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from echovessel.adapters.cards.notes import Notes
from echovessel.core.errors import BadInput

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_INFLATED = 16 * 1024 * 1024
"""Bytes that one compressed text may become."""

_TEXT_KINDS = frozenset({b"tEXt", b"zTXt", b"iTXt"})
_LONGEST_KEYWORD = 79


@dataclass(frozen=True, slots=True)
class PngText:
    """One text of a picture: the type of its chunk, and what stands behind its keyword."""

    kind: bytes
    rest: bytes = field(repr=False)

    def text(self) -> bytes:
        """The text, unpacked. BadInput when it is damaged or a bomb."""
        if self.kind == b"tEXt":
            return self.rest
        if self.kind == b"zTXt":
            return _inflated(self.rest[1:])
        # iTXt: flags, a language and a translated keyword stand in between.
        text = self.rest[2:].partition(b"\0")[2].partition(b"\0")[2]
        return _inflated(text) if self.rest[:1] == b"\1" else text


PngTexts = Mapping[str, list[PngText]]
"""The texts of each keyword, in the order of the file."""


def card_texts(data: bytes, keywords: Collection[str], notes: Notes) -> PngTexts:
    """The texts with these keywords. BadInput when the picture ends before one was found."""
    found: dict[str, list[PngText]] = {}
    whole = False
    for kind, body, sound in _chunks(data):
        whole = kind == b"IEND"
        keyword = _keyword(body) if kind in _TEXT_KINDS else ""
        if keyword in keywords:
            if not sound:
                notes.add("bad-checksum", keyword)
            found.setdefault(keyword, []).append(PngText(kind, body[len(keyword) + 1 :]))
    if not whole and not found:
        raise BadInput(
            "This PNG file is cut short, and no character card comes before the cut.",
            field="file",
            do="Download or copy the file again.",
        )
    if not whole:
        notes.add("cut-short")
    return found


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes, bool]]:
    """Type, data and, for texts, whether the checksum is right, of each chunk that is whole, up to the picture's end."""
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        end = at + 8 + length
        if end + 4 > len(data):
            return
        (checksum,) = struct.unpack_from(">I", data, end)
        yield kind, data[at + 8 : end], kind not in _TEXT_KINDS or zlib.crc32(data[at + 4 : end]) == checksum
        if kind == b"IEND":
            return
        at = end + 4


def _keyword(body: bytes) -> str:
    return body[: _LONGEST_KEYWORD + 1].partition(b"\0")[0].decode("latin-1").lower()


def _inflated(packed: bytes) -> bytes:
    stream = zlib.decompressobj()
    try:
        text = stream.decompress(packed, MOST_INFLATED)
    except zlib.error as cause:
        raise BadInput(
            "The compressed card data in this picture is damaged.", field="file", do="Download or copy the file again."
        ) from cause
    if stream.unconsumed_tail:
        raise BadInput(
            f"The card data in this picture unpacks to more than {MOST_INFLATED // 1024 // 1024} MB.",
            field="file",
            do="No character card is that long: do not use this file.",
        )
    return text
