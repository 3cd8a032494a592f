"""Bringing a database to the newest schema, and refusing one that cannot be used; what is refused is not touched."""

from pathlib import Path

from sqlalchemy import Connection, inspect, select
from sqlalchemy import column as sql_column
from sqlalchemy import table as sql_table

from echovessel.core.errors import StoreUnusable

HEAD = "0002"
"""The newest revision in migrations/versions. Revisions are counted, so that a newer one is a greater one."""

_VERSION = sql_table("alembic_version", sql_column("version_num"))


def revision(conn: Connection) -> str | None:
    """The schema's revision; None for a database without any table. StoreUnusable when its tables are not ours."""
    tables = inspect(conn).get_table_names()
    if not tables:
        return None
    found = conn.scalar(select(_VERSION.c.version_num)) if "alembic_version" in tables else None
    if found is None or (found <= HEAD and "message" not in tables):
        raise StoreUnusable(
            "The database holds tables that are not EchoVessel's; it was left as it is.",
            do="Name another file or an empty database, or move this one away.",
        )
    return found


def refuse_newer(found: str | None) -> None:
    """StoreUnusable for a database that a newer version has upgraded."""
    if found is not None and found > HEAD:
        raise StoreUnusable(
            f"The database has schema {found}; this version knows schemas up to {HEAD}. It was left as it is.",
            do="Install the newer version of EchoVessel again, or restore a backup made with this one.",
        )


def upgrade(conn: Connection) -> None:
    """Run the migrations that are missing, in the caller's transaction: all of them or none."""
    found = revision(conn)
    refuse_newer(found)
    if found == HEAD:
        return
    from alembic import command  # 0.1 s, needed only for a new or an old database
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = conn
    command.upgrade(config, "head")
