"""What the store's contract stands on: one user, one persona, one conversation, and the verbs of a talk."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import timedelta

from echovessel.core.ids import ConversationId, JobId, MessageId, PersonaId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, MessageState, Speaker, Trouble, Turn, TurnState
from echovessel.ports.changes import (
    Change,
    ClaimTurn,
    Fence,
    FenceKind,
    FinishTurn,
    HearMessage,
    ImportMessage,
    Lease,
    OpenConversation,
    OpenReroll,
    Outcome,
    PutPersona,
    PutUser,
    Reply,
    SaveDraft,
    SayMessage,
    ScheduleJob,
)
from echovessel.ports.records import Persona, PersonaKind, User
from echovessel.ports.store import Store
from echovessel.testing.clock import CountedIds, StoppedClock

BROKEN = Trouble(code="model-cut", message="The reply broke off.", do="Try again.")


@dataclass(slots=True)
class Thread:
    """A conversation and whose it is."""

    id: ConversationId
    pair: Pair
    channel: str


@dataclass(slots=True)
class StoreHouse:
    """A store with people in it. `home` is the thread that the verbs use unless told otherwise."""

    store: Store
    clock: StoppedClock
    ids: CountedIds
    home: Thread = field(init=False)

    async def moved_in(self) -> "StoreHouse":
        """One user and one persona who have a conversation on the page."""
        self.home = await self.opens(await self.meets(), await self.shelves())
        return self

    @property
    def user_id(self) -> UserId:
        """Whose house it is."""
        return self.home.pair.user_id

    # ------------------------------------------------------------ people

    async def meets(self, name: str = "Ada") -> UserId:
        """A new user."""
        user = User(
            id=UserId(self.ids.ulid()), name=name, zone="Europe/Berlin", locale="en", created_at=self.clock.now()
        )
        await self.do(PutUser(user=user))
        return user.id

    async def shelves(self, name: str = "林晚") -> PersonaId:
        """A new persona."""
        persona = Persona(
            id=PersonaId(self.ids.ulid()),
            name=name,
            kind=PersonaKind.FICTIONAL,
            locale="zh",
            zone="Asia/Shanghai",
            created_at=self.clock.now(),
        )
        await self.do(PutPersona(persona=persona))
        return persona.id

    async def opens(self, user_id: UserId, persona_id: PersonaId, channel: str = "page", key: str = "") -> Thread:
        """A new conversation."""
        thread = Thread(ConversationId(self.ids.ulid()), Pair(user_id, persona_id), channel)
        await self.do(
            OpenConversation(
                conversation_id=thread.id,
                pair=thread.pair,
                channel=channel,
                key=key or persona_id,
                at=self.clock.now(),
            )
        )
        return thread

    # ------------------------------------------------------------ talk

    async def do(self, change: Change, fence: Fence | None = None) -> Outcome:
        """Apply one change."""
        return (await self.store.apply([change], fence)).outcomes[0]

    def hearing(
        self,
        text: str = "hello",
        *,
        thread: Thread | None = None,
        client_id: str | None = None,
        external_id: str | None = None,
    ) -> HearMessage:
        """The change for a user's message that is due at once."""
        thread = thread or self.home
        return HearMessage(
            message_id=MessageId(self.ids.ulid()),
            text_id=TextId(self.ids.ulid()),
            turn_id=TurnId(self.ids.ulid()),
            conversation_id=thread.id,
            pair=thread.pair,
            channel=thread.channel,
            text=text,
            sent_at=self.clock.now(),
            zone="Europe/Berlin",
            due_at=self.clock.now(),
            client_id=client_id,
            external_id=external_id,
        )

    def saying(self, text: str = "你好呀", *, external_id: str | None = None, made_by: str = "card") -> SayMessage:
        """The change for what the persona says by itself."""
        return SayMessage(
            message_id=MessageId(self.ids.ulid()),
            text_id=TextId(self.ids.ulid()),
            turn_id=None,
            conversation_id=self.home.id,
            pair=self.home.pair,
            channel=self.home.channel,
            text=text,
            made_by=made_by,
            sent_at=self.clock.now(),
            zone="Asia/Shanghai",
            external_id=external_id,
        )

    def importing(self, text: str, external_id: str) -> ImportMessage:
        """The change for a message said elsewhere."""
        return ImportMessage(
            message_id=MessageId(self.ids.ulid()),
            text_id=TextId(self.ids.ulid()),
            conversation_id=self.home.id,
            pair=self.home.pair,
            channel=self.home.channel,
            speaker=Speaker.USER,
            text=text,
            sent_at=self.clock.now(),
            zone="UTC",
            external_id=external_id,
        )

    async def hears(self, text: str = "hello", *, thread: Thread | None = None) -> Outcome:
        """A user says something; a second passes."""
        outcome = await self.do(self.hearing(text, thread=thread))
        self.clock.advance(1)
        return outcome

    async def message(self, message_id: MessageId | None) -> Message:
        """A message that must be there."""
        assert message_id is not None
        found = await self.store.message(self.user_id, message_id)
        assert found is not None
        return found

    async def texts(self, q: str | None = None) -> Sequence[str]:
        """What the timeline shows, newest first."""
        return [message.text for message in await self.store.messages(self.home.pair, q=q)]

    async def kinds(self, after: int = 0) -> Sequence[str]:
        """The kinds of the feed's entries."""
        return [row.kind for row in await self.store.changes(self.user_id, after)]

    async def told_next(self, after: int | None = None) -> Sequence[str]:
        """The kinds of the next page of the feed, behind `after` or behind the newest entry; waits until there is one."""
        head = await self.store.head(self.user_id) if after is None else after
        async with aclosing(self.store.follow(self.user_id, head)) as pages:
            return [row.kind for row in await anext(pages)]

    # ------------------------------------------------------------ turns

    async def claims(self, turn_id: TurnId | None, *, seconds: float = 600) -> tuple[Turn | None, Fence]:
        """Try to take a turn."""
        assert turn_id is not None
        lease = Lease(self.ids.token(), seconds)
        outcome = await self.do(ClaimTurn(user_id=self.user_id, turn_id=turn_id, lease=lease))
        return outcome.turn, Fence(FenceKind.TURN, turn_id, lease.token)

    async def running(self, text: str = "hello", *, seconds: float = 600) -> tuple[Turn, Fence]:
        """A turn that was heard and claimed."""
        heard = await self.hears(text)
        turn, fence = await self.claims(heard.turn_id, seconds=seconds)
        assert turn is not None
        return turn, fence

    def drafting(self, turn: Turn, text: str, *, seconds: float = 600) -> SaveDraft:
        """The change that keeps a reply so far."""
        return SaveDraft(user_id=self.user_id, turn_id=turn.id, text=text, lease_seconds=seconds)

    def finishing(
        self,
        turn: Turn,
        text: str | None = "hi",
        *,
        state: TurnState = TurnState.DONE,
        trouble: Trouble | None = None,
        made_by: str = "reply@1 test-model",
    ) -> FinishTurn:
        """The change that ends a turn; without `text` there is no reply at all."""
        complete = MessageState.COMPLETE if state is TurnState.DONE else MessageState.PARTIAL
        reply = Reply(
            message_id=MessageId(self.ids.ulid()),
            text_id=TextId(self.ids.ulid()),
            text=text or "",
            state=complete if text else MessageState.FAILED,
            made_by=made_by,
            sent_at=self.clock.now(),
        )
        return FinishTurn(
            user_id=self.user_id,
            turn_id=turn.id,
            state=state,
            reply=None if text is None else reply,
            trouble=trouble,
        )

    async def answered(self, text: str = "hello", reply: str = "hi") -> Message:
        """A whole turn; the persona's message."""
        turn, fence = await self.running(text)
        done = await self.do(self.finishing(turn, reply), fence)
        self.clock.advance(1)
        return await self.message(done.message_id)

    async def rerolling(self, message: Message) -> tuple[Turn, Fence]:
        """A claimed turn that words a message again."""
        opened = await self.do(self.reroll(message))
        turn, fence = await self.claims(opened.turn_id)
        assert turn is not None
        return turn, fence

    def reroll(self, message: Message) -> OpenReroll:
        """The change that opens a turn to word a message again."""
        return OpenReroll(
            turn_id=TurnId(self.ids.ulid()),
            message_id=message.id,
            user_id=message.pair.user_id,
            at=self.clock.now(),
        )

    # ------------------------------------------------------------ jobs

    def scheduling(self, key: str = "k", *, kind: str = "settle", in_s: float = 0, payload: str = "{}") -> ScheduleJob:
        """The change that queues a job of the user."""
        now = self.clock.now()
        due = now + timedelta(seconds=in_s)
        return ScheduleJob(
            job_id=JobId(self.ids.ulid()), kind=kind, key=key, user_id=self.user_id, due_at=due, payload=payload
        )
