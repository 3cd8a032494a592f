"""A model that answers: streamed text, then usage. Retries happen inside, and only before the first token."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

from echovessel.core.talk import ChatMessage, Trouble, Usage
from echovessel.ports.settings import ModelSettings

JsonMode = Literal["schema", "object", "none"]
"""How an endpoint keeps an answer to JSON: to a schema, to some object, or not at all (then the prompt alone asks for it)."""


class Role(StrEnum):
    """Which of the configured models: `main` speaks, `small` reads and sorts."""

    MAIN = "main"
    SMALL = "small"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What is asked. `max_tokens` bounds the answer; `temperature` None leaves the provider's default.

    `schema` asks for a JSON object after this JSON Schema (an object whose properties are all required). No endpoint can be
    trusted with it: whoever asks validates the answer.
    """

    role: Role
    messages: tuple[ChatMessage, ...]
    max_tokens: int | None = None
    temperature: float | None = None
    schema: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of the answer; never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """The model produced something that is not said, or not yet: about this many tokens, never none."""

    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The last event of an answer that came to its end, be there a word in it or not.

    `cut_short` is true when the length limit ended it. `json_mode`: what held the answer to the request's schema.
    """

    model: str
    usage: Usage
    cut_short: bool = False
    json_mode: JsonMode = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """What a connection test found: the models the endpoint lists, and seconds to the first token.

    `tokens_per_s` of the answer and `context_tokens` are None where that could not be told. `worries`: what works, and will
    disappoint.
    """

    model: str
    models: tuple[str, ...]
    first_token_s: float
    tokens_per_s: float | None = None
    context_tokens: int | None = None
    json_mode: JsonMode = "none"
    worries: tuple[Trouble, ...] = ()


class LLM(Protocol):
    """A connected model."""

    @property
    def profile(self) -> str:
        """The name of its connection in the settings; "" is the section `llm` itself."""
        ...

    @property
    def settings(self) -> ModelSettings:
        """The settings it was connected with."""
        ...

    async def prepare(self) -> None:
        """Load what the first answer would otherwise wait for; raises `ModelDown` when that cannot be had."""
        ...

    async def context_tokens(self) -> int | None:
        """Tokens of prompt and answer that the model holds: the setting, else what the other side says, else None.

        Asked of the other side now and then; never raises for a model that is down.
        """
        ...

    def name(self, role: Role) -> str:
        """The model's name for this role, as the ledger shows it."""
        ...

    def stream(self, request: ChatRequest) -> AsyncGenerator[Delta | Thought | Finished, None]:
        """Stream the answer: deltas and thoughts, then one Finished, which tells what was used.

        Raises a `ModelDown` subclass when no usable answer comes, `ModelEmpty` after its Finished; after the first delta at
        most `ModelCut`, `ModelTimeout` or `ModelGarbage`. Closing the generator closes the connection: wrap it in
        `contextlib.aclosing`.
        """
        ...


class Models(Protocol):
    """The models in use now; the owner may connect or drop one while we run."""

    def in_order(self) -> Sequence[LLM]:
        """The models to try, first the one that speaks; empty when there is none: then the keeper answers."""
        ...

    def close(self) -> None:
        """Let go of every model; none is used any more."""
        ...

    def connect(self, settings: ModelSettings, profile: str = "") -> AbstractContextManager[LLM]:
        """The model of settings that need not be saved; let go of when the block is left. `profile` is for the ledger."""
        ...

    async def listed(self, settings: ModelSettings) -> tuple[str, ...]:
        """The models at the address of settings that are not saved yet, never none; raises `ModelDown`. No model is asked."""
        ...
