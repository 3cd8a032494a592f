"""The process dies before or after any write: nothing acknowledged is lost, nothing is doubled, nothing stays stuck."""

import asyncio
from pathlib import Path
from typing import cast

import pytest

from echovessel.core.ids import MessageId, TurnId
from echovessel.core.talk import Message, MessageState, TurnState
from echovessel.memory.question import ask
from echovessel.ports.front import Incoming, ReplyDone
from echovessel.ports.index import Query
from echovessel.ports.store import Store
from echovessel.testing.scripted_model import ScriptedModel
from echovessel.testing.world import World
from tests.support.faults import DyingStore, Killed

TEXTS = {"a": "今天发生了好多事", "b": "我升职了", "c": "想去吃火锅"}
EDITED = "想去吃烤肉"
MOST_WRITES = 100


class Story:
    """A short talk in which everything happens once, and a book of what the outside world was told of it."""

    def __init__(self, folder: Path) -> None:
        self.store: DyingStore
        self.world = World(folder, wrap=self._wrap)
        self.world.model = ScriptedModel(idle="嗯。")
        self.sent: list[str] = []
        self.acknowledged: dict[str, MessageId] = {}
        self.announced: dict[MessageId, str] = {}
        self.edited = self.deleted = False

    def _wrap(self, store: Store) -> Store:
        self.store = DyingStore(store)
        return cast("Store", self.store)

    async def tell(self) -> None:
        """The talk, as long as the vessel lives."""
        world, curation, user = self.world, self.world.vessel.curation, self.world.pair.user_id
        await self.says("a")
        reply = await self.answered(await self.says("b"))
        await self.answered(await curation.regenerate(user, reply))
        hold = world.model_says("那 我们 庆祝 一下", hold_after=2)
        third = await self.says("c")
        world.passes(2)
        await hold.reached.wait()
        world.passes(1.5)
        await asyncio.sleep(0.02)
        await world.vessel.front.stop(user, third)
        await self.answered(third)
        await curation.edit(user, self.acknowledged["c"], EDITED)
        self.edited = True
        await curation.delete(user, self.acknowledged["a"])
        self.deleted = True

    async def says(self, client_id: str) -> TurnId:
        """The user says one of TEXTS; what comes back is written down as acknowledged."""
        pair = self.world.pair
        self.sent.append(client_id)
        receipt = await self.world.vessel.front.hear(
            Incoming(
                pair=pair,
                channel="page",
                conversation=pair.persona_id,
                text=TEXTS[client_id],
                zone="Asia/Shanghai",
                client_id=client_id,
            )
        )
        assert self.acknowledged.setdefault(client_id, receipt.message_id) == receipt.message_id
        return receipt.turn_id

    async def answered(self, turn_id: TurnId) -> MessageId:
        """The burst ends; the reply that is announced is written down."""
        self.world.passes(2)
        user = self.world.pair.user_id
        events = [e async for e in self.world.vessel.front.follow(user, turn_id)]
        assert isinstance(events[-1], ReplyDone)
        message = await self.world.vessel.deps.store.message(user, events[-1].message_id or MessageId(""))
        assert message is not None
        self.announced[message.id] = message.text
        return message.id


def test_dying_at_any_write_loses_and_doubles_nothing(tmp_path: Path) -> None:
    deaths = 0
    for point in range(2 * MOST_WRITES):
        story = Story(tmp_path / str(point))
        with story.world:
            died = story.world.run(told_until_death(story, point))
            deaths += died
            if died:
                live_again(story)
            check(story)
        if not died:
            break
    assert 20 < deaths < 2 * MOST_WRITES


async def told_until_death(story: Story, point: int) -> bool:
    """Tell the story to a vessel that dies at its `point`-th chance; whether it did before the story's end."""
    story.store.dies_at = story.store.points + point
    telling = asyncio.ensure_future(story.tell())
    dying = asyncio.ensure_future(story.store.died.wait())
    async with asyncio.timeout(20):
        await asyncio.wait((telling, dying), return_when=asyncio.FIRST_COMPLETED)
    story.store.dies_at = None
    telling.cancel()
    dying.cancel()
    for outcome in await asyncio.gather(telling, dying, return_exceptions=True):
        if isinstance(outcome, BaseException) and not isinstance(outcome, Killed | asyncio.CancelledError):
            raise outcome
    return story.store.died.is_set()


def live_again(story: Story) -> None:
    """Restart; a client that got no answer says the same again; then everything comes to rest."""
    world = story.world
    world.model = ScriptedModel(idle="嗯。")
    world.restart()
    for client_id in list(story.sent):
        world.run(story.says(client_id))
    world.passes(2)
    world.run(asyncio.wait_for(at_rest(story), 20))


async def at_rest(story: Story) -> None:
    store, pair = story.world.vessel.deps.store, story.world.pair
    while True:
        turns = {m.turn_id for m in await store.messages(pair, limit=100) if m.turn_id}
        states = {t.state for i in turns if (t := await store.turn(pair.user_id, i))}
        if not states & {TurnState.OPEN, TurnState.RUNNING}:
            return
        await asyncio.sleep(0.005)


def check(story: Story) -> None:
    """What the outside was told is true, once."""
    world = story.world
    world.rests()
    by_id = {m.id: m for m in world.timeline}
    client_ids = [m.client_id for m in by_id.values() if m.client_id]
    assert len(client_ids) == len(set(client_ids))
    for client_id, message_id in story.acknowledged.items():
        check_heard(story, client_id, by_id.get(message_id))
    for message_id, text in story.announced.items():
        assert text in {v.text for v in by_id[message_id].variants}
    asked = ask(" ".join([*TEXTS.values(), EDITED]), user_name="", persona_name="")
    found = world.run(world.vessel.deps.index.candidates(world.pair, Query(asked=asked)))
    live = {m.id for m in by_id.values() if m.state is not MessageState.FAILED}
    assert set(found.ids) <= live
    assert world.run(world.vessel.deps.store.health()).integrity == "ok"


def check_heard(story: Story, client_id: str, message: Message | None) -> None:
    if client_id == "a" and message is None:
        return  # deleted: the wish was written down, whether or not it was confirmed
    assert message is not None
    assert not (client_id == "a" and story.deleted)
    texts = {EDITED} if client_id == "c" and story.edited else {TEXTS[client_id], EDITED if client_id == "c" else ""}
    assert message.text in texts


@pytest.mark.parametrize("after", [False, True])
def test_the_support_dies_where_it_says(tmp_path: Path, after: bool) -> None:
    """Before the write nothing is stored; after it the message is there although nobody was told."""
    story = Story(tmp_path)
    with story.world:
        story.world.sends("开场")
        story.world.rests()
        assert story.world.run(told_until_death(story, int(after)))
        story.world.restart()
        assert story.world.said == (["开场", TEXTS["a"]] if after else ["开场"])
        assert story.acknowledged == {}
