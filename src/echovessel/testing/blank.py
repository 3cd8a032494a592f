"""An empty database as the program makes it, made once a process: whoever needs one gets a copy, without the migrations."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.testing.clock import StoppedClock


def put_blank_database(path: Path) -> Path:
    """Write a SQLite database of the newest schema, with nothing in it, to `path`, where nothing may be; returns `path`."""
    with path.open("xb") as file:
        file.write(_blank())
    return path


@cache
def _blank() -> bytes:
    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:  # the caller's event loop may be running
        path = Path(folder) / "blank.db"
        thread.submit(asyncio.run, SqliteStore(path, StoppedClock()).close()).result()
        return path.read_bytes()
