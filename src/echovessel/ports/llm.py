"""A model that answers: streamed text, then usage. Retries happen inside, and only before the first token."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from echovessel.core.talk import ChatMessage, Usage
from echovessel.ports.settings import LlmSettings


class Role(StrEnum):
    """Which of the configured models: `main` speaks, `small` reads and sorts."""

    MAIN = "main"
    SMALL = "small"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What is asked. `max_tokens` bounds the answer; `temperature` None leaves the provider's default."""

    role: Role
    messages: tuple[ChatMessage, ...]
    max_tokens: int | None = None
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of the answer; never empty."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The last event of a complete answer. `cut_short` is true when the length limit ended it."""

    model: str
    usage: Usage
    cut_short: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """What a connection test found: the models the endpoint lists, and seconds to the first token."""

    model: str
    models: tuple[str, ...]
    first_token_s: float


class LLM(Protocol):
    """A connected model endpoint."""

    def name(self, role: Role) -> str:
        """The model's name for this role, as the ledger shows it."""
        ...

    def stream(self, request: ChatRequest) -> AsyncGenerator[Delta | Finished, None]:
        """Stream the answer: deltas, then one Finished.

        Raises a `ModelDown` subclass when no usable answer comes; after the first delta at most `ModelCut`, `ModelTimeout`
        or `ModelGarbage`. Closing the generator closes the connection: wrap it in `contextlib.aclosing`.
        """
        ...


class Models(Protocol):
    """The model in use now; the owner may connect or drop one while we run."""

    def current(self) -> LLM | None:
        """The connected model, or None when there is none: then the keeper answers."""
        ...

    async def probe(self, settings: LlmSettings) -> ProbeResult:
        """Try settings that are not saved yet: ask for one word; raises `ModelDown` with what to do when that fails."""
        ...

    async def listed(self, settings: LlmSettings) -> tuple[str, ...]:
        """The models at the address of settings that are not saved yet, never none; raises `ModelDown`. No model is asked."""
        ...
