"""`NumpyPairIndex`: timelines built from the store, kept current by its change feed, evicted by bytes."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from echovessel.adapters.index.timeline import Timeline
from echovessel.core.ids import MessageId
from echovessel.core.pair import Pair
from echovessel.memory.recall import Candidates
from echovessel.memory.scoring import Weights
from echovessel.ports.embedder import Embedder
from echovessel.ports.index import IndexCheck, IndexSize, Query
from echovessel.ports.records import IndexRow
from echovessel.ports.store import Store

T = TypeVar("T")

_TOUCHING = frozenset({"message.created", "message.edited", "message.deleted", "vectors.added"})
_PAGE = 1000
_SLICE = 1000
"""How many messages are read and taken in before another pair's question gets its turn."""
_FEW_ROWS = 256
"""So many rows of edited and deleted messages a timeline may hold whatever its length; else a quarter of it."""
_COMPARISONS = 3
_MOST_CHANGES = 5000
"""After more changes than this, building anew is quicker than following them."""


@dataclass(slots=True)
class _Held:
    """A timeline, whose vectors it holds, and the entry of the user's feed up to which it is current."""

    timeline: Timeline
    embedder: str
    seq: int


class NumpyPairIndex:
    """Implements `ports.index.PairIndex`.

    Called from one event loop. Arrays are touched by one thread of its own only, so neither a long build nor a search holds the
    loop up; a pair's questions are answered one after another.
    """

    def __init__(self, *, store: Store, embedder: Embedder | None, weights: Weights, max_bytes: int) -> None:
        self._store = store
        self._weights = weights
        self._embedder = embedder
        self._max_bytes = max_bytes
        self._held: OrderedDict[Pair, _Held] = OrderedDict()
        self._locks: defaultdict[Pair, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pair-index")

    async def candidates(self, pair: Pair, query: Query) -> Candidates:
        """See the port."""
        async with self._locks[pair]:
            held = await self._current(pair)
            found = await self._run(lambda: held.timeline.candidates(query))
        self._evict(pair)
        return found

    async def check(self) -> IndexCheck:
        """See the port."""
        compared, astray = 0, 0
        for pair in list(self._held):
            async with self._locks[pair]:
                if pair not in self._held:
                    continue
                agrees = await self._agrees(pair)
                compared += len(self._held[pair].timeline)
                if not agrees:
                    astray += 1
                    self._held.pop(pair)
        return IndexCheck(len(self._held) + astray, compared, astray)

    async def _agrees(self, pair: Pair) -> bool:
        """Whether a pair's timeline holds what the store does. What changed meanwhile is followed, and compared once more."""
        for _ in range(_COMPARISONS):
            held = await self._current(pair)
            if await self._is_same(pair, held):
                return True
            if await self._store.head(pair.user_id) == held.seq:
                return False
        return True  # it changes faster than it can be compared

    async def _is_same(self, pair: Pair, held: _Held) -> bool:
        stored, rows = 0, await self._page(pair, held, None)
        while rows:
            stored += len(rows)
            if await self._run(partial(held.timeline.lacks, rows)):
                return False
            rows = await self._page(pair, held, rows[-1])
        return stored == len(held.timeline)

    def size(self) -> IndexSize:
        """See the port."""
        return IndexSize(len(self._held), self._bytes())

    async def _current(self, pair: Pair) -> _Held:
        """The pair's timeline, with everything in it that was committed before this call."""
        held = self._held.get(pair)
        if held is None or held.embedder != self._embedder_name or not await self._follow(pair, held):
            self._held.pop(pair, None)
            del held  # before the next one grows: both at once would take memory that no one gets back
            held = await self._build(pair)
        self._held[pair] = held
        self._held.move_to_end(pair)
        return held

    async def _build(self, pair: Pair) -> _Held:
        """Read the pair page by page, each while the one before is taken in. What changes meanwhile is followed the next time,
        because the head was read first."""
        held = _Held(Timeline(self._embedder, self._weights), self._embedder_name, await self._store.head(pair.user_id))
        rows = await self._page(pair, held, None)
        while len(rows) == _SLICE:
            taking_in = self._run(partial(held.timeline.put, rows))
            rows, _ = await asyncio.gather(self._page(pair, held, rows[-1]), taking_in)
        await self._run(partial(held.timeline.put, rows))
        return held

    async def _page(self, pair: Pair, held: _Held, after: IndexRow | None) -> Sequence[IndexRow]:
        return await self._store.index_rows(pair, held.embedder, after=after, limit=_SLICE)

    async def _follow(self, pair: Pair, held: _Held) -> bool:
        """Take in what the feed names; False when it is better to build anew."""
        touched: dict[MessageId, None] = {}
        seq = held.seq
        while changes := await self._store.changes(pair.user_id, seq, _PAGE):
            if changes[0].seq != seq + 1:
                return False  # it was not asked for so long that what it missed is no longer told
            seq = changes[-1].seq
            touched.update((MessageId(change.ref), None) for change in changes if change.kind in _TOUCHING)
            if len(touched) > _MOST_CHANGES:
                return False
            if len(changes) < _PAGE:
                break
        if touched:
            rows = await self._store.index_rows_by_id(pair, list(touched), held.embedder)
            gone = touched.keys() - {row.message_id for row in rows}
            await self._run(lambda: (held.timeline.drop(gone), held.timeline.put(rows)))
        held.seq = seq
        return held.timeline.wasted <= max(_FEW_ROWS, len(held.timeline) // 4)

    @property
    def _embedder_name(self) -> str:
        """Whose vectors are compared now: one that is measured gets another name by it."""
        return self._embedder.name if self._embedder else ""

    def _evict(self, used: Pair) -> None:
        """Let go of the timelines that were not asked for longest, until what is held fits; the one just used stays."""
        size = self._bytes()
        for pair in list(self._held):
            if size <= self._max_bytes:
                return
            if pair != used and not self._locks[pair].locked():
                size -= self._held.pop(pair).timeline.nbytes

    def _bytes(self) -> int:
        return sum(held.timeline.nbytes for held in self._held.values())

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
