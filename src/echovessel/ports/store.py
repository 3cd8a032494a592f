"""The store: one way to write (`apply`), many ways to read, no way to hold a transaction."""

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from typing import Protocol

from echovessel.core.errors import EchoVesselError
from echovessel.core.ids import MessageId, PersonaId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, Turn
from echovessel.ports.changes import Applied, Change, Fence
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


class Store(Protocol):
    """All canonical data. Every read that names a user sees only that user's rows."""

    async def apply(self, changes: Sequence[Change], fence: Fence | None = None) -> Applied:
        """Do all changes in one durable transaction, or none.

        Raises `FenceLost` when the fence's token no longer holds its lease, `Conflict` or `NotFound` when a change cannot be
        done; then nothing was written.
        """
        ...

    @property
    def down(self) -> EchoVesselError | None:
        """Why the last write could not be done, when that was the database's or the disk's fault; None while writes work."""
        ...

    async def try_writing(self) -> None:
        """Write something that changes nothing, to learn whether writes work (again). Raises what `down` then is."""
        ...

    async def user(self, user_id: UserId) -> User | None: ...
    async def users(self) -> Sequence[User]: ...
    async def identity(self, channel: str, external_id: str) -> Identity | None: ...
    async def persona(self, persona_id: PersonaId) -> Persona | None: ...
    async def personas(self) -> Sequence[Persona]: ...
    async def persona_of_card(self, card: bytes) -> Persona | None:
        """The persona that was made from exactly this file."""
        ...

    async def card(self, persona_id: PersonaId) -> bytes:
        """The file that the persona was made from, as it was; empty when it was made without one, or is not there."""
        ...

    async def core_blocks(self, pair: Pair) -> Sequence[CoreBlock]:
        """The current revision of every block that speaks to this pair, in the order of `BlockLabel`."""
        ...

    async def block_history(
        self, persona_id: PersonaId, user_id: UserId | None, label: BlockLabel
    ) -> Sequence[CoreBlock]:
        """All revisions, newest first."""
        ...

    async def conversation(self, user_id: UserId, channel: str, key: str) -> Conversation | None: ...

    async def message(self, user_id: UserId, message_id: MessageId) -> Message | None: ...

    async def messages(
        self,
        pair: Pair,
        *,
        before: MessageId | None = None,
        after: MessageId | None = None,
        limit: int = 50,
        q: str | None = None,
    ) -> Sequence[Message]:
        """A page of the timeline, newest first, deleted ones left out. `q`: only messages that hold all its tokens.

        `before`: the page that ends just before that message. `after`: the page that begins just after it (what a reader
        who jumped to an old message scrolls down to).
        """
        ...

    async def first_message(self, pair: Pair) -> Message | None:
        """The oldest live message of the timeline."""
        ...

    async def messages_by_id(
        self, user_id: UserId, ids: Sequence[MessageId], *, variants: bool = True
    ) -> Sequence[Message]:
        """Those that exist and are live, in timeline order. Without their `variants` it takes a third of the time."""
        ...

    async def turn(self, user_id: UserId, turn_id: TurnId) -> Turn | None: ...

    async def turn_so_far(self, user_id: UserId, turn_id: TurnId) -> TurnSoFar | None:
        """A turn with what was said in it, in one snapshot."""
        ...

    async def stage(self, turn: Turn, *, history: int, aside: str, since: datetime) -> Stage:
        """What a turn is answered from, in one snapshot: with at most `history` messages of it, and what `aside` (a `made_by`)
        said at `since` or later."""
        ...

    async def due_turns(self, limit: int = 50) -> DueTurns:
        """At most `limit` turns that a worker may claim: open ones that are due, running ones whose lease ran out. After them
        comes the earliest of what is still to be due, and of the leases that last. The open turns of a pair that has a running
        one are left out."""
        ...

    async def next_job_due(self, kinds: Sequence[str]) -> datetime | None:
        """When `ClaimJob` of these kinds will next find something: the earliest due time or end of a lease; None when nothing
        is queued."""
        ...

    async def trace(self, user_id: UserId, turn_id: TurnId) -> str | None:
        """The turn's trace as JSON."""
        ...

    async def changes(self, user_id: UserId, after: int, limit: int = 1000) -> Sequence[ChangeRow]: ...
    async def head(self, user_id: UserId) -> int:
        """The newest seq of this user's feed; 0 when there is none."""
        ...

    def follow(self, user_id: UserId, after: int, limit: int = 1000) -> AsyncGenerator[Sequence[ChangeRow]]:
        """The user's feed after `after`, as it is written: pages of one to `limit` entries, each entry once and in order. It
        has no end."""
        ...

    async def index_rows(
        self, pair: Pair, embedder: str, *, after: IndexRow | None = None, limit: int | None = None
    ) -> Sequence[IndexRow]:
        """The messages of a pair that may be recalled, with this embedder's vectors, in timeline order: all, or a page of at
        most `limit` that begins behind `after`.

        Left out: deleted and failed ones, and what the keeper or the care text said (`made_by` keeper@…, care@…).
        """
        ...

    async def index_rows_by_id(self, pair: Pair, ids: Sequence[MessageId], embedder: str) -> Sequence[IndexRow]:
        """The same for some messages; those that may not be recalled, or are another pair's, are missing from the answer."""
        ...

    async def unembedded(self, embedder: str, limit: int) -> Sequence[Unembedded]:
        """Texts that may be recalled and lack this embedder's vector. Those of a turn that is not over are left out: they stand
        in its prompt anyway, and get their vectors together with the reply."""
        ...

    async def count_unembedded(self, embedder: str) -> int:
        """How many texts `unembedded` would name without a limit."""
        ...

    async def embedders(self) -> dict[str, int]:
        """How many stored vectors each embedder name has."""
        ...

    async def backlog(self) -> Backlog:
        """How much waits and runs."""
        ...

    async def jobs(self, *, state: JobState | None = None, limit: int = 100) -> Sequence[Job]: ...
    async def spent(self, since: datetime) -> Spent: ...
    async def spent_on(self, since: datetime) -> Sequence[SpentOn]:
        """The same by connection and model, the dearest first."""
        ...

    async def health(self) -> StoreHealth: ...

    async def scrub(self) -> None:
        """Leave no plaintext of erased rows in the database's files (free pages, search index, write-ahead log)."""
        ...

    async def close(self) -> None: ...
