"""Instants are aware UTC datetimes; the zone a thing was said in is kept beside them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from echovessel.core.errors import BadInput

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def require_utc(at: datetime) -> datetime:
    """Return `at` in UTC; a naive datetime is a programming error."""
    if at.tzinfo is None:
        raise ValueError("an instant needs a time zone")
    return at.astimezone(UTC)


def milliseconds(at: datetime) -> int:
    """Unix milliseconds of an instant, rounded down."""
    return (require_utc(at) - _EPOCH) // _MILLISECOND


def from_milliseconds(value: int) -> datetime:
    """The instant at `value` Unix milliseconds."""
    return _EPOCH + value * _MILLISECOND


def iso(at: datetime) -> str:
    """RFC 3339 in UTC with milliseconds: `2026-11-30T17:27:03.120Z`."""
    return require_utc(at).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_UTC = frozenset({"UTC", "UCT", "Universal", "Zulu"})


def is_utc(name: str) -> bool:
    """Whether the IANA zone `name` is UTC under one of its names: what a machine says that was never told where it is."""
    return name.removeprefix("Etc/") in _UTC


def zone(name: str) -> ZoneInfo:
    """The IANA zone called `name`; BadInput when there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as cause:
        raise BadInput(
            f"There is no time zone called {name!r}.",
            field="zone",
            do="Use an IANA name such as Asia/Shanghai or Europe/Berlin.",
        ) from cause


def day_begins(now: datetime, zone_name: str) -> datetime:
    """The instant in UTC at which the day that `now` belongs to began in this zone."""
    return now.astimezone(zone(zone_name)).replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)
