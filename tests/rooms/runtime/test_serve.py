"""The daemon in this process: it answers, it stops gracefully, and it frees what it held."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from echovessel.adapters.home import Home, HomeLock
from echovessel.core.errors import ConfigError, ModelDown
from echovessel.core.ids import TurnId
from echovessel.ports.front import NewPersona
from echovessel.runtime.serve import Start, listen, serve, url_of
from echovessel.runtime.wiring import Overrides, Vessel
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.scripted_model import ScriptedModel


@dataclass
class Served:
    """A daemon that answers, and how to stop it."""

    http: httpx2.AsyncClient
    vessel: Vessel
    stopping: asyncio.Event
    ended: "asyncio.Task[None]"

    async def stop(self) -> float:
        """Stop it; returns the seconds that took."""
        begun = asyncio.get_running_loop().time()
        self.stopping.set()
        await self.ended
        return asyncio.get_running_loop().time() - begun


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHOVESSEL_TURN__DEBOUNCE_S", "0")


@asynccontextmanager
async def served(folder: Path, model: ScriptedModel) -> AsyncIterator[Served]:
    home = Home(folder)
    folder.mkdir(exist_ok=True)
    started: asyncio.Future[Vessel] = asyncio.get_running_loop().create_future()
    stopping = asyncio.Event()
    with HomeLock(home) as lock, listen("127.0.0.1", 0) as listener:
        overrides = Overrides(models=model, embedder=HashEmbedder())
        start = Start(home=home, lock=lock, listener=listener, overrides=overrides)
        ended = asyncio.create_task(serve(start, stopping, started.set_result))
        vessel = await started
        assert json.loads(home.daemon.read_text())["url"] == url_of(listener)
        headers = {"Authorization": f"Bearer {vessel.token}"}
        async with httpx2.AsyncClient(base_url=url_of(listener), headers=headers, trust_env=False) as http:
            yield Served(http, vessel, stopping, ended)
            stopping.set()
            await ended
    assert not home.daemon.exists()


async def _say(daemon: Served, text: str) -> tuple[str, str]:
    persona = await daemon.vessel.library.create(NewPersona(name="小满"))
    said = await daemon.http.post(f"/api/v1/personas/{persona.id}/messages", json={"text": text})
    return persona.id, said.json()["turn_id"]


async def test_it_answers_is_ready_and_stops_at_once_when_idle(tmp_path: Path) -> None:
    async with served(tmp_path / "home", ScriptedModel()) as daemon:
        assert (await daemon.http.get("/readyz")).status_code == 200
        assert (await daemon.http.get("/api/v1/doctor")).json()["items"][0]["name"] == "database"

        assert await daemon.stop() < 2


async def test_an_open_stream_of_events_does_not_hold_the_stop(tmp_path: Path) -> None:
    async with (
        served(tmp_path / "home", ScriptedModel()) as daemon,
        daemon.http.stream("GET", "/api/v1/events") as events,
    ):
        assert events.status_code == 200
        assert await daemon.stop() < 2
        async for _ in events.aiter_lines():
            pass


async def test_a_reply_being_worded_may_end_before_the_stop(tmp_path: Path) -> None:
    model = ScriptedModel()
    hold = model.will_say("It was a dark and stormy night.", hold_after=2)
    async with served(tmp_path / "home", model) as daemon:
        _, turn_id = await _say(daemon, "a story")
        await hold.reached.wait()
        asyncio.get_running_loop().call_later(0.3, hold.release)

        await daemon.stop()

    async with served(tmp_path / "home", model) as daemon:
        assert (await daemon.http.get(f"/api/v1/turns/{turn_id}")).json()["state"] == "done"


async def test_a_second_signal_does_not_wait_for_the_reply_whose_words_are_kept(tmp_path: Path) -> None:
    model = ScriptedModel(idle="again")
    hold = model.will_say("It was a dark and stormy night.", hold_after=2)
    async with served(tmp_path / "home", model) as daemon:
        persona_id, turn_id = await _say(daemon, "a story")
        await hold.reached.wait()
        daemon.stopping.set()
        await asyncio.sleep(0.1)

        assert await daemon.stop() < 2

    async with served(tmp_path / "home", model) as daemon:
        await _ended(daemon, turn_id)
        messages = (await daemon.http.get(f"/api/v1/personas/{persona_id}/messages")).json()["items"]
        assert [m["speaker"] for m in messages] == ["persona", "user"]


async def test_a_failed_turn_is_visible_and_the_next_one_works(tmp_path: Path) -> None:
    model = ScriptedModel()
    model.will_fail(ModelDown("The model is away.", do="Wait."))
    model.will_say("Here.")
    async with served(tmp_path / "home", model) as daemon:
        persona_id, turn_id = await _say(daemon, "one")
        await _ended(daemon, turn_id)
        said = await daemon.http.post(f"/api/v1/personas/{persona_id}/messages", json={"text": "two"})
        await _ended(daemon, said.json()["turn_id"])
        page = (await daemon.http.get(f"/api/v1/personas/{persona_id}/messages")).json()

    answers = [m for m in page["items"] if m["speaker"] == "persona"]
    assert [(m["text"], m["state"]) for m in answers] == [("Here.", "complete"), ("", "failed")]
    assert answers[1]["trouble"]["do"] == "Wait."


async def _ended(daemon: Served, turn_id: str) -> None:
    async with asyncio.timeout(20):
        async for _ in daemon.vessel.front.follow(daemon.vessel.owner, TurnId(turn_id)):
            pass


def test_a_port_in_use_is_told_with_a_remedy() -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(ConfigError) as refused:
        listen("127.0.0.1", taken.getsockname()[1])

    assert "--port" in refused.value.do


@pytest.mark.parametrize("host", ["a\0b", "a" * 70 + ".example", "999.1.1.1", "\ud800"])
def test_what_is_no_address_is_told_as_such(host: str) -> None:
    with pytest.raises(ConfigError, match="cannot be used"):
        listen(host, 0)


def test_the_url_of_a_listener_is_one_that_this_machine_reaches() -> None:
    with listen("0.0.0.0", 0) as everywhere:
        assert url_of(everywhere) == f"http://127.0.0.1:{everywhere.getsockname()[1]}"
    if socket.has_ipv6:
        with listen("::1", 0) as six:
            assert url_of(six) == f"http://[::1]:{six.getsockname()[1]}"
