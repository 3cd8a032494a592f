"""A large upload, put aside whole before anyone reads it, and read back line by line."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import IO

from echovessel.core.errors import BadInput

IN_MEMORY = 4 * 1024 * 1024
LONGEST_LINE = 64 * 1024 * 1024
LINES_AT_ONCE = 1024 * 1024


@asynccontextmanager
async def spooled(chunks: AsyncIterator[bytes]) -> AsyncGenerator[IO[bytes]]:
    """The whole upload as a file that has no name: in memory while it is small, gone afterwards."""
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as upload:
        async for chunk in chunks:
            await asyncio.to_thread(upload.write, chunk)
        yield upload


async def text_lines(upload: IO[bytes]) -> AsyncIterator[str | BadInput]:
    """Its lines from the first, without the blanks around them; for one that is not UTF-8 or too long, why it is left out."""
    await asyncio.to_thread(upload.seek, 0)
    mark = "-sig"
    while batch := await asyncio.to_thread(_some_lines, upload):
        for line in batch:
            yield _decoded(line, f"utf-8{mark}")
            mark = ""


def _some_lines(upload: IO[bytes]) -> list[bytes]:
    lines: list[bytes] = []
    size = 0
    while size < LINES_AT_ONCE and (line := upload.readline(LONGEST_LINE + 1)):
        lines.append(line)
        size += len(line)
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = upload.readline(LONGEST_LINE + 1)
    return lines


def _decoded(line: bytes, encoding: str) -> str | BadInput:
    if len(line) > LONGEST_LINE:
        return BadInput("It is longer than 64 MB.", field="body", do="Put one conversation on each line.")
    try:
        return line.decode(encoding).strip()
    except UnicodeDecodeError:
        return BadInput("It is not UTF-8.", field="body", do="Save the file as UTF-8.")
