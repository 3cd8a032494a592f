"""Databases that were damaged where only whoever reads every page sees it."""

import sqlite3
from contextlib import closing
from pathlib import Path

_COUNTED = "SELECT count(*) FROM message WHERE state != 'deleted'"


def spoil_index(database: Path, index: str) -> None:
    """Overwrite the end of an index's page, where its entries are: the file opens, and what is in it counts as before."""
    with closing(sqlite3.connect(database)) as connection:
        before = connection.execute(_COUNTED).fetchone()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (index,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with database.open("r+b") as file:
        file.seek(page * size - 64)
        file.write(b"\x17" * 64)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute(_COUNTED).fetchone() == before
