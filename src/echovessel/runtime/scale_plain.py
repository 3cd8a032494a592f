"""What one would write in an afternoon: one SQLite table with FTS5 beside it, a float32 matrix in memory, cosine.

As durable as ours (`synchronous=FULL`, one commit a message). FTS5's own tokenizer does not part Chinese words, so that its
keyword arm finds less; this compares time and space.
"""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from echovessel.core.time import milliseconds
from echovessel.ports.embedder import Vectors
from echovessel.runtime.output import note
from echovessel.runtime.scale_figures import Figures, Scale
from echovessel.runtime.scale_talk import Synthetic, directions_of, sent_at, text_of

ASKED = 100
ADDED = 300
BATCH = 500
TOP = 64
SHOWN = 12
_SCHEMA = """
CREATE TABLE message(id INTEGER PRIMARY KEY, pair INTEGER, at INTEGER, text TEXT, vector BLOB);
CREATE INDEX of_pair ON message(pair, id);
CREATE VIRTUAL TABLE words USING fts5(text, content='message', content_rowid='id');
"""
_FIND = (
    "SELECT words.rowid, -bm25(words) FROM words JOIN message ON message.id = words.rowid "
    "WHERE words MATCH ? AND pair = ? ORDER BY rank LIMIT ?"
)


class Plain:
    """Implements `runtime.scale_figures.Contender`."""

    name = "SQLite + NumPy"

    def fill(self, folder: Path, scale: Scale) -> float:
        """Store every pair's messages with their vectors."""
        began = process_time()
        connection = _connect(folder)
        connection.executescript(_SCHEMA)
        for first in range(0, scale.messages, BATCH):
            numbers = range(first, min(first + BATCH, scale.messages))
            _store(connection, [(n, n // scale.each, text_of(n)) for n in numbers], scale)
        connection.close()
        note(f"SQLite + NumPy: {scale.messages:,} messages stored")
        return (process_time() - began) * 1000 / scale.messages

    def measure(self, folder: Path, scale: Scale, import_cpu: float) -> Figures:
        """Open what is there, ask it and add to it."""
        began, spent = perf_counter(), process_time()
        held = _Held(_connect(folder))
        held.recall(0, text_of(11))
        first, first_cpu = perf_counter() - began, process_time() - spent
        cold: list[float] = []
        warm: list[float] = []
        asked = {0}
        for number in range(ASKED):
            pair = number * scale.pairs // ASKED
            if pair not in asked:
                asked.add(pair)
                cold.append(_timed(held, pair, number))
            warm.append(_timed(held, pair, number + ASKED))
        added = _add(held, scale)
        figures = Figures.of(folder, import_cpu=import_cpu, add=added, first=(first, first_cpu), cold=cold, warm=warm)
        held.connection.close()
        return figures


class _Held:
    """A connection, and the matrices of the pairs that were asked."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._matrices: dict[int, tuple[list[int], Vectors]] = {}

    def recall(self, pair: int, text: str) -> list[str]:
        """The texts that fit best: both arms, each scaled to its best, added."""
        ids, matrix = self._matrix(pair)
        cosines = matrix @ _vectors([text])[0]
        near: list[int] = np.argpartition(-cosines, min(TOP, len(ids)) - 1)[:TOP].tolist()
        scores = {ids[row]: float(cosines[row]) for row in near}
        words = " OR ".join(f'"{word}"' for word in text.rstrip("?.？。").split())
        found: list[tuple[int, float]] = self.connection.execute(_FIND, (words, pair, TOP)).fetchall()
        for message_id, score in found:
            scores[message_id] = scores.get(message_id, 0.0) + score / max(found[0][1], 1e-9)
        best = sorted(scores, key=scores.__getitem__, reverse=True)[:SHOWN]
        marks = ",".join("?" * len(best))
        texts = dict(self.connection.execute(f"SELECT id, text FROM message WHERE id IN ({marks})", best).fetchall())
        return [texts[message_id] for message_id in best]

    def _matrix(self, pair: int) -> tuple[list[int], Vectors]:
        if pair not in self._matrices:
            rows = self.connection.execute(
                "SELECT id, vector FROM message WHERE pair = ? ORDER BY id", (pair,)
            ).fetchall()
            matrix = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
            self._matrices[pair] = [row[0] for row in rows], matrix
        return self._matrices[pair]


def _timed(held: _Held, pair: int, number: int) -> float:
    text = text_of(number * 7919 + 11)
    began = perf_counter()
    held.recall(pair, text)
    return perf_counter() - began


def _connect(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / "plain.db")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _vectors(texts: list[str]) -> Vectors:
    return Synthetic().centre(directions_of(texts), texts)


def _store(connection: sqlite3.Connection, rows: Iterable[tuple[int, int, str]], scale: Scale) -> None:
    """Messages by number, pair and text, in one transaction."""
    kept = list(rows)
    vectors = _vectors([text for _, _, text in kept])
    with connection:
        for (number, pair, text), vector in zip(kept, vectors, strict=True):
            at = milliseconds(sent_at(number % scale.each))
            row = connection.execute(
                "INSERT INTO message(pair, at, text, vector) VALUES (?, ?, ?, ?)", (pair, at, text, vector.tobytes())
            )
            connection.execute("INSERT INTO words(rowid, text) VALUES (?, ?)", (row.lastrowid, text))


def _add(held: _Held, scale: Scale) -> tuple[float, list[float]]:
    """Milliseconds of CPU a message, and the seconds each took."""
    walls: list[float] = []
    spent = process_time()
    for number in range(ADDED):
        began = perf_counter()
        _store(held.connection, [(scale.each - 1, 0, text_of(number * 31 + 7))], scale)
        walls.append(perf_counter() - began)
    return (process_time() - spent) * 1000 / ADDED, walls
