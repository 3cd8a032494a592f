"""What tells a model file from another of the same name, without reading it whole."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

_SAMPLE = 64 << 10
"""Bytes read at either end: a header with its sizes and vocabulary, and the last weights."""


def identity(files: Sequence[Path]) -> str:
    """A few letters made from the sizes and ends of the files; empty when one cannot be read."""
    digest = sha256()
    try:
        for path in files:
            size = path.stat().st_size
            with path.open("rb") as file:
                digest.update(f"{size}:".encode() + file.read(_SAMPLE))
                file.seek(max(0, size - _SAMPLE))
                digest.update(file.read(_SAMPLE))
    except OSError:
        return ""
    return digest.hexdigest()[:8]
