"""What is said: messages, their wordings, turns, and what recall finds."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field

from echovessel.api.dto.base import PROSE, ULID_EXAMPLE, Id, Input, Instant, Listing, View
from echovessel.core.talk import Message, MessageState, Speaker, Trouble, Turn, TurnState
from echovessel.core.text import MAX_INPUT

CLIENT_ID = r"^[A-Za-z0-9_.:-]{1,64}$"
SEARCH_LENGTH = 500


class TroubleView(View):
    """Why a turn failed, and what helps."""

    code: str = Field(examples=["model-unreachable"])
    message: str
    do: str = Field(description="What you can do about it.")
    aside: str = Field(description="What the keeper could still say; may be empty.")

    @classmethod
    def of(cls, trouble: Trouble) -> Self:
        """The view of a stored trouble."""
        return cls(code=trouble.code, message=trouble.message, do=trouble.do, aside=trouble.aside)


class VariantView(View):
    """One wording of a message, without its text: choose it to read it."""

    id: Id
    made_by: str
    made_at: Instant


class MessageView(View):
    """One thing said, verbatim."""

    id: Id
    persona_id: Id
    speaker: Speaker
    text: str = Field(description="The active wording; empty when deleted or when no text came.")
    state: MessageState
    sent_at: Instant
    zone: str = Field(description="The IANA zone of the person who said it.")
    turn_id: Id | None
    channel: str
    client_id: str | None = Field(description="The name its sender gave it.")
    made_by: str = Field(description="`user`, `import`, `card`, `edit`, `keeper@1`, `care@1` or a prompt and a model.")
    text_id: Id = Field(description="The active wording.")
    variants: list[VariantView]
    edited: bool
    trouble: TroubleView | None

    @classmethod
    def of(cls, message: Message) -> Self:
        """The view of a stored message."""
        return cls(
            id=message.id,
            persona_id=message.pair.persona_id,
            speaker=message.speaker,
            text=message.text,
            state=message.state,
            sent_at=message.sent_at,
            zone=message.zone,
            turn_id=message.turn_id,
            channel=message.channel,
            client_id=message.client_id,
            made_by=message.made_by,
            text_id=message.text_id,
            variants=[VariantView(id=v.id, made_by=v.made_by, made_at=v.made_at) for v in message.variants],
            edited=message.made_by == "edit",
            trouble=TroubleView.of(message.trouble) if message.trouble else None,
        )


class MessageList(Listing[MessageView]):
    """A page of the timeline, newest first. `next` goes on in the direction asked for: older, or with `after` newer."""


Text = Annotated[str, Field(min_length=1, max_length=MAX_INPUT), PROSE]
Channel = Annotated[Literal["page", "terminal"], Field(description="The client that is asking.")]
MessageCursor = Annotated[str, Field(max_length=64, examples=[ULID_EXAMPLE])]


class MessagesQuery(Input):
    """Which part of the timeline: the newest page, or the one just before or just after a message."""

    before: MessageCursor | None = Field(None, description="Only messages before this one.")
    after: MessageCursor | None = Field(
        None, description="The page that begins just after this one. Not with `before`."
    )
    limit: int = Field(50, ge=1, le=200, strict=False)
    q: Annotated[str, Field(max_length=SEARCH_LENGTH), PROSE] | None = Field(
        None, description="Only messages that hold all these words."
    )


class Say(Input):
    """Something to say. The same `client_id` twice is one message."""

    text: Text = Field(examples=["今天下雨了。"])
    client_id: Annotated[str, Field(pattern=CLIENT_ID)] | None = Field(
        None, description="Your own name of this message: letters, digits and `_.:-`, at most 64."
    )
    channel: Channel = "page"


class GreetQuery(Input):
    """Where the conversation is opened."""

    channel: Channel = "page"


class Said(View):
    """The message is on disk; the reply will come in this turn."""

    turn_id: Id
    message_id: Id


class MessageChange(Input):
    """Either a new wording or the choice of an older one, not both."""

    text: Text | None = None
    text_id: Annotated[str, Field(max_length=64)] | None = None


class TurnRef(View):
    """A turn that will answer."""

    turn_id: Id


class ConversationRef(View):
    """The conversation that was opened, or was open already."""

    conversation_id: Id


class TurnView(View):
    """Your burst of messages and the reply to it."""

    id: Id
    state: TurnState
    persona_id: Id
    channel: str
    opened_at: Instant
    due_at: Instant
    regenerates: Id | None = Field(description="The persona message that this turn words again.")
    draft: str = Field(description="The reply so far, as last saved.")
    trouble: TroubleView | None

    @classmethod
    def of(cls, turn: Turn) -> Self:
        """The view of a stored turn."""
        return cls(
            id=turn.id,
            state=turn.state,
            persona_id=turn.pair.persona_id,
            channel=turn.channel,
            opened_at=turn.opened_at,
            due_at=turn.due_at,
            regenerates=turn.regenerates,
            draft=turn.draft,
            trouble=TroubleView.of(turn.trouble) if turn.trouble else None,
        )


class TraceView(View):
    """Why a turn said what it said: ids and numbers, no words."""

    turn_id: Id
    trace: dict[str, Any]


class RecallAsk(Input):
    """What to look for in everything that was said."""

    query: Annotated[str, Field(min_length=1, max_length=2000), PROSE] = Field(examples=["那盆龟背竹后来怎么样了"])
    k: int = Field(10, ge=1, le=100)
    only_fitting: bool = Field(False, description="Leave out what fits too little for a reply to be given it.")


class RecallHit(View):
    """A message that was found, with the factors of its score."""

    message: MessageView
    score: float
    fits: bool = Field(description="Whether it fits well enough for a reply to be given it.")
    factors: dict[str, float]


class RecallList(Listing[RecallHit]):
    """What was found, best first."""
