"""Column types that both databases share."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, DateTime, Dialect, Integer
from sqlalchemy.types import TypeDecorator, TypeEngine
from typing_extensions import override

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

Number = BigInteger().with_variant(Integer(), "sqlite")
"""A number the database counts up by itself; SQLite does so only for a column called INTEGER."""


class Instant(TypeDecorator[datetime]):
    """An aware UTC datetime: `timestamptz` on PostgreSQL, whole microseconds since 1970 on SQLite, so that both sort."""

    impl = BigInteger
    cache_ok = True

    @override
    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """The database's own type."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(DateTime(timezone=True))
        return dialect.type_descriptor(BigInteger())

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | int | None:
        """Refuse a naive datetime: it is a programming error, and the database would guess its zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an instant needs a time zone")
        return value if dialect.name == "postgresql" else (value - _EPOCH) // _MICROSECOND

    @override
    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """Back to an aware datetime in UTC."""
        if value is None:
            return None
        if dialect.name == "postgresql":
            return value.astimezone(UTC)
        return _EPOCH + value * _MICROSECOND
