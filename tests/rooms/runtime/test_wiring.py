"""Everything is built in one place, on one home."""

from pathlib import Path

import pytest

from echovessel.adapters.home import Home
from echovessel.core.errors import ConfigError, StoreUnusable
from echovessel.core.ids import TurnId
from echovessel.core.pair import Pair
from echovessel.core.talk import TurnState
from echovessel.ports.changes import ClaimTurn, Lease
from echovessel.ports.embedder import Kind
from echovessel.ports.front import Incoming, NewPersona
from echovessel.ports.records import OWNER, OWNER_CHANNEL
from echovessel.runtime.wiring import Overrides, build
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.scripted_model import ScriptedModel

TEST = Overrides(embedder=HashEmbedder(), models=ScriptedModel())


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


async def test_the_first_start_makes_the_owner_in_the_machine_s_zone_and_language(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    vessel = await build(home, TEST)
    owner = await vessel.deps.store.user(vessel.owner)
    await vessel.close()
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")

    again = await build(home, TEST)
    identity = await again.deps.store.identity(OWNER_CHANNEL, OWNER)
    users = await again.deps.store.users()
    await again.close()

    assert owner
    assert (owner.zone, owner.locale) == ("Asia/Shanghai", "zh")
    assert identity
    assert identity.user_id == again.owner == vessel.owner
    assert users == [owner]
    assert vessel.token == again.token == home.token.read_text().strip()


async def test_a_start_lets_the_leases_of_a_killed_process_run_out(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHOVESSEL_TURN__DEBOUNCE_S", "0")
    killed = await build(home, TEST)
    persona = await killed.library.create(NewPersona(name="小满"))
    said = Incoming(pair=Pair(killed.owner, persona.id), channel="page", conversation="k", text="早", zone="UTC")
    turn_id = TurnId((await killed.front.hear(said)).turn_id)
    await killed.deps.store.apply(
        [ClaimTurn(user_id=killed.owner, turn_id=turn_id, lease=Lease("its", 3600))],
    )
    await killed.close()

    vessel = await build(home, TEST)
    turn = await vessel.deps.store.turn(vessel.owner, turn_id)
    waiting = (await vessel.deps.store.due_turns()).now
    await vessel.close()

    assert turn
    assert turn.state is TurnState.RUNNING
    assert [t.id for t in waiting] == [turn_id]


async def test_a_wrong_setting_stops_the_start_before_anything_is_written(home: Home) -> None:
    home.path.mkdir()
    home.config.write_text("[llm]\nmodle = 1\n")

    with pytest.raises(ConfigError, match="line 2"):
        await build(home)

    assert not home.database.exists()


async def test_a_damaged_database_is_refused_and_left_as_it_is(home: Home) -> None:
    home.path.mkdir()
    home.database.write_bytes(b"not a database at all" * 1000)

    with pytest.raises(StoreUnusable):
        await build(home, TEST)

    assert home.database.read_bytes() == b"not a database at all" * 1000


async def test_without_an_embedder_there_is_no_loop_for_vectors(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHOVESSEL_EMBEDDER__NAME", "none")
    vessel = await build(home)
    await vessel.close()
    assert vessel.deps.embedder is None
    assert set(vessel.loops()) == {"turns", "jobs", "watch", "backups", "tidying"}


async def test_warming_up_loads_the_embedder_and_needs_no_model(home: Home) -> None:
    embedder = HashEmbedder()
    vessel = await build(home, Overrides(embedder=embedder))

    await vessel.warm_up()
    await vessel.close()

    assert embedder.asked[Kind.QUERY] == 1
