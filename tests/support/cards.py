"""Character cards for tests: PNG pictures put together chunk by chunk, and cards with chosen fields."""

import base64
import json
import struct
import zlib
from pathlib import Path

CARDS = Path(__file__).parents[1] / "data" / "cards"
"""Cards of every form and with every usual damage, made for tests: no real person, no licence."""

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, body: bytes, *, sound: bool = True) -> bytes:
    """One PNG chunk; not `sound`: with a wrong checksum."""
    checksum = zlib.crc32(kind + body) ^ (not sound)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)


HEAD = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
PIXELS = chunk(b"IDAT", zlib.compress(b"\0\0\0\0"))
END = chunk(b"IEND", b"")


def picture(*texts: bytes) -> bytes:
    """A picture of one pixel with these chunks before the pixel."""
    return SIGNATURE + HEAD + b"".join(texts) + PIXELS + END


def packed(card: object) -> bytes:
    """A card as a picture holds it: JSON in base64."""
    return base64.b64encode(json.dumps(card).encode())


def card(**fields: object) -> dict[str, object]:
    """A V2 card with these fields."""
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Mira Vale", **fields}}


def file_of(**fields: object) -> bytes:
    """The JSON file of such a card."""
    return json.dumps(card(**fields), ensure_ascii=False).encode("utf-8", "surrogatepass")
