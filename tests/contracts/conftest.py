"""Databases with the schema in them, made once a run: each test gets a copy."""

import asyncio
from pathlib import Path

import pytest

from echovessel.adapters.store import open_store
from echovessel.testing.clock import StoppedClock
from tests.support.postgres import PostgresServer


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "memory.db"
    asyncio.run(open_store(url=None, path=path, clock=StoppedClock()).close())
    return path


@pytest.fixture(scope="session")
def postgres_template(postgres: PostgresServer) -> str:
    url = postgres.create_database()
    asyncio.run(open_store(url=url, path=None, clock=StoppedClock()).close())
    return url.partition("?")[0].rpartition("/")[2]
