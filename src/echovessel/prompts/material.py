"""What a prompt is made from, and what it becomes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from echovessel.core.talk import ChatMessage, Message

SMALLEST_BUDGET = 1600
"""Below this the rules, the moment and a message do not fit together; a smaller budget is read as this one."""


class SpeakingPersona(Protocol):
    """What a prompt needs to know of a persona."""

    @property
    def name(self) -> str: ...
    @property
    def locale(self) -> str: ...
    @property
    def zone(self) -> str: ...
    @property
    def examples(self) -> str: ...


class AddressedUser(Protocol):
    """What a prompt needs to know of the user. An empty name means that we do not know it."""

    @property
    def name(self) -> str: ...
    @property
    def locale(self) -> str: ...
    @property
    def zone(self) -> str: ...


class PinnedBlock(Protocol):
    """An L1 block: its label (`persona`, `style`, `self`, `user`, `relationship`) and its text."""

    @property
    def label(self) -> str: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyMaterial:
    """The state a reply is worded from.

    `history` runs from older to newer and ends before the burst; `remembered` are passages, the best first, each in the
    order it was said; `now` is an aware instant; `last_spoke` is when someone last said something before the burst.
    `care`: what is unanswered sounds like danger; `care_before`: something said within the last day did.
    """

    persona: SpeakingPersona
    user: AddressedUser
    blocks: Sequence[PinnedBlock]
    history: Sequence[Message]
    burst: Sequence[Message]
    remembered: Sequence[Sequence[Message]]
    now: datetime
    last_spoke: datetime | None
    care: bool
    care_before: bool
    asks_if_ai: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptBudget:
    """How long a prompt may be in estimated tokens, and which shares of it history and recall may take."""

    tokens: int = 6000
    history_share: float = 0.5
    recall_share: float = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyPrompt:
    """A rendered prompt. `name` is its stamp; `sections` says how many estimated tokens each section took."""

    name: str
    messages: tuple[ChatMessage, ...]
    tokens: int
    sections: Mapping[str, int]
    history_kept: int
    passages_kept: int
