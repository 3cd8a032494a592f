"""What the event stream says. The page's types of it come from `EventData`: one property an event name."""

from pydantic import ConfigDict, Field

from echovessel.api.dto.base import Id, View
from echovessel.api.dto.people import Me, PersonaView
from echovessel.api.dto.talk import MessageView, TroubleView, TurnView


class MessageEvent(View):
    """A message came, was reworded or was deleted."""

    persona_id: Id
    message: MessageView


class TurnEvent(View):
    """A turn opened, was claimed, or was asked to stop."""

    turn: TurnView


class ReplyDeltaEvent(View):
    """A piece of a reply that is being worded. With `reset` it replaces all that was shown of this turn's reply."""

    turn_id: Id
    persona_id: Id
    offset: int = Field(description="Characters (code points) before this piece.")
    text: str
    reset: bool


class ReplyDoneEvent(View):
    """The turn has ended. `message` is null when nothing is to be shown (all its messages were deleted)."""

    turn_id: Id
    persona_id: Id
    message: MessageView | None


class ReplyFailedEvent(View):
    """The turn failed; the message holds what was said until then, and can be regenerated. Null when it was deleted."""

    turn_id: Id
    persona_id: Id
    message: MessageView | None
    trouble: TroubleView


class PersonaEvent(View):
    """A persona was made or edited."""

    persona: PersonaView


class UserEvent(View):
    """You changed your name, zone or language."""

    user: Me


class CoreEvent(View):
    """A core block has a new revision. `ref` names it."""

    ref: str


class JobEvent(View):
    """A job was scheduled or ended."""

    job_id: Id


class ResetEvent(View):
    """The last event you saw is not of this database (a backup was restored): load everything anew."""


class EventData(View):
    """The JSON in `data:` by the name in `event:`."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    message_created: MessageEvent = Field(alias="message.created")
    message_edited: MessageEvent = Field(alias="message.edited")
    message_deleted: MessageEvent = Field(alias="message.deleted")
    turn_changed: TurnEvent = Field(alias="turn.changed")
    reply_delta: ReplyDeltaEvent = Field(alias="reply.delta")
    reply_done: ReplyDoneEvent = Field(alias="reply.done")
    reply_failed: ReplyFailedEvent = Field(alias="reply.failed")
    persona_changed: PersonaEvent = Field(alias="persona.changed")
    user_changed: UserEvent = Field(alias="user.changed")
    core_changed: CoreEvent = Field(alias="core.changed")
    job_changed: JobEvent = Field(alias="job.changed")
    feed_reset: ResetEvent = Field(alias="feed.reset")
