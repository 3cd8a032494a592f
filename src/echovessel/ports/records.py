"""The records the store keeps and hands out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from echovessel.core.ids import ConversationId, JobId, MessageId, PersonaId, TextId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, Turn, TurnState, reply_among


class Trust(StrEnum):
    """Of a channel identity; a stranger is blocked until allowed."""

    OWNER = "owner"
    ALLOWED = "allowed"
    BLOCKED = "blocked"


class PersonaKind(StrEnum):
    """What a persona stands for; a real person needs consent or a stated basis."""

    FICTIONAL = "fictional"
    ORIGINAL = "original"
    SELF = "self"
    AUTHORISED = "authorised"
    MEMORIAL = "memorial"
    CREATIVE = "creative"
    RESEARCH = "research"


class BlockLabel(StrEnum):
    """L1 blocks. `persona` and `style` belong to the persona; the others to one pair."""

    PERSONA = "persona"
    STYLE = "style"
    SELF = "self"
    USER = "user"
    RELATIONSHIP = "relationship"


OF_THE_PERSONA = frozenset({BlockLabel.PERSONA, BlockLabel.STYLE})
"""Blocks that everyone who talks with the persona meets; the others belong to one pair."""


class JobState(StrEnum):
    """`parked`: given up on, visible, retried on request."""

    DUE = "due"
    LEASED = "leased"
    DONE = "done"
    PARKED = "parked"


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person. `zone` is their IANA zone, `locale` `zh` or `en`."""

    id: UserId
    name: str
    zone: str
    locale: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who a user is on one channel."""

    user_id: UserId
    channel: str
    external_id: str
    trust: Trust


OWNER_CHANNEL = "page"
OWNER = "owner"
"""Channel and external id by which the one owner of a home is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """A persona as kept. `card_format` is such as `v3-png`, empty when it was not made from a card.

    `examples` are sample lines in the persona's voice; `greetings` open a conversation; `basis` states the consent or basis
    for a real person.
    """

    id: PersonaId
    name: str
    kind: PersonaKind
    locale: str
    zone: str
    basis: str = ""
    tagline: str = ""
    examples: str = ""
    greetings: tuple[str, ...] = ()
    card_format: str = ""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreBlock:
    """One L1 block at one revision (1, 2, …). `user_id` is None for `persona` and `style`."""

    persona_id: PersonaId
    user_id: UserId | None
    label: BlockLabel
    text: str
    revision: int
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A thread on a channel, bound to one persona. `key` is the channel's own name of it."""

    id: ConversationId
    pair: Pair
    channel: str
    key: str
    opened_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What a turn is answered from. `user` or `persona` is None when it is gone.

    `said`: the live messages, in timeline order, of the turn, or of that whose reply it words again. `history`: the newest live
    messages of the timeline, newest first; when a reply is worded again, those before the first that the user said in `said`.
    `aside`: what one voice said lately, in timeline order. The last two come without `variants`.
    """

    user: User | None
    persona: Persona | None
    blocks: Sequence[CoreBlock]
    said: Sequence[Message]
    history: Sequence[Message]
    aside: Sequence[Message]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSoFar:
    """A turn, its live messages in timeline order, and the message that it words again, deleted or not."""

    turn: Turn
    messages: Sequence[Message]
    worded: Message | None = None

    @property
    def reply(self) -> Message | None:
        """What answers it, once there is something."""
        return reply_among(self.messages) if self.turn.regenerates is None else self.worded


@dataclass(frozen=True, slots=True, kw_only=True)
class DueTurns:
    """Turns that can be claimed now, the oldest first, and the first instant at which another one can be; None when none is
    known to come."""

    now: Sequence[Turn]
    next_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work for later. `key` is unique per kind: scheduling it twice is scheduling it once."""

    id: JobId
    kind: str
    key: str
    user_id: UserId | None
    due_at: datetime
    state: JobState
    attempts: int
    last_error: str = ""
    payload: str = "{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """One entry of a user's change feed; `seq` grows without gaps in commit order."""

    seq: int
    kind: str
    ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRow:
    """One live message as the index needs it. `tokens`: the search tokens of its text in any order, each as often as it is
    said; None where the store does not keep them. `vector`: raw float32, None while there is none."""

    message_id: MessageId
    text_id: TextId
    speaker: str
    sent_at: datetime
    text: str
    tokens: Sequence[str] | None = field(default=None, repr=False)
    vector: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unembedded:
    """A live text without a vector of the embedder in use."""

    user_id: UserId
    persona_id: PersonaId
    text_id: TextId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Sum of the ledger since some instant. `cost` is in the currency of the owner's price settings.

    Of `tokens_in`, `cached_in` were read from the providers' caches and `cache_written_in` put into them.
    """

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float
    cached_in: int = 0
    cache_written_in: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """How much waits or is being done. `turns`: by state, `open` and `running`. `jobs`: by state, those that are done left
    out. Of a state that is missing there are none."""

    turns: Mapping[TurnState, int]
    jobs: Mapping[JobState, int]


@dataclass(frozen=True, slots=True)
class SpentOn:
    """The part of a sum that one model took; `profile` is the name of its connection, empty for the section `llm`."""

    profile: str
    model: str
    spent: Spent


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreHealth:
    """What `doctor` asks: which database, its schema revision, what an integrity check said ("ok" when well)."""

    kind: str
    where: str
    revision: str
    integrity: str
    durable: bool
    messages: int
    parked_jobs: int
