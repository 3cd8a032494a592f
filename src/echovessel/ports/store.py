"""The store: one way to write (`apply`), many ways to read, no way to hold a transaction."""

from collections.abc import Sequence
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
    Identity,
    IndexRow,
    Job,
    JobState,
    Persona,
    Spent,
    SpentOn,
    StoreHealth,
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

    async def worded_since(self, pair: Pair, made_by: str, since: datetime) -> Sequence[Message]:
        """Live messages sent at `since` or later whose active wording is `made_by`'s, in timeline order."""
        ...

    async def first_message(self, pair: Pair) -> Message | None:
        """The oldest live message of the timeline."""
        ...

    async def messages_by_id(self, user_id: UserId, ids: Sequence[MessageId]) -> Sequence[Message]:
        """Those that exist and are live, in timeline order."""
        ...

    async def turn_messages(self, user_id: UserId, turn_id: TurnId) -> Sequence[Message]:
        """The live messages of one turn in timeline order."""
        ...

    async def turn(self, user_id: UserId, turn_id: TurnId) -> Turn | None: ...

    async def waiting_turns(self, now: datetime, limit: int = 50) -> Sequence[Turn]:
        """Turns a worker may claim at `now`: open ones that are due, running ones whose lease ran out; the oldest first.
        A pair with a live running turn is left out."""
        ...

    async def next_turn_due(self) -> datetime | None:
        """When `waiting_turns` will next have something: the earliest due time of an open turn whose pair has no live running
        turn, or the earliest end of a running turn's lease; None when nothing waits. May lie in the past."""
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

    async def wait_for_change(self, user_id: UserId, after: int) -> None:
        """Return once the user's feed may hold something newer than `after`; may return early, never late."""
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
