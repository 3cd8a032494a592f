"""A model at an address: what `ports.llm.LLM` asks for, whichever protocol is spoken there."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from functools import cached_property

from echovessel.adapters.llm.access import Address, proxy_host
from echovessel.adapters.llm.attempts import Attempts
from echovessel.adapters.llm.failures import no_model_named
from echovessel.adapters.llm.listed import Listed
from echovessel.adapters.llm.piece import Piece
from echovessel.core.errors import ModelDown, ModelGarbage, ModelRefusedKey, ModelRejected
from echovessel.ports.llm import ChatRequest, Delta, Finished, Role, Thought
from echovessel.ports.settings import ModelSettings

LONGEST_LISTING_S = 2.0
"""Seconds that a reply may wait to learn how much its model holds."""
AGAIN_S = 30.0
"""Until it is asked again when no answer came, or one that may pass."""


class RemoteModel(ABC):
    """One instance serves many requests at once. A protocol says where it is, how to list, and how to ask once."""

    def __init__(self, *, profile: str, settings: ModelSettings) -> None:
        self._profile = profile
        self._settings = settings
        self._context_known = False
        self._ask_at = 0.0
        self._context_tokens: int | None = None

    @abstractmethod
    def _parse_address(self) -> Address:
        """Where it is; raises ModelUnreachable when that is no address."""

    @abstractmethod
    async def prepare(self) -> None:
        """Import the SDK, which takes a second or more: no deadline should run on it."""

    @abstractmethod
    async def _list(self) -> tuple[Listed, ...]:
        """The models as the endpoint lists them. Raises what a line raises."""

    @abstractmethod
    def _ask(self, request: ChatRequest, model: str) -> AsyncGenerator[Piece, None]:
        """One try: the pieces of the answer. Raises what a line and a reader raise."""

    @cached_property
    def _address(self) -> Address:
        """Read when it is first needed, so that a wrong one fails the request and not the start."""
        return replace(self._parse_address(), proxy=proxy_host(self._settings.proxy))

    @cached_property
    def _attempts(self) -> Attempts:
        return Attempts(address=self._address, settings=self._settings)

    @property
    def profile(self) -> str:
        """The name of the connection."""
        return self._profile

    @property
    def settings(self) -> ModelSettings:
        """What it was made with."""
        return self._settings

    def name(self, role: Role) -> str:
        """The model's name for this role."""
        return (self._settings.small_model if role is Role.SMALL else "") or self._settings.model

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Delta | Thought | Finished, None]:
        """Stream the answer; tries again, after a pause, what failed before the first piece and may do better."""
        model, attempts = self.name(request.role), self._attempts
        if not model:
            raise no_model_named(self._address)
        await self.prepare()
        async with aclosing(attempts.stream(request, model, lambda: self._ask(request, model))) as events:
            async for event in events:
                yield event

    async def models(self) -> tuple[str, ...]:
        """The models the endpoint lists, never none. Raises a ModelDown."""
        listed = await self._listed()
        if not listed:
            raise no_model_named(self._address)
        return tuple(one.name for one in listed)

    async def context_tokens(self) -> int | None:
        """The setting, else what the endpoint's list says of the model that speaks; asked again while no list came that was
        not refused."""
        if self._settings.context_tokens:
            return self._settings.context_tokens
        now = asyncio.get_running_loop().time()
        if not self._context_known and now >= self._ask_at:
            self._ask_at = now + AGAIN_S
            try:
                await self.prepare()
                async with asyncio.timeout(LONGEST_LISTING_S):
                    listed = await self._listed()
            except (ModelRejected, ModelRefusedKey, ModelGarbage):
                listed = ()
            except (ModelDown, TimeoutError):
                return None
            model = self.name(Role.MAIN)
            self._context_tokens = next((one.context_tokens for one in listed if model in {one.id, one.name}), None)
            self._context_known = True
        return self._context_tokens

    def close(self) -> None:  # noqa: B027 - a protocol may have something to free; none must
        """Nothing to free: no connection is kept between two requests."""

    async def _listed(self) -> tuple[Listed, ...]:
        attempts = self._attempts
        await self.prepare()
        return await attempts.listed(self._list())
