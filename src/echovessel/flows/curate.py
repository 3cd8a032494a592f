"""People change what was said: edit, choose a wording, delete, have it worded again."""

from echovessel.core.errors import BadInput, NotFound
from echovessel.core.ids import JobId, MessageId, TextId, TurnId, UserId
from echovessel.core.talk import Message, MessageState, Speaker, Voice, voice_of
from echovessel.core.text import clean_input
from echovessel.flows.care import CARE
from echovessel.flows.deps import Deps
from echovessel.ports.changes import (
    Change,
    ChooseVariant,
    DeleteMessage,
    EditMessage,
    OpenReroll,
    ScheduleJob,
)

SCRUB = "scrub"
"""The job that leaves no plaintext of erased rows in the database's files."""


class FlowCuration:
    """Implements `ports.front.Curation`."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps

    async def edit(self, user_id: UserId, message_id: MessageId, text: str) -> Message:
        """Give a message a new wording; the old one stays among its variants.

        The program's own words are not edited: nothing would tell the edit from what the persona said.
        """
        message = await self._live(user_id, message_id)
        if voice_of(message.speaker, message.made_by) in {Voice.KEEPER, Voice.CARE}:
            raise BadInput(
                "The program said this, not the persona; its words stay as they are.",
                field="id",
                do="Delete the message, or have the answer worded again once a model is connected.",
            )
        wording = clean_input(text, "text")
        if wording == message.text:
            return message
        now = self._deps.clock.now()
        return await self._done(
            message,
            EditMessage(
                user_id=user_id,
                message_id=message_id,
                text_id=TextId(self._deps.ids.ulid(now)),
                text=wording,
                at=now,
            ),
        )

    async def choose_variant(self, user_id: UserId, message_id: MessageId, text_id: TextId) -> Message:
        """Make one of a message's wordings the active one."""
        message = await self._live(user_id, message_id)
        if all(v.id != text_id for v in message.variants):
            raise NotFound("This message has no such wording.", do="Use one of the ids in its `variants`.")
        return await self._done(message, ChooseVariant(user_id=user_id, message_id=message_id, text_id=text_id))

    async def delete(self, user_id: UserId, message_id: MessageId) -> Message:
        """Erase every wording of a message; deleting twice changes nothing."""
        now = self._deps.clock.now()
        message = await self._message(user_id, message_id)
        if message.state is MessageState.DELETED:
            return message
        erase: list[Change] = [
            DeleteMessage(user_id=user_id, message_id=message_id),
            ScheduleJob(job_id=JobId(self._deps.ids.ulid(now)), kind=SCRUB, key="store", user_id=None, due_at=now),
        ]
        return await self._done(message, *erase)

    async def regenerate(self, user_id: UserId, message_id: MessageId) -> TurnId:
        """Open a turn that words a persona message again."""
        message = await self._live(user_id, message_id)
        if message.speaker is not Speaker.PERSONA or message.turn_id is None or message.made_by == CARE:
            raise BadInput(
                "Only an answer of the persona can be worded again.",
                field="id",
                do="Name a message whose speaker is `persona` and that answered something.",
            )
        now = self._deps.clock.now()
        turn_id = TurnId(self._deps.ids.ulid(now))
        await self._deps.store.apply([OpenReroll(turn_id=turn_id, message_id=message_id, user_id=user_id, at=now)])
        self._deps.bells.turns.ring()
        return turn_id

    async def _message(self, user_id: UserId, message_id: MessageId) -> Message:
        message = await self._deps.store.message(user_id, message_id)
        if message is None:
            raise NotFound("There is no such message.", do="Use an id from the list of messages.")
        return message

    async def _live(self, user_id: UserId, message_id: MessageId) -> Message:
        message = await self._message(user_id, message_id)
        if message.state is MessageState.DELETED:
            raise NotFound("This message was deleted.", do="A deleted message cannot be brought back.")
        return message

    async def _done(self, message: Message, *changes: Change) -> Message:
        await self._deps.store.apply(changes)
        self._deps.bells.ring()
        return await self._message(message.pair.user_id, message.id)
