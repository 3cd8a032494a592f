"""Where a server keeps the data, we say which command copies it, and never the password."""

import pytest

from echovessel.adapters.backup.servers import KeptElsewhere, ServerBackups, restoring_to, shown
from echovessel.ports.backups import Reason

URL = "postgresql+psycopg://ada:s3cret@db.example:5433/vessel?password=s3cret&sslmode=require"


async def test_the_command_is_named_without_the_password() -> None:
    with pytest.raises(KeptElsewhere) as told:
        await ServerBackups(URL).make(Reason.ASKED)

    assert told.value.do == (
        "Run: pg_dump --format=custom --file=echovessel-asked.dump postgresql://ada@db.example:5433/vessel?sslmode=require"
    )
    assert "pg_restore --clean" in restoring_to(URL).do
    assert "s3cret" not in restoring_to(URL).do


async def test_there_are_none_to_list_or_to_clear_away() -> None:
    server = ServerBackups(URL)

    await server.sweep()
    await server.forget_deleted()
    await server.close()

    assert (server.here, await server.listed(), await server.holding_deleted()) == (False, (), frozenset())
    with pytest.raises(KeptElsewhere):
        await server.remove("x")


def test_an_address_that_cannot_be_read_is_not_repeated() -> None:
    assert shown("secret") == "postgresql://…"
