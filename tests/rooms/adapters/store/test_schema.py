from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text

from echovessel.adapters.store import schema
from echovessel.adapters.store.tables import metadata
from echovessel.core.errors import StoreUnusable

MIGRATIONS = Path(schema.__file__).parent / "migrations"


def _differences(conn: Connection) -> list[object]:
    def ours(_object: object, name: str | None, _kind: str, reflected: bool, _other: object) -> bool:
        # Each database has one full-text index of its own kind, made by hand in the migration.
        by_hand = reflected and (name or "").startswith("message_fts")
        return not by_hand and not (name == "ix_message_search_tokens" and conn.dialect.name == "sqlite")

    options = {"compare_type": True, "compare_server_default": True, "include_object": ours}
    return compare_metadata(MigrationContext.configure(conn, opts=options), metadata)


def test_the_migrations_make_the_schema_that_the_code_uses(empty: Connection) -> None:
    assert _differences(empty) == []


@pytest.mark.postgres
def test_the_migrations_make_the_same_schema_on_postgres(postgres_url: str) -> None:
    engine = create_engine(postgres_url)
    with engine.begin() as conn:
        schema.upgrade(conn)
        found = _differences(conn)
    engine.dispose()

    assert found == []


def test_the_newest_migration_is_the_one_that_is_asked_for() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_heads() == [schema.HEAD]


def test_revisions_are_counted() -> None:
    revisions = sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("0*.py"))

    assert revisions == [f"{number:04}" for number in range(1, len(revisions) + 1)]


def test_upgrading_twice_changes_nothing(empty: Connection) -> None:
    before = empty.execute(text("SELECT name, sql FROM sqlite_master ORDER BY name")).all()

    schema.upgrade(empty)

    assert empty.execute(text("SELECT name, sql FROM sqlite_master ORDER BY name")).all() == before
    assert schema.revision(empty) == schema.HEAD


def test_a_database_that_lost_its_tables_is_refused() -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as conn:
        conn.execute(text("CREATE TABLE alembic_version (version_num TEXT)"))
        conn.execute(text(f"INSERT INTO alembic_version VALUES ('{schema.HEAD}')"))
        with pytest.raises(StoreUnusable, match="not EchoVessel's"):
            schema.upgrade(conn)
    engine.dispose()


def test_a_newer_schema_is_refused(empty: Connection) -> None:
    empty.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(StoreUnusable, match="9999") as refused:
        schema.upgrade(empty)

    assert "newer version" in refused.value.do


def test_tables_of_someone_else_are_refused() -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as conn:
        conn.execute(text("CREATE TABLE notes (id INTEGER)"))
        with pytest.raises(StoreUnusable, match="not EchoVessel's"):
            schema.upgrade(conn)
    engine.dispose()
