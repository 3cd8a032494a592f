"""What the watch notices while the vessel runs: settings edited by hand, a database that cannot be written, a clock set."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from echovessel.adapters.home import Home
from echovessel.core.errors import DiskFull, EchoVesselError
from echovessel.core.ids import JobId
from echovessel.core.talk import TurnState
from echovessel.ports.changes import Applied, Change, Fence, ScheduleJob
from echovessel.ports.records import JobState
from echovessel.ports.settings import Settings
from echovessel.ports.store import Store
from echovessel.runtime.watch import LOOK_EVERY_S, Watch
from echovessel.testing.world import World

HOUR_S = 3600.0
DAY_S = 24 * HOUR_S


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return Home(tmp_path / "home").config


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path) as vessel:
        yield vessel


def _looks(world: World) -> None:
    """The watch looks once more."""
    world.run(asyncio.sleep(0.01))
    world.passes(LOOK_EVERY_S)
    world.run(asyncio.sleep(0.05))


def _settings(world: World) -> Settings:
    return world.vessel.deps.settings.current()


def test_settings_edited_by_hand_reach_what_runs(world: World, config: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    config.write_text("[turn]\ndebounce_s = 7\n[llm]\napi_key = 'sk-hidden'\n[prompt]\ntoken_budget = 900\n")

    _looks(world)

    receipt = world.sends("早")
    assert world.turn(receipt.turn_id).due_at == world.clock.now() + timedelta(seconds=7)
    assert _settings(world).prompt.token_budget == 900
    (told,) = [r for r in caplog.records if r.message == "settings changed"]
    assert told.__dict__["keys"] == ["llm.api_key", "prompt.token_budget", "turn.debounce_s"]
    assert "sk-hidden" not in caplog.text


def test_who_keeps_a_copy_is_told(world: World, config: Path) -> None:
    told: list[str] = []
    watch = Watch(world.vessel.deps, lambda changed: told.append(changed.log.level))
    config.write_text("[log]\nlevel = 'debug'\n")

    async def looked() -> None:
        looking = asyncio.create_task(watch.loop())
        watch.read_settings()
        await asyncio.sleep(0.05)
        looking.cancel()

    world.run(looked())
    assert told == ["debug"]


def test_a_wrong_file_changes_nothing_and_is_told_once(
    world: World, config: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config.write_text("[turn]\ndebounce_s = 'long'\n")
    for _ in range(3):
        _looks(world)

    problem = world.vessel.deps.settings.problem
    assert problem
    assert "config.toml, line 2" in problem.message
    assert _settings(world).turn.debounce_s == 2
    (said,) = [r.message for r in caplog.records if r.levelno >= logging.ERROR]
    assert said == f"the settings file is wrong, and the former settings stay in force: {problem.message}"

    config.write_text("[turn]\ndebounce_s = 3\n")
    _looks(world)
    assert world.vessel.deps.settings.problem is None
    assert _settings(world).turn.debounce_s == 3


def test_what_is_read_at_the_start_is_named_until_then(world: World, config: Path) -> None:
    config.write_text("[server]\nport = 7999\n[embedder]\nname = 'none'\n")
    _looks(world)
    assert world.vessel.deps.settings.at_next_start == ["server.port", "embedder.name"]

    config.write_text("")
    _looks(world)
    assert world.vessel.deps.settings.at_next_start == []


class Full:
    """A store on a disk that can be full."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.full = False
        self.tried = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @property
    def down(self) -> EchoVesselError | None:
        return DiskFull("No room.", do="Make some.") if self.full else None

    async def apply(self, changes: Sequence[Change], fence: Fence | None = None) -> Applied:
        self._room()
        return await self._store.apply(changes, fence)

    async def try_writing(self) -> None:
        self.tried += 1
        self._room()

    def _room(self) -> None:
        if down := self.down:
            raise down


