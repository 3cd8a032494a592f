"""How long a recall takes when a pair has said much: 10,000 and 100,000 messages, both arms, all factors, one thread.

The messages are made up from a fixed list of words, their vectors from a cosine: the time depends on their number and length,
not on what they say. Reading the store and embedding the question are not in it.
"""

import sys
from datetime import UTC, datetime, timedelta
from time import perf_counter, process_time

import numpy as np

from echovessel.adapters.index.timeline import Timeline
from echovessel.core.ids import MessageId, TextId, ulid
from echovessel.core.time import milliseconds
from echovessel.memory.question import ask
from echovessel.memory.recall import select
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.index import Query
from echovessel.ports.records import IndexRow

SIZES = (10_000, 100_000)
ASKED = 60
LINE = """
violin lesson friday teacher rain umbrella bus mother soup kitchen train hamburg novel platform cousin october
今天 下班 地铁 雨伞 妈妈 做饭 周末 爬山 朋友 电影 考试 紧张 审批 流程 芝麻 面包店 关门 医生 头疼 睡觉 晚安
"""
WORDS = LINE.split()
DIMENSION = 384


class Waves:
    """An embedder as cheap as can be: the vectors are given, and centred already."""

    name = "waves@1"
    dimension = DIMENSION

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Never asked here."""
        raise NotImplementedError(kind, texts)

    def centre(self, vectors: Vectors, texts: list[str]) -> Vectors:  # noqa: ARG002
        """Unit vectors."""
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True).astype(np.float32)

    def relevance(self, cosines: Vectors) -> Vectors:
        """Half as alike is alike enough."""
        return np.clip(cosines / np.float32(0.5), 0, 1)


def text_of(number: int, length: int = 12) -> str:
    """A line of words that differs from message to message."""
    return " ".join(
        WORDS[(number * 7919 + place * place * 31 + place * number) % len(WORDS)] for place in range(length)
    )


def vector_of(number: int) -> Vectors:
    """A direction of its own."""
    return np.cos(np.arange(DIMENSION, dtype=np.float32) * np.float32(1 + number % 9973) * np.float32(0.37))


def row_of(number: int) -> IndexRow:
    """One message every four minutes, a night's silence after every forty."""
    at = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=4 * number + 600 * (number // 40))
    identity = ulid(milliseconds(at), number.to_bytes(10, "big"))
    return IndexRow(
        message_id=MessageId(identity),
        text_id=TextId(identity),
        speaker="user" if number % 2 else "persona",
        sent_at=at,
        text=text_of(number),
        vector=vector_of(number).tobytes(),
    )


def main() -> int:
    """Build each size once and ask it. CPU time is what counts on a busy machine."""
    print("| messages | megabytes | median | p95 | CPU |\n|---|---|---|---|---|")
    for size in SIZES:
        timeline = build(size)
        began, times = process_time(), sorted(ask_once(timeline, number) for number in range(ASKED))
        spent = (process_time() - began) * 1000 / ASKED
        print(
            f"| {size:,} | {timeline.nbytes / 1e6:.0f} "
            f"| {times[ASKED // 2]:.1f} ms | {times[int(0.95 * ASKED)]:.1f} ms | {spent:.1f} ms |"
        )
    return 0


def build(size: int) -> Timeline:
    """A timeline as the index builds it from the store, slice by slice."""
    timeline = Timeline(Waves())
    for start in range(0, size, 1000):
        timeline.put([row_of(number) for number in range(start, start + 1000)])
    return timeline


def ask_once(timeline: Timeline, number: int) -> float:
    """The milliseconds one recall takes."""
    asked = ask(text_of(number * 13 + 5), user_name="Ada", persona_name="小满")
    query = Query(text=asked.text, about=asked.about, vector=vector_of(number * 17))
    began = perf_counter()
    select(timeline.candidates(query), budget_tokens=1500, limit=12)
    return (perf_counter() - began) * 1000


if __name__ == "__main__":
    sys.exit(main())
