"""A zip archive that is sent while it is made: no file of it is ever held whole."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from datetime import datetime
from typing import IO, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_PRIVATE = 0o600 << 16
"""Unix permissions of what is unpacked, where a zip keeps them."""
_AT_ONCE = 64 * 1024
"""Bytes that are packed before others have their turn: some milliseconds."""


async def zipped(files: AsyncIterator[tuple[str, bytes]], at: datetime) -> AsyncIterator[bytes]:
    """The archive in pieces. `files`: pieces of each file by its name, one file after another; `at`: their date."""
    outlet = _Outlet()
    name = ""
    with ZipFile(cast("IO[bytes]", outlet), "w") as archive, ExitStack() as opened:
        file: IO[bytes] | None = None
        async for path, piece in files:
            if file is None or path != name:
                opened.close()
                name, file = path, opened.enter_context(archive.open(_entry(path, at), "w", force_zip64=True))
            for start in range(0, len(piece), _AT_ONCE):
                file.write(piece[start : start + _AT_ONCE])
                if ready := outlet.taken():
                    yield ready
                await asyncio.sleep(0)
    yield outlet.taken()


def _entry(path: str, at: datetime) -> ZipInfo:
    year = min(max(at.year, 1980), 2107)  # the years that a zip knows
    entry = ZipInfo(path, (year, at.month, at.day, at.hour, at.minute, at.second))
    entry.compress_type = ZIP_DEFLATED
    entry.external_attr = _PRIVATE
    return entry


class _Outlet:
    """What the archive writes to; it cannot seek, and so never does."""

    def __init__(self) -> None:
        self._ready = bytearray()

    def write(self, data: bytes) -> int:
        self._ready += data
        return len(data)

    def flush(self) -> None:
        """Everything is handed on as it comes."""

    def taken(self) -> bytes:
        """What was written since the last time."""
        ready = bytes(self._ready)
        self._ready.clear()
        return ready
