"""A statement that every message or turn passes: compiled once, and on SQLite run by its driver itself.

SQLAlchemy spends 30 to 100 µs of CPU on an execution, SQLite 3 to 20, and a turn needs dozens. On PostgreSQL, where each
statement is a way over the network, they run as any other does.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Dialect, Insert, Row, Select, Update
from sqlalchemy.engine import result_tuple
from sqlalchemy.exc import DBAPIError

Statement = Select[*tuple[Any, ...]] | Insert | Update
Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A statement as SQLite reads it: the values that it names itself, then the name of each place and how its value is
    converted; how a row is made, and which of its values are converted how."""

    sql: str
    fixed: Mapping[str, Any]
    places: Sequence[tuple[str, Convert | None]]
    row: Callable[[Sequence[Any]], Row[Any]]
    columns: Sequence[tuple[int, Convert]]

    def read(self, found: Sequence[Any]) -> Row[Any]:
        """A row as SQLAlchemy would give it."""
        values = list(found)
        for place, convert in self.columns:
            values[place] = convert(values[place])
        return self.row(values)


class Prepared:
    """One statement. A transaction must have begun."""

    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self._compiled: _Compiled | None = None

    def first(self, conn: Connection, values: Mapping[str, Any]) -> Row[Any] | None:
        """Run it; its first row, if it has any. `values` names the same columns every time: of an INSERT all that have a
        default, of an UPDATE those that it sets."""
        if conn.dialect.name != "sqlite":
            result = conn.execute(self._statement, values)
            return result.first() if result.returns_rows else None
        compiled, cursor = self._run(conn, values)
        found = cursor.fetchone()
        return None if found is None else compiled.read(found)

    def all(self, conn: Connection, values: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """Run it; its rows. Many at once come no faster than from SQLAlchemy."""
        if conn.dialect.name != "sqlite":
            return conn.execute(self._statement, values).all()
        compiled, cursor = self._run(conn, values)
        return [compiled.read(found) for found in cursor.fetchall()]

    def scalar(self, conn: Connection, values: Mapping[str, Any]) -> Any:
        """Run it; the first value of its first row, None without one."""
        found = self.first(conn, values)
        return None if found is None else found[0]

    def _run(self, conn: Connection, values: Mapping[str, Any]) -> tuple[_Compiled, sqlite3.Cursor]:
        if self._compiled is None:
            self._compiled = _compile(self._statement, conn.dialect, values)
        compiled = self._compiled
        given = {**compiled.fixed, **values}
        row = [given[name] if convert is None else convert(given[name]) for name, convert in compiled.places]
        driver = conn.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        try:
            return compiled, driver.execute(compiled.sql, row)
        except sqlite3.Error as cause:
            raise DBAPIError.instance(compiled.sql, None, cause, sqlite3.Error, hide_parameters=True) from cause


def _compile(statement: Statement, dialect: Dialect, values: Mapping[str, Any]) -> _Compiled:
    given = None if isinstance(statement, Select) else list(values)
    compiled = statement.compile(dialect=dialect, column_keys=given)
    names = compiled.positiontup or ()
    returned = list(statement.exported_columns)
    converts = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in returned]
    return _Compiled(
        sql=str(compiled),
        fixed={name: value for name, value in compiled.params.items() if not compiled.binds[name].required},
        places=[(name, compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect)) for name in names],
        row=result_tuple([column.key or "" for column in returned]),
        columns=[(place, convert) for place, convert in enumerate(converts) if convert is not None],
    )
