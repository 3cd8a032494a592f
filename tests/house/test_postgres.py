"""The throw-away PostgreSQL that store tests run on."""

from collections.abc import Callable

import psycopg
import pytest

pytestmark = pytest.mark.postgres


def _dsn(url: str) -> str:
    return url.replace("postgresql+psycopg://", "postgresql://")


def test_a_database_knows_vectors_chinese_and_utc(postgres_url: str) -> None:
    with psycopg.connect(_dsn(postgres_url)) as connection:
        nearest = connection.execute("SELECT '[1,0]'::vector <=> '[0,1]'::vector").fetchone()
        found = connection.execute("SELECT array_to_tsvector(ARRAY['龟背','背竹']) @@ '背竹'::tsquery").fetchone()
        zone = connection.execute("SHOW timezone").fetchone()

    assert nearest == (1.0,)
    assert found == (True,)
    assert zone == ("UTC",)


def test_databases_do_not_see_each_other(new_postgres_url: Callable[[], str]) -> None:
    first, second = new_postgres_url(), new_postgres_url()
    with psycopg.connect(_dsn(first)) as connection:
        connection.execute("CREATE TABLE seen (id int)")
    with psycopg.connect(_dsn(second)) as connection:
        row = connection.execute("SELECT to_regclass('seen')").fetchone()

    assert row == (None,)
