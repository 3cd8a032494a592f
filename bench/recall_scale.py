"""How long a recall takes when a pair has said much: 10,000, 100,000 and 300,000 messages, all arms and factors, one thread.

The messages are lines of our own talks, halves put together anew, and the questions those that are asked of them; a text's
vector is the sum of directions of its words. So words, times, names and alike messages are as common as in talk, but how well
something is found it does not say. Reading the store and embedding the question are not in it.
"""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from time import perf_counter, process_time

import numpy as np

from echovessel.adapters.index.timeline import Timeline
from echovessel.adapters.index.weights import load_weights
from echovessel.core.ids import MessageId, TextId, ulid
from echovessel.core.text import tokens
from echovessel.core.time import milliseconds
from echovessel.memory.question import ask
from echovessel.memory.recall import select
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.index import Query
from echovessel.ports.records import IndexRow
from echovessel.runtime.recall_bench.folders import OWN
from echovessel.runtime.recall_bench.talks import Talk, read_talk, talk_names
from echovessel.runtime.scale_figures import percentile

SIZES = (10_000, 100_000, 300_000)
ASKED = 100
SLICE = 1000
SESSION = 40
"""Messages in a row of one talk, before a night's silence."""
DIMENSION = 384


class Directions:
    """An embedder as cheap as can be: every word has a fixed direction, and texts that share words are alike."""

    name = "directions@1"
    dimension = DIMENSION
    calibrated = True

    def __init__(self) -> None:
        self._of: dict[str, Vectors] = {}

    async def prepare(self, *, anew: bool = False) -> None:
        """Nothing to load."""

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Never asked here."""
        raise NotImplementedError(kind, texts)

    def centre(self, vectors: Vectors, texts: list[str]) -> Vectors:  # noqa: ARG002
        """Unit vectors."""
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9).astype(np.float32)

    def relevance(self, cosines: Vectors) -> Vectors:
        """Half as alike is alike enough."""
        return np.clip(cosines / np.float32(0.5), 0, 1)

    def personal(self, units: Vectors) -> Vectors:
        """Every question is about what was said."""
        return np.ones(len(units), np.float32)

    def close(self) -> None:
        """Nothing to let go of."""

    def vector(self, text: str) -> Vectors:
        """The sum of its words' directions."""
        total = np.zeros(DIMENSION, np.float32)
        for token in tokens(text):
            total += self._direction(token)
        return total

    def _direction(self, token: str) -> Vectors:
        if token not in self._of:
            bits = np.frombuffer(blake2b(token.encode(), digest_size=DIMENSION // 8).digest(), np.uint8)
            self._of[token] = np.unpackbits(bits).astype(np.float32) * 2 - 1
        return self._of[token]


def text_of(number: int, talks: Sequence[Talk]) -> str:
    """The first half of one line of a talk, and the second half of another."""
    lines = talks[number // SESSION % len(talks)].lines
    first = lines[number * 7919 % len(lines)].text
    second = lines[(number * 31 + number // len(lines)) % len(lines)].text
    return first[: len(first) // 2] + second[len(second) // 2 :]


def row_of(number: int, text: str, embedder: Directions) -> IndexRow:
    """One message every four minutes, a night's silence after each session."""
    at = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=4 * number + 600 * (number // SESSION))
    identity = ulid(milliseconds(at), number.to_bytes(10, "big"))
    return IndexRow(
        message_id=MessageId(identity),
        text_id=TextId(identity),
        speaker="user" if number % 2 else "persona",
        sent_at=at,
        text=text,
        vector=embedder.vector(text).tobytes(),
    )


def main() -> int:
    """Grow one timeline, and ask it at each size. CPU time is what counts on a busy machine."""
    talks = [talk for name in talk_names(OWN) if (talk := read_talk(OWN, name)).header["split"] == "tune"]
    questions = [each.text for talk in talks for each in talk.asks if each.evidence]
    embedder = Directions()
    timeline = Timeline(embedder, load_weights())
    print("| messages | megabytes | median | p95 | CPU |\n|---|---|---|---|---|")
    for size in SIZES:
        for start in range(len(timeline), size, SLICE):
            numbers = range(start, start + SLICE)
            timeline.put([row_of(number, text_of(number, talks), embedder) for number in numbers])
        began = process_time()
        times = [ask_once(timeline, questions[n * 7 % len(questions)], embedder) for n in range(ASKED)]
        spent = (process_time() - began) * 1000 / ASKED
        print(
            f"| {size:,} | {timeline.nbytes / 1e6:.0f} "
            f"| {percentile(times, 0.5):.1f} ms | {percentile(times, 0.95):.1f} ms | {spent:.1f} ms |"
        )
    return 0


def ask_once(timeline: Timeline, question: str, embedder: Directions) -> float:
    """The seconds one recall takes."""
    asked = ask(question, user_name="Ada", persona_name="小满", asked_at=datetime(2023, 1, 1, tzinfo=UTC))
    query = Query(asked=asked, vector=embedder.vector(asked.text))
    began = perf_counter()
    select(timeline.candidates(query), budget_tokens=1500, limit=12)
    return perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
