"""What the store is on either database: the same reads, the same changes, the same way to wait."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from echovessel.adapters.store import feed, indexing, jobs, ledger, people, stage, timeline, turns
from echovessel.adapters.store.bell import Bell
from echovessel.core.errors import EchoVesselError, StoreDown, StoreUnusable
from echovessel.core.ids import MessageId, PersonaId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, Turn
from echovessel.ports.changes import Applied, Change, Fence
from echovessel.ports.clock import Clock
from echovessel.ports.meter import Meter
from echovessel.ports.records import (
    Backlog,
    BlockLabel,
    ChangeRow,
    Conversation,
    CoreBlock,
    DueTurns,
    Identity,
    IndexRow,
    Job,
    JobState,
    Persona,
    Spent,
    SpentOn,
    Stage,
    StoreHealth,
    TurnSoFar,
    Unembedded,
    User,
)

P = ParamSpec("P")
T = TypeVar("T")


class SqlStore(ABC):
    """Implements `ports.store.Store` but for where it runs. `poll_s`: how long a waiter may sleep through another process's
    write; None where no other process writes."""

    def __init__(self, clock: Clock, meter: Meter | None, *, poll_s: float | None) -> None:
        self._clock = clock
        self._meter = meter or Meter()
        self._poll_s = poll_s
        self._bell = Bell()
        self._down: EchoVesselError | None = None

    async def apply(self, changes: Sequence[Change], fence: Fence | None = None) -> Applied:
        """See `ports.store.Store.apply`."""
        began = self._clock.monotonic()
        with self._noticed():
            applied = await self._apply(changes, fence)
        self._meter.wrote(changes, applied, self._clock.monotonic() - began)
        return applied

    @property
    def down(self) -> EchoVesselError | None:
        """See `ports.store.Store.down`."""
        return self._down

    async def try_writing(self) -> None:
        """See `ports.store.Store.try_writing`."""
        with self._noticed():
            await self._touch()

    @contextmanager
    def _noticed(self) -> Generator[None]:
        """Remember what keeps the database from being written, until a write is done."""
        try:
            yield
        except (StoreDown, StoreUnusable) as down:
            self._down = down
            raise
        self._down = None

    @abstractmethod
    async def _apply(self, changes: Sequence[Change], fence: Fence | None) -> Applied:
        """Do the changes, durably."""

    @abstractmethod
    async def _touch(self) -> None:
        """Write something that changes nothing."""

    @abstractmethod
    async def health(self) -> StoreHealth:
        """See `ports.store.Store.health`."""

    @abstractmethod
    async def scrub(self) -> None:
        """See `ports.store.Store.scrub`."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was accepted, wake who waits, let go of the database."""

    @abstractmethod
    async def _read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query off the event loop, in one snapshot."""

    @abstractmethod
    def _lease_now(self, conn: Connection, now: datetime) -> datetime:
        """The clock that judges leases, when a reader's own clock says `now`."""

    # ------------------------------------------------------------ people

    async def user(self, user_id: UserId) -> User | None:
        return await self._read(people.user, user_id)

    async def users(self) -> Sequence[User]:
        return await self._read(people.users)

    async def identity(self, channel: str, external_id: str) -> Identity | None:
        return await self._read(people.identity, channel, external_id)

    async def persona(self, persona_id: PersonaId) -> Persona | None:
        return await self._read(people.persona, persona_id)

    async def personas(self) -> Sequence[Persona]:
        return await self._read(people.personas)

    async def persona_of_card(self, card: bytes) -> Persona | None:
        return await self._read(people.persona_of_card, card)

    async def card(self, persona_id: PersonaId) -> bytes:
        return await self._read(people.card, persona_id)

    async def core_blocks(self, pair: Pair) -> Sequence[CoreBlock]:
        return await self._read(people.core_blocks, pair)

    async def block_history(
        self, persona_id: PersonaId, user_id: UserId | None, label: BlockLabel
    ) -> Sequence[CoreBlock]:
        return await self._read(people.block_history, persona_id, user_id, label)

    # ------------------------------------------------------------ talk

    async def conversation(self, user_id: UserId, channel: str, key: str) -> Conversation | None:
        return await self._read(timeline.conversation, user_id, channel, key)

    async def message(self, user_id: UserId, message_id: MessageId) -> Message | None:
        return await self._read(timeline.message, user_id, message_id)

    async def messages(
        self,
        pair: Pair,
        *,
        before: MessageId | None = None,
        after: MessageId | None = None,
        limit: int = 50,
        q: str | None = None,
    ) -> Sequence[Message]:
        page = timeline.Page(before=before, after=after, limit=limit, q=q)
        return await self._read(timeline.messages, pair, page)

    async def first_message(self, pair: Pair) -> Message | None:
        return await self._read(timeline.first, pair)

    async def messages_by_id(
        self, user_id: UserId, ids: Sequence[MessageId], *, variants: bool = True
    ) -> Sequence[Message]:
        return await self._read(timeline.messages_by_id, user_id, ids, variants=variants)

    # ------------------------------------------------------------ turns and jobs

    async def turn(self, user_id: UserId, turn_id: TurnId) -> Turn | None:
        return await self._read(turns.turn, user_id, turn_id)

    async def turn_so_far(self, user_id: UserId, turn_id: TurnId) -> TurnSoFar | None:
        return await self._read(stage.turn_so_far, user_id, turn_id)

    async def stage(self, turn: Turn, *, history: int, aside: str, since: datetime) -> Stage:
        return await self._read(stage.stage, turn, history=history, aside=aside, since=since)

    async def due_turns(self, limit: int = 50) -> DueTurns:
        return await self._read(self._at_both_clocks, partial(turns.due, limit=limit))

    async def next_job_due(self, kinds: Sequence[str]) -> datetime | None:
        return await self._read(self._at_both_clocks, partial(jobs.next_due, kinds=kinds))

    async def backlog(self) -> Backlog:
        def query(conn: Connection) -> Backlog:
            return Backlog(turns=turns.counts(conn), jobs=jobs.counts(conn))

        return await self._read(query)

    async def jobs(self, *, state: JobState | None = None, limit: int = 100) -> Sequence[Job]:
        return await self._read(jobs.jobs, state, limit)

    def _at_both_clocks(self, conn: Connection, query: Callable[[Connection, datetime, datetime], T]) -> T:
        now = self._clock.now()
        return query(conn, now, self._lease_now(conn, now))

    # ------------------------------------------------------------ feed, index, ledger

    async def changes(self, user_id: UserId, after: int, limit: int = 1000) -> Sequence[ChangeRow]:
        return await self._read(feed.changes, user_id, after, limit)

    async def head(self, user_id: UserId) -> int:
        return await self._read(feed.head, user_id)

    async def follow(self, user_id: UserId, after: int, limit: int = 1000) -> AsyncGenerator[Sequence[ChangeRow]]:
        while True:
            ticket = self._bell.take_ticket(user_id)  # before the look: whatever is written after it rings
            try:
                while rows := await self.changes(user_id, after, limit):
                    after = rows[-1].seq
                    yield rows
                    if len(rows) < limit:
                        break
                await asyncio.wait([ticket], timeout=self._poll_s)
            finally:
                self._bell.give_back(user_id, ticket)

    async def index_rows(
        self, pair: Pair, embedder: str, *, after: IndexRow | None = None, limit: int | None = None
    ) -> Sequence[IndexRow]:
        return await self._read(indexing.index_rows, pair, embedder, after, limit)

    async def index_rows_by_id(self, pair: Pair, ids: Sequence[MessageId], embedder: str) -> Sequence[IndexRow]:
        return await self._read(indexing.index_rows_by_id, pair, ids, embedder)

    async def unembedded(self, embedder: str, limit: int) -> Sequence[Unembedded]:
        return await self._read(indexing.unembedded, embedder, limit)

    async def count_unembedded(self, embedder: str) -> int:
        return await self._read(indexing.count_unembedded, embedder)

    async def embedders(self) -> dict[str, int]:
        return await self._read(indexing.embedders)

    async def trace(self, user_id: UserId, turn_id: TurnId) -> str | None:
        return await self._read(ledger.trace, user_id, turn_id)

    async def spent(self, since: datetime) -> Spent:
        return await self._read(ledger.spent, since)

    async def spent_on(self, since: datetime) -> Sequence[SpentOn]:
        return await self._read(ledger.spent_on, since)
