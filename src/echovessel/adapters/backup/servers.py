"""Where a database server keeps the data, its own tools make and restore the backups; here is only how."""

from collections.abc import Sequence
from typing import NoReturn

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from echovessel.core.errors import Conflict
from echovessel.ports.backups import Backup, Reason


class KeptElsewhere(Conflict):
    """Tell the caller: the data is kept by a server. `do` is the command for it, without the password."""

    code = "kept-elsewhere"

    def __init__(self, *, do: str) -> None:
        super().__init__("The data is kept in PostgreSQL, whose own tools make and restore backups.", do=do)


class ServerBackups:
    """Implements `ports.backups.Backups` where there are none."""

    here = False
    folder = ""

    def __init__(self, url: str) -> None:
        self._url = url

    async def make(self, reason: Reason, mark: str = "") -> NoReturn:  # noqa: ARG002 - a dump has no manifest
        raise KeptElsewhere(do=f"Run: pg_dump --format=custom --file=echovessel-{reason}.dump {shown(self._url)}")

    async def listed(self) -> Sequence[Backup]:
        return ()

    async def holding_deleted(self) -> frozenset[str]:
        return frozenset()

    async def remove(self, name: str) -> NoReturn:
        raise KeptElsewhere(do=f"Remove {name} where you keep your dumps.")

    async def forget_deleted(self) -> None:
        """Nothing of ours holds anything."""

    async def sweep(self) -> None:
        """Nothing of ours lies anywhere."""

    async def close(self) -> None:
        """Nothing runs."""


def restoring_to(url: str) -> KeptElsewhere:
    """What to tell someone who wants to restore a backup into a server's database."""
    return KeptElsewhere(do=f"Run: pg_restore --clean --if-exists --dbname={shown(url)} FILE")


def shown(url: str) -> str:
    """A database's address as PostgreSQL's tools take it, without the password, which they ask for."""
    try:
        named = make_url(url).difference_update_query(["password"])
    except ArgumentError:
        return "postgresql://…"
    return URL.create(
        "postgresql", named.username, host=named.host, port=named.port, database=named.database, query=named.query
    ).render_as_string()
