import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from echovessel.core.errors import EmbedderDown, PortDown, StoreUnusable
from echovessel.core.pair import Pair
from echovessel.core.talk import MessageState
from echovessel.flows import answering
from echovessel.flows.deps import Deps
from echovessel.flows.tidying import TRACES_LAST
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.front import Incoming, NewPersona
from echovessel.ports.records import DueTurns, Job, JobState
from echovessel.ports.store import Store
from echovessel.runtime import loops
from echovessel.runtime.loops import EMBEDDER_RETRY_S
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.world import World


def test_a_defect_ends_its_turn_visibly_and_the_next_message_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with World(tmp_path) as vessel:
        with monkeypatch.context() as broken:
            broken.setattr(answering.render, "reply", lambda *_: 1 / 0)
            vessel.hears("你好")
        assert (vessel.last.state, vessel.last.trouble and vessel.last.trouble.code) == (MessageState.FAILED, "defect")
        vessel.model_says("好了。")
        vessel.hears("现在呢？")
        assert vessel.reply == "好了。"


def test_a_slow_reply_to_one_persona_does_not_hold_up_another(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        other = vessel.run(vessel.vessel.library.create(NewPersona(name="另一个", locale="zh")))
        hold = vessel.model_says("慢慢说", hold_after=0)
        vessel.model_says("快快说")
        vessel.sends("在吗")
        vessel.waits_for(hold)
        pair = Pair(vessel.pair.user_id, other.id)
        receipt = vessel.run(
            vessel.vessel.front.hear(
                Incoming(pair=pair, channel="page", conversation=other.id, text="在吗", zone="Asia/Shanghai")
            )
        )
        vessel.answers(receipt.turn_id)
        hold.release()


class Recovering(HashEmbedder):
    """Down at first."""

    down = True

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        if self.down:
            raise EmbedderDown("Not now.", do="Wait.")
        return await super().embed(texts, kind)


def test_an_embedder_that_comes_back_catches_up(tmp_path: Path) -> None:
    embedder = Recovering()
    with World(tmp_path, embedder=embedder) as vessel:
        vessel.model_says("好。")
        vessel.hears("你好")
        embedder.down = False
        vessel.passes(EMBEDDER_RETRY_S)
        vessel.rests()
        assert vessel.run(vessel.vessel.deps.store.embedders()) == {embedder.name: 2}


def test_a_deletion_leaves_a_job_that_is_done(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        receipt = vessel.sends("忘了它")
        vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, receipt.message_id))
        vessel.rests()
        (job,) = vessel.run(vessel.vessel.deps.store.jobs())
        assert (job.kind, job.state, job.last_error) == ("scrub", JobState.DONE, "")


def test_a_turn_that_waits_for_a_free_worker_is_taken_without_another_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECHOVESSEL_TURN__WORKERS", "4")
    with World(tmp_path) as vessel:
        pairs = [vessel.pair]
        for name in ("二", "三", "四", "五", "六"):
            persona = vessel.run(vessel.vessel.library.create(NewPersona(name=name, locale="zh")))
            pairs.append(Pair(vessel.pair.user_id, persona.id))
        holds = [vessel.model_says("好", hold_after=0) for _ in pairs]
        receipts = [
            vessel.run(
                vessel.vessel.front.hear(
                    Incoming(pair=p, channel="page", conversation=p.persona_id, text="在吗", zone="Asia/Shanghai")
                )
            )
            for p in pairs
        ]
        vessel.waits_for(holds[3])
        for hold in holds:
            hold.release()
        for receipt in receipts:
            vessel.answers(receipt.turn_id)


def test_a_store_that_fails_for_a_moment_leaves_running_turns_alone(tmp_path: Path) -> None:
    stores: list[Stumbling] = []

    def wrap(store: Store) -> Store:
        stores.append(Stumbling(store))
        return cast("Store", stores[-1])

    with World(tmp_path, wrap=wrap) as vessel:
        hold = vessel.model_says("一 二 三", hold_after=1)
        receipt = vessel.sends("数数")
        vessel.waits_for(hold)
        stores[-1].stumbles = 1
        vessel.vessel.deps.bells.turns.ring()
        vessel.run(asyncio.sleep(0.05))
        assert stores[-1].stumbles == 0
        hold.release()
        vessel.answers(receipt.turn_id)
        assert (vessel.reply, len(vessel.prompts)) == ("一 二 三", 1)