def test_a_full_disk_is_tried_until_there_is_room_and_fills_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stores: list[Full] = []

    def wrap(store: Store) -> Store:
        stores.append(Full(store))
        return cast("Store", stores[-1])

    with World(tmp_path, wrap=wrap) as vessel:
        receipt = vessel.sends("还在吗")
        stores[-1].full = True
        for _ in range(20):
            _looks(vessel)
        assert not vessel.vessel.supervisor.ready
        assert stores[-1].tried == 20
        assert len([r for r in caplog.records if r.levelno >= logging.ERROR]) < 8

        vessel.model_says("在。")
        stores[-1].full = False
        _looks(vessel)
        vessel.answers(receipt.turn_id)
        assert vessel.vessel.supervisor.ready
        assert (vessel.reply, len(vessel.prompts)) == ("在。", 1)


def test_a_job_waits_as_long_as_before_when_the_clock_is_set_back(world: World) -> None:
    job = ScheduleJob(
        job_id=JobId(world.ids.ulid()),
        kind="scrub",
        key="k",
        user_id=None,
        due_at=world.clock.now() + timedelta(seconds=60),
        payload="",
    )
    world.run(world.vessel.deps.store.apply([job]))

    world.clock.set(-DAY_S)
    _looks(world)
    world.passes(60)
    world.rests()

    (done,) = (job for job in world.run(world.vessel.deps.store.jobs()) if job.kind == "scrub")
    assert done.state is JobState.DONE


def test_what_became_due_while_the_machine_slept_is_done_at_the_first_look(world: World, config: Path) -> None:
    config.write_text("[turn]\ndebounce_s = 30\n")
    _looks(world)
    world.model_says("早。")
    receipt = world.sends("早")

    world.run(asyncio.sleep(0.3))  # the loops have looked, and found nothing that is due
    world.clock.set(DAY_S)  # asleep, only the hands move
    _looks(world)

    world.run(world._until(lambda: world._is_over(receipt.turn_id)))
    assert world.turn(receipt.turn_id).state is TurnState.DONE


@pytest.mark.parametrize("by", [DAY_S, -DAY_S], ids=["forward", "back"])
def test_a_reply_being_worded_outlives_a_clock_that_is_set(world: World, by: float) -> None:
    hold = world.model_says("一 二 三", hold_after=1)
    receipt = world.sends("数数")
    world.waits_for(hold)

    world.clock.set(by)
    for _ in range(3):
        _looks(world)
    hold.release()
    world.answers(receipt.turn_id)

    assert world.turn(receipt.turn_id).state is TurnState.DONE
    assert (world.reply, len(world.prompts)) == ("一 二 三", 1)


@pytest.mark.parametrize("by", [DAY_S, -DAY_S], ids=["forward", "back"])
def test_a_talk_goes_on_after_the_clock_was_set(world: World, by: float) -> None:
    world.model_says("早。")
    world.hears("早")
    receipt = world.sends("今天星期几？")

    world.model_says("你猜。")
    world.clock.set(by)
    _looks(world)
    world.answers(receipt.turn_id)
    world.model_says("好。")
    world.hears("不猜")

    assert world.said == ["早", "早。", "今天星期几？", "你猜。", "不猜", "好。"]


@pytest.mark.parametrize("by", [DAY_S, -DAY_S], ids=["forward", "back"])
def test_a_daily_cap_holds_on_the_day_that_the_clock_shows(world: World, config: Path, by: float) -> None:
    config.write_text("[llm]\ndaily_token_cap = 1\n")
    _looks(world)
    world.model_says("一次。")
    world.hears("第一句")
    world.hears("第二句")
    assert world.last.trouble
    assert world.last.trouble.code == "daily-cap"

    world.clock.set(by)
    _looks(world)
    if by > 0:
        world.model_says("新的一天。")
    world.hears("第三句")

    assert (world.last.trouble is None) == (by > 0), (
        "a new day is a new budget; a day that is lived again has none left"
    )
