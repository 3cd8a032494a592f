"""Identifiers: ULIDs as 26-character strings, sortable by the moment they were made.

Format: https://github.com/ulid/spec (48 bits of milliseconds, 80 bits of entropy, Crockford base 32).
"""

from typing import NewType

UserId = NewType("UserId", str)
PersonaId = NewType("PersonaId", str)
ConversationId = NewType("ConversationId", str)
TurnId = NewType("TurnId", str)
MessageId = NewType("MessageId", str)
TextId = NewType("TextId", str)
JobId = NewType("JobId", str)
CallId = NewType("CallId", str)

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH = 26


def ulid(milliseconds: int, entropy: bytes) -> str:
    """Encode a ULID from Unix milliseconds (0 … 2^48 − 1) and 10 bytes of entropy."""
    if not 0 <= milliseconds < 1 << 48:
        raise ValueError("a ULID holds 48 bits of milliseconds")
    if len(entropy) != 10:
        raise ValueError("a ULID holds 10 bytes of entropy")
    value = (milliseconds << 80) | int.from_bytes(entropy, "big")
    digits: list[str] = []
    for _ in range(_LENGTH):
        digits.append(_ALPHABET[value & 31])
        value >>= 5
    return "".join(reversed(digits))


def is_ulid(text: str) -> bool:
    """Whether `text` has the form of a ULID; says nothing about whether the thing exists."""
    return len(text) == _LENGTH and text[0] <= "7" and all(c in _ALPHABET for c in text)
