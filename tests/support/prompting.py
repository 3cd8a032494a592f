"""Material for prompts: a persona, a user, and a talk told in a few words."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from echovessel.adapters.templates import load_catalog
from echovessel.core.ids import ConversationId, MessageId, PersonaId, TextId, UserId, ulid
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, MessageState, Speaker
from echovessel.core.time import milliseconds
from echovessel.ports.records import BlockLabel, CoreBlock, Persona, PersonaKind, User
from echovessel.prompts import render
from echovessel.prompts.catalog import Catalog
from echovessel.prompts.material import PromptBudget, ReplyMaterial, ReplyPrompt

CATALOG = load_catalog()
NOW = datetime(2026, 11, 30, 10, 4, tzinfo=UTC)
SHANGHAI = "Asia/Shanghai"
BERLIN = "Europe/Berlin"

_PAIR = Pair(UserId("u"), PersonaId("p"))


def persona(locale: str = "en", name: str = "Mira", examples: str = "", zone: str = SHANGHAI) -> Persona:
    return Persona(
        id=_PAIR.persona_id,
        name=name,
        kind=PersonaKind.ORIGINAL,
        locale=locale,
        zone=zone,
        examples=examples,
        created_at=NOW,
    )


def user(locale: str = "en", name: str = "Lin", zone: str = SHANGHAI) -> User:
    return User(id=_PAIR.user_id, name=name, zone=zone, locale=locale, created_at=NOW)


def block(label: str, text: str) -> CoreBlock:
    owner = None if label in {"persona", "style"} else _PAIR.user_id
    return CoreBlock(
        persona_id=_PAIR.persona_id,
        user_id=owner,
        label=BlockLabel(label),
        text=text,
        revision=1,
        by="user",
        at=NOW,
    )


@dataclass
class Talk:
    """Makes messages with ids in the order they are asked for."""

    zone: str = SHANGHAI
    _count: int = field(default=0)

    def said(self, speaker: str, text: str, ago: timedelta = timedelta(0), **changes: object) -> Message:
        """A message said so long before `NOW`."""
        self._count += 1
        at = NOW - ago
        message = Message(
            id=MessageId(ulid(milliseconds(at), self._count.to_bytes(10, "big"))),
            pair=_PAIR,
            conversation_id=ConversationId("c"),
            turn_id=None,
            channel="page",
            speaker=Speaker(speaker),
            state=MessageState.COMPLETE,
            sent_at=at,
            zone=self.zone,
            text=text,
            text_id=TextId(f"t{self._count}"),
            made_by="user" if speaker == "user" else "reply@1 model",
        )
        return replace(message, **changes)  # pyright: ignore[reportArgumentType]

    def exchanges(self, count: int, ago: timedelta, text: str = "line") -> list[Message]:
        """So many exchanges, a minute between messages, the first one so long before `NOW`."""
        return [
            self.said(speaker, f"{speaker} {text} {i}", ago - timedelta(minutes=2 * i + half))
            for i in range(count)
            for half, speaker in enumerate(("user", "persona"))
        ]


def material(
    *,
    burst: Sequence[Message],
    history: Sequence[Message] = (),
    remembered: Sequence[Sequence[Message]] = (),
    blocks: Sequence[CoreBlock] = (),
    by: Persona | None = None,
    to: User | None = None,
    now: datetime = NOW,
    care: bool = False,
    care_before: bool = False,
    asks_if_ai: bool = False,
) -> ReplyMaterial:
    return ReplyMaterial(
        persona=by or persona(),
        user=to or user(),
        blocks=blocks,
        history=history,
        burst=burst,
        remembered=remembered,
        now=now,
        last_spoke=history[-1].sent_at if history else None,
        care=care,
        care_before=care_before,
        asks_if_ai=asks_if_ai,
    )


def reply(state: ReplyMaterial, budget: PromptBudget, catalog: Catalog) -> ReplyPrompt:
    """The prompt of a state, with what its `remembered` names."""
    return render.reply(render.frame(state, budget, catalog), state.remembered)
