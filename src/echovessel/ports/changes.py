"""Every way the store can change: a closed union. Add a variant, and the type checker names every place to fill."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from echovessel.core.ids import CallId, ConversationId, JobId, MessageId, PersonaId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, MessageState, Speaker, Trouble, Turn, TurnState
from echovessel.ports.records import CoreBlock, Identity, Job, Persona, User


class FenceKind(StrEnum):
    """What is leased."""

    TURN = "turn"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class Fence:
    """Write only while this token holds an unexpired lease on the turn or job."""

    kind: FenceKind
    id: str
    token: str


@dataclass(frozen=True, slots=True)
class Lease:
    """A claim: an unguessable token and how many seconds it lasts, judged by the store's clock."""

    token: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PutUser:
    """Create a user or replace their name, zone and locale."""

    user: User


@dataclass(frozen=True, slots=True, kw_only=True)
class PutIdentity:
    """Link a channel identity, or change its trust."""

    identity: Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class PutPersona:
    """Create a persona or replace what is kept about it. `card`: the original bytes of the file it was made from; empty leaves
    those that are kept. Conflict when another persona was made from the same file."""

    persona: Persona
    card: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PutCoreBlock:
    """Write the next revision of an L1 block; Conflict unless `block.revision` is the current one plus 1."""

    block: CoreBlock


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenConversation:
    """Open a thread (and the pair, if new). The same (user, channel, key) again changes nothing, and is a Conflict when it
    names another persona: a conversation cannot be rebound."""

    conversation_id: ConversationId
    pair: Pair
    channel: str
    key: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class HearMessage:
    """Store what a user said, in the open turn of the conversation's pair and channel, else in the new turn `turn_id`.

    The turn's `due_at` moves to `due_at`. A known `client_id` (of this pair) or `external_id` (of this pair and channel)
    changes nothing; the outcome then names the message that was there. The message gets its conversation by `conversation_id`.
    Feed: `message.created`.
    """

    message_id: MessageId
    text_id: TextId
    turn_id: TurnId
    conversation_id: ConversationId
    pair: Pair
    channel: str
    text: str
    sent_at: datetime
    zone: str
    due_at: datetime
    client_id: str | None = None
    external_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SayMessage:
    """Store what the persona says outside a model reply: a greeting, the care text. A known id or a known `external_id` (of
    this pair and channel) changes nothing. Feed: `message.created`."""

    message_id: MessageId
    text_id: TextId
    turn_id: TurnId | None
    conversation_id: ConversationId
    pair: Pair
    channel: str
    text: str
    made_by: str
    sent_at: datetime
    zone: str
    external_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportMessage:
    """Store a message said elsewhere in the past, without a turn. A known `external_id` (of this pair and channel) changes
    nothing; nor does it when the message `origin`, from which it was exported, is this pair's own, also if it was deleted.
    Feed: `message.created`."""

    message_id: MessageId
    text_id: TextId
    conversation_id: ConversationId
    pair: Pair
    channel: str
    speaker: Speaker
    text: str
    sent_at: datetime
    zone: str
    external_id: str
    origin: MessageId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimTurn:
    """Take a waiting turn (see `Store.due_turns`) and count the attempt. The outcome's `turn` is None when another worker
    has it or the pair has a running turn. Feed: `turn.changed`."""

    user_id: UserId
    turn_id: TurnId
    lease: Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveDraft:
    """Keep the reply so far and renew the lease. Needs the turn's fence. The outcome says whether someone asked to stop, or
    deleted the message that is worded again; of such a one nothing is kept. No feed entry."""

    user_id: UserId
    turn_id: TurnId
    text: str
    lease_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The words a turn ends with. `sent_at` is the claim's instant, so that a later message sorts after it."""

    message_id: MessageId
    text_id: TextId
    text: str
    state: MessageState
    made_by: str
    sent_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotes:
    """The messages whose words a reply repeats, or, where there is trouble, its aside. When one of them is deleted, before or
    after, `instead` takes the place of the whole."""

    of: tuple[MessageId, ...]
    instead: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishTurn:
    """End a turn: needs its fence. `reply` None only when nothing is to be shown (all its messages were deleted).

    A turn that regenerates adds the reply as a new active variant of that message and sets the message's state and trouble; a
    failed reroll without text leaves the active variant as it is, and only sets the trouble. Otherwise the reply becomes a new
    persona message.
    Feed: `reply.done` or `reply.failed` (ref = turn id), and `message.created` or `message.edited` (ref = message id).
    """

    user_id: UserId
    turn_id: TurnId
    state: TurnState
    reply: Reply | None
    trouble: Trouble | None = None
    quotes: Quotes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskToStop:
    """Mark an open or running turn to be stopped; a finished one stays as it is. An open turn becomes due at once.
    Feed: `turn.changed`."""

    user_id: UserId
    turn_id: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenReroll:
    """Open a turn, due at once, that words a persona message again. Conflict while the pair has a running turn or the pair and
    channel an open one."""

    turn_id: TurnId
    message_id: MessageId
    user_id: UserId
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EditMessage:
    """Add a wording made by a person and make it the active one. Feed: `message.edited`."""

    user_id: UserId
    message_id: MessageId
    text_id: TextId
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseVariant:
    """Make an existing wording the active one. Feed: `message.edited`."""

    user_id: UserId
    message_id: MessageId
    text_id: TextId


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteMessage:
    """Erase every wording, its vectors and search tokens; the row stays as `deleted`. Feed: `message.deleted`."""

    user_id: UserId
    message_id: MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class PutVectors:
    """Store raw float32 vectors, one a text; texts erased meanwhile are passed over. Feed: `vectors.added`, one entry a
    message (ref = message id)."""

    user_id: UserId
    persona_id: PersonaId
    embedder: str
    vectors: tuple[tuple[TextId, bytes], ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetVectors:
    """Remove vectors that other embedders than `keep` made, at most `limit` of them. Outcome.fresh: whether there were any."""

    keep: str
    limit: int = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidy:
    """Remove what nobody looks at any more: traces of turns opened before `traces_before`, jobs that are done and were due
    before `jobs_before`, of each user's feed all but the newest `changes_kept` entries; at most `limit` of each kind.
    Outcome.fresh: whether there were any."""

    traces_before: datetime
    jobs_before: datetime
    changes_kept: int
    limit: int = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class PutTrace:
    """Keep why a turn said what it said (JSON, ids and numbers only, no message text)."""

    user_id: UserId
    turn_id: TurnId
    trace: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordCall:
    """One line of the cost ledger; a known id changes nothing. `profile` is the connection's name, empty for the section `llm`;
    `outcome` is `ok`, `length`, `stopped` or an error code; `cost` in the owner's currency."""

    id: CallId
    user_id: UserId
    turn_id: TurnId | None
    role: str
    profile: str
    model: str
    prompt: str
    outcome: str
    tokens_in: int
    tokens_out: int
    cached_in: int
    cache_written_in: int
    estimated: bool
    cost: float
    seconds: float
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleJob:
    """Queue work. A job of the same kind and key that is still `due` is kept and its due time becomes the earlier one; a
    `done` or `parked` one is due again."""

    job_id: JobId
    kind: str
    key: str
    user_id: UserId | None
    due_at: datetime
    payload: str = "{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimJob:
    """Take the oldest due job of these kinds, or one whose lease ran out; the outcome's `job` is None when there is none."""

    kinds: tuple[str, ...]
    lease: Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class EndJob:
    """Needs the job's fence. Without `error`: done. With it: due again at `retry_at`, or parked when that is None."""

    job_id: JobId
    error: str = ""
    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepJob:
    """Needs the job's fence. A sign of life: the lease lasts this long from now on."""

    job_id: JobId
    lease_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PullJobs:
    """The machine's clock was set back by so many seconds: jobs that wait are due that much earlier, so as long from now as
    before."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLeases:
    """Let every lease run out now: said at start-up by the one process that owns a home."""


PeopleChange = PutUser | PutIdentity | PutPersona | PutCoreBlock
TalkChange = OpenConversation | HearMessage | SayMessage | ImportMessage | EditMessage | ChooseVariant | DeleteMessage
TurnChange = ClaimTurn | SaveDraft | FinishTurn | AskToStop | OpenReroll
IndexChange = PutVectors | ForgetVectors
RecordChange = RecordCall | PutTrace | Tidy
JobChange = ScheduleJob | ClaimJob | EndJob | KeepJob | PullJobs | ReleaseLeases

Change = PeopleChange | TalkChange | TurnChange | IndexChange | RecordChange | JobChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a change found or did; only the fields of its kind are set."""

    message_id: MessageId | None = None
    conversation_id: ConversationId | None = None
    turn_id: TurnId | None = None
    fresh: bool = True
    stop_asked: bool = False
    turn: Turn | None = None
    job: Job | None = None
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Applied:
    """One outcome a change, in the same order."""

    outcomes: tuple[Outcome, ...]
