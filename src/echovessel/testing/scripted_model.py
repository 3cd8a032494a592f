"""A model without a network: says what it was told to, fails on request, and waits in the middle of a sentence.

model = ScriptedModel()
model.will_say("Good evening.")
model.will_fail(ModelBusy("…", do="…"))
hold = model.will_say("It was a dark and stormy night.", hold_after=3)
... start a turn; await hold.reached.wait(); stop the turn, or hold.release() ...
"""

import asyncio
import re
from collections import deque
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from echovessel.core.errors import ModelDown, ModelEmpty
from echovessel.core.talk import Usage
from echovessel.core.text import estimate_tokens
from echovessel.core.usage import estimate_usage
from echovessel.ports.llm import ChatRequest, Delta, Finished, Role, Thought
from echovessel.ports.settings import ModelSettings

_PIECE = re.compile(r"\s*[^\s\u2e80-\uffff]+|\s*[\u2e80-\uffff]{1,2}|\s+")


@dataclass(frozen=True, slots=True)
class Hold:
    """A point in an answer: `reached` is set when the model gets there, and it goes on after `release`."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        """Let the model go on."""
        self.released.set()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    thinks: str
    pieces: Sequence[str]
    failure: ModelDown | None
    usage: Usage | None
    cut_short: bool
    hold_after: int
    hold: Hold


class ScriptedModel:
    """Implements `ports.llm.LLM` and `ports.llm.Models`. `requests` are the ChatRequests it was given, in order.

    `others` are tried after it. `holds` is what `context_tokens` answers. When the queue is used up it says `idle`; with None,
    asking it once more is an error of the story.
    """

    def __init__(self, *, idle: str | None = None, model: str = "scripted", profile: str = "") -> None:
        self.requests: list[ChatRequest] = []
        self.closed_early = 0
        self.tried: list[ModelSettings] = []
        self.connected = True
        self.others: list[ScriptedModel] = []
        self.settings = ModelSettings.model_validate({"model": model})
        self.holds: int | None = None
        self._idle = idle
        self._model = model
        self._profile = profile
        self._answers: deque[_Answer] = deque()

    def will_say(
        self,
        text: str,
        *,
        then: ModelDown | None = None,
        hold_after: int | None = None,
        usage: Usage | None = None,
        cut_short: bool = False,
        thinks: str = "",
    ) -> Hold:
        """Think `thinks`, then answer a request with `text`, word by word; `then` fails after it. `hold_after` waits after that
        many pieces."""
        answer = _Answer(
            thinks=thinks,
            pieces=_PIECE.findall(text),
            failure=then,
            usage=usage,
            cut_short=cut_short,
            hold_after=-1 if hold_after is None else hold_after,
            hold=Hold(),
        )
        self._answers.append(answer)
        return answer.hold

    def will_fail(self, failure: ModelDown) -> None:
        """Fail a request before the first token."""
        self.will_say("", then=failure)

    @property
    def profile(self) -> str:
        """The name of its connection."""
        return self._profile

    async def prepare(self) -> None:
        """It is always ready."""

    async def context_tokens(self) -> int | None:
        """What `holds` says."""
        return self.holds

    def close(self) -> None:
        """Nothing to let go of."""

    def name(self, role: Role) -> str:
        """The same model for every role."""
        return self._model if role is Role.MAIN else f"{self._model}-{role}"

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Delta | Thought | Finished, None]:
        """Say the next answer of the queue."""
        self.requests.append(request)
        answer = self._next()
        over = False
        try:
            if answer.thinks:
                yield Thought(estimate_tokens(answer.thinks))
            for at, piece in enumerate(answer.pieces):
                await self._pause(answer, at)
                yield Delta(piece)
            await self._pause(answer, len(answer.pieces))
            over = True
            if answer.failure is not None:
                raise answer.failure
            usage = answer.usage or estimate_usage(request.messages, answer.thinks + "".join(answer.pieces))
            yield Finished(model=self.name(request.role), usage=usage, cut_short=answer.cut_short)
            if not answer.pieces:
                raise ModelEmpty("The scripted model answered without a single word.", do="Try again.")
        finally:
            self.closed_early += not over

    def in_order(self) -> "Sequence[ScriptedModel]":
        """Itself, while `connected`, and then the others."""
        return (self, *self.others) if self.connected else ()

    @contextmanager
    def connect(self, settings: ModelSettings, profile: str = "") -> "Generator[ScriptedModel]":
        """Itself, whatever the settings; `tried` keeps them."""
        del profile
        self.tried.append(settings)
        yield self

    async def listed(self, settings: ModelSettings) -> tuple[str, ...]:
        """Its own name, wherever it is looked for."""
        del settings
        return (self._model,)

    def _next(self) -> _Answer:
        if not self._answers:
            if self._idle is None:
                raise AssertionError("The scripted model was asked more often than the story told it.")
            self.will_say(self._idle)
        return self._answers.popleft()

    @staticmethod
    async def _pause(answer: _Answer, at: int) -> None:
        if at == answer.hold_after:
            answer.hold.reached.set()
            await answer.hold.released.wait()
        await asyncio.sleep(0)
