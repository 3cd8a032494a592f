"""What is said: messages, turns, and the chat messages a model is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from echovessel.core.ids import ConversationId, MessageId, TextId, TurnId
from echovessel.core.pair import Pair


class Speaker(StrEnum):
    """Who said it."""

    USER = "user"
    PERSONA = "persona"


class Voice(StrEnum):
    """Whose words they are. `keeper` and `care` are the program speaking in the persona's place; they must never be taken for
    the persona's."""

    USER = "user"
    PERSONA = "persona"
    KEEPER = "keeper"
    CARE = "care"


def voice_of(speaker: Speaker, made_by: str) -> Voice:
    """Whose words a message holds, by who said it and who worded it."""
    if speaker is Speaker.USER:
        return Voice.USER
    if made_by.startswith("keeper@"):
        return Voice.KEEPER
    return Voice.CARE if made_by.startswith("care@") else Voice.PERSONA


class MessageState(StrEnum):
    """`partial`: cut or stopped, text kept. `failed`: no text came. `deleted`: text gone, row kept."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"
    DELETED = "deleted"


class TurnState(StrEnum):
    """`open` collects the burst; `running` is claimed; the other three are final."""

    OPEN = "open"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why a turn failed, as the page shows it. `aside` is what the keeper could still say, or empty."""

    code: str
    message: str
    do: str
    aside: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One immutable wording of a message (an edit or a rerolled answer)."""

    id: TextId
    text: str
    made_by: str
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One thing said, verbatim (L2). `text` is the active variant's text, empty when deleted.

    `made_by` says who worded the active variant: `user`, `import`, `card` (a greeting), `edit`, `keeper@1`, `care@1`, or
    `<prompt@version> <model>`. `zone` is the IANA zone of the person who said it.
    """

    id: MessageId
    pair: Pair
    conversation_id: ConversationId
    turn_id: TurnId | None
    channel: str
    speaker: Speaker
    state: MessageState
    sent_at: datetime
    zone: str
    text: str
    text_id: TextId
    made_by: str
    variants: tuple[Variant, ...] = ()
    client_id: str | None = None
    external_id: str | None = None
    trouble: Trouble | None = None


def reply_among(messages: Sequence[Message]) -> Message | None:
    """The reply among the messages of one turn, in timeline order: the last words of the persona, or of the keeper for it."""
    replying = (Voice.PERSONA, Voice.KEEPER)
    return next((m for m in reversed(messages) if voice_of(m.speaker, m.made_by) in replying), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The user's burst of messages and the persona's reply to it.

    `regenerates` names the persona message that this turn words again; such a turn has no burst of its own. `draft` is the
    reply so far, as last saved. `asked_to_stop` is set by anyone and honoured by the worker that holds the lease.
    """

    id: TurnId
    pair: Pair
    conversation_id: ConversationId
    channel: str
    state: TurnState
    opened_at: datetime
    due_at: datetime
    attempts: int = 0
    regenerates: MessageId | None = None
    draft: str = ""
    asked_to_stop: bool = False
    trouble: Trouble | None = None


class ChatRole(StrEnum):
    """Roles of the chat protocols."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a model request."""

    role: ChatRole
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one model call as the provider counted them (`estimated` when it did not).

    `tokens_in` is the whole prompt; of it, `cached_in` were read from the provider's cache and `cache_written_in` put into it.
    """

    tokens_in: int
    tokens_out: int
    cached_in: int = 0
    cache_written_in: int = 0
    estimated: bool = False
