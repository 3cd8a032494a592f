"""Column types that both databases share."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from sqlalchemy import JSON, BigInteger, DateTime, Dialect, Integer, Text
from sqlalchemy.types import TypeDecorator, TypeEngine
from typing_extensions import override

from echovessel.core.text import keepable

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


class Words(TypeDecorator[str]):
    """Text from anywhere: what no database can hold is taken out on the way in, so that all that is kept can be read again."""

    impl = Text
    cache_ok = True

    @override
    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The same rule on both databases, and for the words one looks for."""
        return None if value is None else keepable(value)


class Record(TypeDecorator[Any]):
    """A JSON value whose texts are kept like `Words`; nothing is NULL."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    @override
    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Reach every text in it."""
        return _keepable_within(value)


def _keepable_within(value: object) -> object:
    match value:
        case str():
            return keepable(value)
        case Mapping():
            fields = cast("Mapping[str, object]", value)
            return {keepable(key): _keepable_within(held) for key, held in fields.items()}
        case list() | tuple():
            return [_keepable_within(held) for held in cast("list[object]", value)]
        case _:
            return value