class Stumbling:
    """A store whose next looks for waiting turns fail."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.stumbles = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def due_turns(self, limit: int = 50) -> DueTurns:
        if self.stumbles:
            self.stumbles -= 1
            raise PortDown("The database does not answer.", do="Wait.")
        return await self._store.due_turns(limit)


async def _attempted(vessel: World, times: int) -> None:
    async with asyncio.timeout(10):
        while True:
            job = await _scrub(vessel)
            if job.attempts == times and job.state is not JobState.LEASED:
                return
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (PortDown("The log is still being read.", do="Wait."), "The log is still being read. Wait."),
        (StoreUnusable("It is damaged.", do="Restore one."), "It is damaged. Restore one."),
        (ValueError("words of somebody"), "ValueError"),
    ],
    ids=["port", "store", "defect"],
)
def test_a_job_that_fails_too_often_is_parked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: Exception, told: str
) -> None:
    async def fails(_: Deps) -> None:
        raise raised

    monkeypatch.setattr(loops, "JOBS", {"scrub": fails})
    with World(tmp_path) as vessel:
        _schedules_a_job(vessel)
        for attempts in range(1, loops.JOB_ATTEMPTS + 1):
            vessel.run(_attempted(vessel, attempts))
            vessel.passes(loops.JOB_RETRY.total_seconds())
        job = vessel.run(_parked(vessel))
        assert (job.attempts, job.last_error) == (loops.JOB_ATTEMPTS, told)


def test_a_job_that_outlives_its_workers_is_parked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = asyncio.Queue[None]()

    async def hangs(_: Deps) -> None:
        await taken.put(None)
        await asyncio.Event().wait()

    monkeypatch.setattr(loops, "JOBS", {"scrub": hangs})
    with World(tmp_path) as vessel:
        _schedules_a_job(vessel)
        for _ in range(loops.JOB_ATTEMPTS):
            vessel.run(asyncio.wait_for(taken.get(), 10))
            vessel.restart()
        job = vessel.run(_parked(vessel))
        assert job.last_error == "its workers ended before it did"
        assert taken.empty()


def test_a_job_that_lasts_longer_than_its_lease_is_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = asyncio.Queue[None](), asyncio.Event()

    async def lasts(_: Deps) -> None:
        await begun.put(None)
        await go_on.wait()

    monkeypatch.setattr(loops, "JOBS", {"scrub": lasts})
    with World(tmp_path) as vessel:
        _schedules_a_job(vessel)
        vessel.run(asyncio.wait_for(begun.get(), 10))
        for _ in range(6):
            vessel.passes(loops.JOB_LEASE_S / 3)
            vessel.run(asyncio.sleep(0.05))
        job = vessel.run(_scrub(vessel))
        assert (job.state, job.attempts) == (JobState.LEASED, 1)
        go_on.set()
        vessel.run(_attempted(vessel, 1))
        job = vessel.run(_scrub(vessel))
        assert (job.state, job.attempts, job.last_error) == (JobState.DONE, 1, "")


async def _scrub(vessel: World) -> Job:
    """The job that the deletion left."""
    (job,) = [job for job in await vessel.vessel.deps.store.jobs() if job.kind == "scrub"]
    return job


def test_a_backup_is_made_a_minute_after_the_start(tmp_path: Path) -> None:
    async def made(vessel: World) -> None:
        async with asyncio.timeout(10):
            while not await vessel.vessel.deps.backups.listed():  # noqa: ASYNC110 - the loop tells nobody
                await asyncio.sleep(0.01)

    with World(tmp_path) as vessel:
        vessel.run(asyncio.sleep(0.05))
        assert vessel.run(vessel.vessel.deps.backups.listed()) == []
        vessel.passes(loops.FIRST_BACKUP_LOOK_S)
        vessel.run(made(vessel))


def _schedules_a_job(vessel: World) -> None:
    receipt = vessel.sends("忘了它")
    vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, receipt.message_id))


async def _parked(vessel: World) -> Job:
    async with asyncio.timeout(10):
        while True:
            job = await _scrub(vessel)
            if job.state is JobState.PARKED:
                return job
            await asyncio.sleep(0.01)


def test_what_nobody_looks_at_any_more_goes_by_itself(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        vessel.model_says("好。")
        turn_id = vessel.hears("你好").turn_id
        vessel.rests()
        vessel.passes(TRACES_LAST.total_seconds() + loops.TIDY_EVERY_S)

        async def is_gone() -> bool:
            return await vessel.vessel.deps.store.trace(vessel.pair.user_id, turn_id) is None

        vessel.run(vessel._until(is_gone))
