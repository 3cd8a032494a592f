"""What every test stands on: no network, no skipping in CI, and the servers and browsers that tests ask for.

Async tests are run by pytest-asyncio in auto mode: write `async def test_...`, no marker needed, a fresh loop each.
"""

from collections.abc import Callable, Iterator

import pytest

from tests.support import chromium, sockets
from tests.support.postgres import PostgresMissing, PostgresServer, running_postgres

sockets.block()

pytest_plugins = ["tests.support.no_skips"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running PostgreSQL with pgvector, shared by the whole run."""
    try:
        server = running_postgres()
        with server as running:
            yield running
    except PostgresMissing as missing:
        pytest.skip(str(missing))


@pytest.fixture
def new_postgres_url(postgres: PostgresServer) -> Iterator[Callable[[], str]]:
    """Call it for the SQLAlchemy URL of a fresh, empty database; each is dropped after the test."""
    made: list[str] = []

    def create() -> str:
        made.append(postgres.create_database())
        return made[-1]

    yield create
    for url in made:
        postgres.drop_database(url)


@pytest.fixture
def postgres_url(new_postgres_url: Callable[[], str]) -> str:
    """SQLAlchemy URL of a fresh, empty database of this test's own."""
    return new_postgres_url()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of the system's Chromium. Start it with `tests.support.chromium.ARGUMENTS`."""
    path = chromium.find_chromium()
    if path is None:
        pytest.skip(chromium.HOW_TO_GET_IT)
    return path
