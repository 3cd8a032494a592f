"""Statements that every message passes: compiled once, and on SQLite run by its driver itself.

SQLAlchemy spends 30 to 100 µs of CPU on an execution, SQLite 3 to 20, and a message needs a dozen. On PostgreSQL, where each
statement is a way over the network, they run as any other does.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Dialect, Insert, Select, Update
from sqlalchemy.exc import DBAPIError

Statement = Select[*tuple[Any, ...]] | Insert | Update


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A statement as SQLite reads it: the values that it names itself, then the name of each place and how its value is
    converted."""

    sql: str
    fixed: Mapping[str, Any]
    places: Sequence[tuple[str, Callable[[Any], Any] | None]]


class Prepared:
    """One statement. A transaction must have begun. What it returns is not converted: ask it for words and numbers only."""

    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self._compiled: _Compiled | None = None

    def first(self, conn: Connection, values: Mapping[str, Any]) -> Sequence[Any] | None:
        """Run it; its first row, if it has any. For an INSERT `values` names the same columns every time, all that have a
        default among them."""
        if conn.dialect.name != "sqlite":
            result = conn.execute(self._statement, values)
            return result.first() if result.returns_rows else None
        if self._compiled is None:
            self._compiled = _compile(self._statement, conn.dialect, values)
        given = {**self._compiled.fixed, **values}
        row = [given[name] if convert is None else convert(given[name]) for name, convert in self._compiled.places]
        driver = conn.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        try:
            return driver.execute(self._compiled.sql, row).fetchone()
        except sqlite3.Error as cause:
            raise DBAPIError.instance(self._compiled.sql, None, cause, sqlite3.Error, hide_parameters=True) from cause


def _compile(statement: Statement, dialect: Dialect, values: Mapping[str, Any]) -> _Compiled:
    columns = list(values) if isinstance(statement, Insert) else None
    compiled = statement.compile(dialect=dialect, column_keys=columns)
    names = compiled.positiontup or ()
    return _Compiled(
        sql=str(compiled),
        fixed={name: value for name, value in compiled.params.items() if not compiled.binds[name].required},
        places=[(name, compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect)) for name in names],
    )
