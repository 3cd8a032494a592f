"""A home that an old version left behind opens in this one, and nothing of it is lost."""

import json
import lzma
import shutil
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, MetaData, create_engine, inspect, select

from echovessel.adapters.config import FileSettings
from echovessel.adapters.store import open_store, schema
from echovessel.adapters.store import tables as t
from echovessel.core.talk import TurnState
from echovessel.ports.records import OWNER, OWNER_CHANNEL
from echovessel.ports.store import Store
from echovessel.testing.clock import StoppedClock
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.world import World
from tests.houses.portrait import portrait

HOUSES = sorted(Path(__file__).parent.glob("revision-*"))
OLDEST = HOUSES[0]


def moves_into(house: Path, folder: Path) -> Path:
    """The home of an old house, laid out in `folder`."""
    home = folder / "home"
    home.mkdir(mode=0o700)
    (home / "memory.db").write_bytes(lzma.decompress((house / "memory.db.xz").read_bytes()))
    shutil.copy(house / "config.toml", home)
    return home


def drawn_then(house: Path) -> dict[str, Any]:
    return json.loads((house / "portrait.json").read_text(encoding="utf-8"))


async def drawn_now(store: Store) -> dict[str, Any]:
    identity = await store.identity(OWNER_CHANNEL, OWNER)
    assert identity is not None
    drawn = await portrait(store, identity.user_id, HashEmbedder.name)
    return json.loads(json.dumps(drawn))


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
async def test_everything_in_an_old_house_is_as_it_was(tmp_path: Path, house: Path) -> None:
    store = open_store(url=None, path=moves_into(house, tmp_path) / "memory.db", clock=StoppedClock())
    try:
        health = await store.health()
        assert (health.revision, health.integrity) == (schema.HEAD, "ok")
        assert await drawn_now(store) == drawn_then(house)
    finally:
        await store.close()


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
def test_the_settings_of_an_old_house_are_read_as_they_were(tmp_path: Path, house: Path) -> None:
    settings = FileSettings(moves_into(house, tmp_path) / "config.toml").current()
    assert (settings.llm.base_url, settings.llm.model) == ("http://127.0.0.1:9/v1", "luna-7b")
    assert (settings.llm.price_in, settings.llm.price_out, settings.llm.daily_cost_cap) == (2.5, 10, 3)
    assert (settings.turn.debounce_s, settings.prompt.token_budget) == (1.5, 5000)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
def test_an_old_house_remembers_and_answers_what_it_had_not_answered(tmp_path: Path, house: Path) -> None:
    moves_into(house, tmp_path)
    waited = drawn_then(house)["personas"][0]["messages"][-1]
    with World(tmp_path) as vessel:
        vessel.model_says("现在回答你。")
        vessel.passes(3 * 86_400)
        vessel.answers(waited["ids"][1])
        assert vessel.turn(waited["ids"][1]).state is TurnState.DONE
        assert vessel.said[-2:] == ["这句还没有等到回答", "现在回答你。"]

        vessel.model_says("活得很好。")
        vessel.hears("龟背竹还好吗？")
        assert "我把阳台那盆龟背竹救活了" in vessel.prompts[-1]
        assert "紫藤七号" not in vessel.prompts[-1], "what was deleted then stays deleted"
        assert "他三月搬家。" in vessel.prompts[-1]


@pytest.mark.postgres
async def test_the_oldest_house_upgrades_on_postgres_too(tmp_path: Path, postgres_url: str) -> None:
    old = create_engine(f"sqlite:///{moves_into(OLDEST, tmp_path) / 'memory.db'}")
    new = create_engine(postgres_url)
    _make_schema(new, OLDEST.name.removeprefix("revision-"))
    _move(old, new)

    store = open_store(url=postgres_url, path=None, clock=StoppedClock())
    try:
        assert (await store.health()).revision == schema.HEAD
        assert await drawn_now(store) == drawn_then(OLDEST)
    finally:
        await store.close()


def _make_schema(engine: Engine, revision: str) -> None:
    """The tables as they were at that revision."""
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parent / "migrations"))
    with engine.begin() as conn:
        config.attributes["connection"] = conn
        command.upgrade(config, revision)


def _move(old: Engine, new: Engine) -> None:
    """Copy every row of every table, as far as the old schema has its columns."""
    tables: MetaData = t.metadata
    with old.connect() as source, new.begin() as target:
        held = inspect(source)
        for table in tables.sorted_tables:
            if not held.has_table(table.name):
                continue
            names = {column["name"] for column in held.get_columns(table.name)}
            columns = [column for column in table.c if column.name in names]
            rows = [dict(row) for row in source.execute(select(*columns)).mappings()]
            if rows:
                target.execute(table.insert(), rows)
    old.dispose()
    new.dispose()
