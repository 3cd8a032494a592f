"""World: a whole vessel on a temporary home, with a stopped clock and a scripted model, told in the domain's verbs.

    with World(tmp_path) as vessel:
        vessel.model_says("还好，它又长了一片新叶。")
        vessel.hears("龟背竹还好吗？")
        assert vessel.reply == "还好，它又长了一片新叶。"

Store, index, flows and loops are the real ones. Each verb returns when what it told is done.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Self, TypeVar

from echovessel.adapters.home import Home
from echovessel.core.errors import ModelDown
from echovessel.core.ids import MessageId, TurnId
from echovessel.core.pair import Pair
from echovessel.core.talk import Message, Speaker, Turn, TurnState
from echovessel.ports.changes import PutUser
from echovessel.ports.embedder import Embedder
from echovessel.ports.front import Incoming, NewPersona, Receipt
from echovessel.ports.records import User
from echovessel.ports.store import Store
from echovessel.runtime.loops import JOBS
from echovessel.runtime.wiring import Overrides, Vessel, build
from echovessel.testing.blank import put_blank_database
from echovessel.testing.clock import CountedIds, StoppedClock
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.nearby import FoundNearby
from echovessel.testing.scripted_model import Hold, ScriptedModel

T = TypeVar("T")

QUIET_TIMEOUT_S = 20.0
"""Real seconds a story may take to come to rest; a turn that hangs fails the test here."""


class World:
    """One home, one owner, one persona. `wrap` puts a store of the test's own around the real one. With `settings` (the text of
    config.toml) the models it names are spoken to, instead of the scripted one; and with `own_embedder` the embedder they name
    is asked, instead of the one for tests."""

    def __init__(
        self,
        folder: Path,
        *,
        persona: NewPersona | None = None,
        zone: str = "Asia/Shanghai",
        locale: str = "zh",
        user_name: str = "",
        embedder: Embedder | None = None,
        wrap: Callable[[Store], Store] | None = None,
        settings: str | None = None,
        own_embedder: bool = False,
    ) -> None:
        self.home = Home(folder / "home")
        self.home.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self.home.database.exists():
            put_blank_database(self.home.database)
        if settings is not None:
            self.home.config.write_text(settings, encoding="utf-8")
        self.clock = StoppedClock()
        self.ids = CountedIds(self.clock)
        self.model = ScriptedModel()
        self.nearby = FoundNearby()
        self.pair: Pair
        self.vessel: Vessel
        self._new = persona or NewPersona(name="小满", locale=locale)
        self._user = (user_name, zone, locale)
        self._embedder = None if own_embedder else embedder or HashEmbedder()
        self._wrap = wrap
        self._scripted = settings is None
        self._runner = asyncio.Runner()
        self._running = AsyncExitStack()

    def __enter__(self) -> Self:
        self.run(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.run(self._close())
        finally:
            self._runner.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something of the vessel's to its end; its loops go on meanwhile."""
        return self._runner.run(work)

    def restart(self) -> None:
        """End the vessel and build it anew on the same home."""
        self.run(self._close())
        self.run(self._open())

    def without_model(self) -> None:
        """Disconnect the model: from now on the keeper answers."""
        self.model.connected = False

    def model_says(self, text: str, *, hold_after: int | None = None, then: ModelDown | None = None) -> Hold:
        """The model's next answer; see ScriptedModel.will_say."""
        return self.model.will_say(text, hold_after=hold_after, then=then)

    def model_fails(self, failure: ModelDown) -> None:
        """The model's next answer is a failure."""
        self.model.will_fail(failure)

    def sends(self, text: str, *, client_id: str | None = None, zone: str | None = None) -> Receipt:
        """The user's message is stored and acknowledged; nothing else happens yet."""
        return self.run(
            self.vessel.front.hear(
                Incoming(
                    pair=self.pair,
                    channel="page",
                    conversation=self.pair.persona_id,
                    text=text,
                    zone=zone or self._user[1],
                    client_id=client_id,
                )
            )
        )

    def hears(self, text: str, *, client_id: str | None = None) -> Receipt:
        """The user's message is stored, the burst ends, and the persona has answered."""
        receipt = self.sends(text, client_id=client_id)
        self.answers(receipt.turn_id)
        return receipt

    def answers(self, turn_id: TurnId) -> None:
        """The burst ends, and the turn runs to its end."""
        self.passes(self.vessel.deps.settings.current().turn.debounce_s)
        self.run(self._until(lambda: self._is_over(turn_id)))

    def waits_for(self, hold: Hold) -> None:
        """The burst ends, and the model gets to the point where it holds."""
        self.passes(self.vessel.deps.settings.current().turn.debounce_s)
        self.run(asyncio.wait_for(hold.reached.wait(), QUIET_TIMEOUT_S))

    def regenerates(self, message_id: MessageId) -> TurnId:
        """The user has a reply worded again, and it was."""
        turn_id = self.run(self.vessel.curation.regenerate(self.pair.user_id, message_id))
        self.run(self._until(lambda: self._is_over(turn_id)))
        return turn_id

    def passes(self, seconds: float) -> None:
        """Time goes by."""
        self.clock.advance(seconds)

    def rests(self) -> None:
        """Everything that waits is done: vectors made, jobs ended."""
        self.run(self._until(self._is_quiet))

    def turn(self, turn_id: TurnId) -> Turn:
        """A turn as it stands."""
        turn = self.run(self.vessel.deps.store.turn(self.pair.user_id, turn_id))
        assert turn is not None
        return turn

    @property
    def timeline(self) -> list[Message]:
        """What was said, oldest first."""
        return list(reversed(self.run(self.vessel.deps.store.messages(self.pair, limit=1000))))

    @property
    def said(self) -> list[str]:
        """The words of the timeline, oldest first."""
        return [m.text for m in self.timeline]

    @property
    def last(self) -> Message:
        """The persona's newest message."""
        return [m for m in self.timeline if m.speaker is Speaker.PERSONA][-1]

    @property
    def reply(self) -> str:
        """The persona's newest words."""
        return self.last.text

    @property
    def prompts(self) -> list[str]:
        """Each prompt the model was given, its messages joined."""
        return ["\n\n".join(m.content for m in request.messages) for request in self.model.requests]

    async def _open(self) -> None:
        overrides = Overrides(
            clock=self.clock,
            ids=self.ids,
            models=self.model if self._scripted else None,
            nearby=self.nearby,
            embedder=self._embedder,
            wrap_store=self._wrap,
        )
        self.vessel = await build(self.home, overrides)
        store, owner = self.vessel.deps.store, self.vessel.owner
        if not await store.personas():
            name, zone, locale = self._user
            user = User(id=owner, name=name, zone=zone, locale=locale, created_at=self.clock.now())
            await store.apply([PutUser(user=user)])
            await self.vessel.library.create(self._new)
        self.pair = Pair(owner, (await store.personas())[0].id)
        await self._running.enter_async_context(self.vessel.supervisor.running(self.vessel.loops()))

    async def _close(self) -> None:
        await self._running.aclose()
        await self.vessel.close()

    async def _is_over(self, turn_id: TurnId) -> bool:
        turn = await self.vessel.deps.store.turn(self.pair.user_id, turn_id)
        return turn is not None and turn.state not in (TurnState.OPEN, TurnState.RUNNING)

    async def _is_quiet(self) -> bool:
        store = self.vessel.deps.store
        embedder = self.vessel.deps.embedder
        waiting = embedder and await store.unembedded(embedder.name, 1)
        return not (waiting or await store.next_job_due(tuple(JOBS)))

    async def _until(self, true: Callable[[], Coroutine[Any, Any, bool]]) -> None:
        async with asyncio.timeout(QUIET_TIMEOUT_S):
            while not await true():  # noqa: ASYNC110 - the store has many ways to become so
                await asyncio.sleep(0.002)
