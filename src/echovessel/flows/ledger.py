"""Model calls on the ledger: the daily cap is asked first, and every call leaves a line, however it ends."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from echovessel.core.errors import DailyCapReached, ModelCut, ModelDown, ModelEmpty, ModelGarbage, ModelTimeout
from echovessel.core.ids import CallId, TurnId
from echovessel.core.talk import Usage
from echovessel.core.time import day_begins
from echovessel.core.usage import estimate_usage
from echovessel.ports.changes import RecordCall
from echovessel.ports.clock import Clock, Ids
from echovessel.ports.llm import LLM, ChatRequest, Delta, Finished, Thought
from echovessel.ports.records import Spent, User
from echovessel.ports.settings import LlmSettings, ModelSettings, SettingsSource

_MILLION = 1_000_000
_WORKED_ON = (ModelTimeout, ModelCut, ModelGarbage, ModelEmpty)
_NOTHING = Usage(tokens_in=0, tokens_out=0)


class Purse(Protocol):
    """What a call needs of `ports.store.Store`."""

    async def spent(self, since: datetime) -> Spent: ...


class LedgerDeps(Protocol):
    """What a call needs of `flows.deps.Deps`."""

    @property
    def store(self) -> Purse: ...
    @property
    def settings(self) -> SettingsSource: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def ids(self) -> Ids: ...


def cost_of(usage: Usage, settings: ModelSettings) -> float:
    """What a call cost, in the owner's currency: prices are per million tokens. Tokens from or for the provider's cache cost as
    others where they have no price of their own."""
    plain = usage.tokens_in - usage.cached_in - usage.cache_written_in
    from_cache = settings.price_in if settings.price_cached_in is None else settings.price_cached_in
    for_cache = settings.price_in if settings.price_cache_written_in is None else settings.price_cache_written_in
    return (
        plain * settings.price_in
        + usage.cached_in * from_cache
        + usage.cache_written_in * for_cache
        + usage.tokens_out * settings.price_out
    ) / _MILLION


def cap_reached(spent: Spent, settings: LlmSettings) -> bool:
    """Whether a day that spent this much has reached one of its caps; a cap of 0 is none."""
    return (0 < settings.daily_cost_cap <= spent.cost) or (
        0 < settings.daily_token_cap <= spent.tokens_in + spent.tokens_out
    )


class ModelCall:
    """One call: iterate `stream`, then put `record()` into the transaction that stores the answer.

    call = ModelCall(request, model=model, user=user, turn_id=turn.id, prompt="reply@1", deps=deps)
    async with aclosing(call.stream()) as events: ...
    await store.apply([finish, call.record()])
    """

    def __init__(
        self, request: ChatRequest, *, model: LLM, user: User, turn_id: TurnId | None, prompt: str, deps: LedgerDeps
    ) -> None:
        self._request = request
        self._model = model
        self._user = user
        self._turn_id = turn_id
        self._prompt = prompt
        self._deps = deps
        self._caps = deps.settings.current().llm
        self._began_at = deps.clock.now()
        self._id = CallId(deps.ids.ulid(self._began_at))
        self._began = self._ended = deps.clock.monotonic()
        self._said: list[str] = []
        self._thought = 0
        self._finished: Finished | None = None
        self._down: ModelDown | None = None
        self._asked = False

    @property
    def asked(self) -> bool:
        """Whether the model was asked: then the call may have cost something."""
        return self._asked

    @property
    def asked_of(self) -> str:
        """The connection's name, or the model's where that has none."""
        return self._model.profile or self._model.name(self._request.role)

    @property
    def outcome(self) -> str:
        """`ok`, `length` when the length limit ended the answer, the failure's code, or `stopped` when it was left before its
        end."""
        if self._down is not None:
            return self._down.code
        if self._finished is None:
            return "stopped"
        return "length" if self._finished.cut_short else "ok"

    async def stream(self) -> AsyncGenerator[Delta | Finished, None]:
        """The model's events but its thoughts.

        Raises DailyCapReached before anything is asked, else whatever ModelDown the model raises.
        """
        try:
            await self._mind_the_cap()
            self._asked = True
            async with aclosing(self._model.stream(self._request)) as events:
                async for event in events:
                    self._hear(event)
                    if not isinstance(event, Thought):
                        yield event
        except ModelDown as down:
            self._down = down
            raise
        finally:
            self._ended = self._deps.clock.monotonic()

    def record(self) -> RecordCall:
        """The call's line; storing it twice is storing it once.

        A failure without any work of the model's costs nothing; where the provider's count is missing, it is estimated.
        """
        usage = self._usage()
        return RecordCall(
            id=self._id,
            user_id=self._user.id,
            turn_id=self._turn_id,
            role=self._request.role,
            profile=self._model.profile,
            model=self._finished.model if self._finished else self._model.name(self._request.role),
            prompt=self._prompt,
            outcome=self.outcome,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            cached_in=usage.cached_in,
            cache_written_in=usage.cache_written_in,
            estimated=usage.estimated,
            cost=cost_of(usage, self._model.settings),
            seconds=self._ended - self._began,
            at=self._began_at,
        )

    async def _mind_the_cap(self) -> None:
        if not self._caps.daily_cost_cap and not self._caps.daily_token_cap:
            return
        since = day_begins(self._began_at, self._user.zone)
        if cap_reached(await self._deps.store.spent(since), self._caps):
            raise DailyCapReached(
                "Today's allowance for the model is used up.",
                do="Wait until tomorrow, or raise llm.daily_cost_cap or llm.daily_token_cap in Settings → Model.",
            )

    def _hear(self, event: Delta | Thought | Finished) -> None:
        match event:
            case Delta(text=text):
                self._said.append(text)
            case Thought(tokens=tokens):
                self._thought += tokens
            case Finished():
                self._finished = event

    def _usage(self) -> Usage:
        if self._finished is not None:
            return self._finished.usage
        idle = self._down is not None and not isinstance(self._down, _WORKED_ON)
        if idle or not self._asked:
            return _NOTHING
        said = estimate_usage(self._request.messages, "".join(self._said))
        return replace(said, tokens_out=said.tokens_out + self._thought)
