"""Reading times in tests: one moment at which everything is said, and spans written in a line."""

from datetime import datetime
from zoneinfo import ZoneInfo

from echovessel.memory import time_expr

SAID = datetime(2023, 5, 24, 23, 30, tzinfo=ZoneInfo("Asia/Shanghai"))
"""A Wednesday."""


def spans(text: str, said_at: datetime = SAID) -> list[str]:
    """Each time in a text as "first … last": days, both included; with hours where it is less than days."""
    return [_written(found) for found in time_expr.find(text, said_at)]


def _written(found: time_expr.Mention) -> str:
    since, until = found.since, found.until
    if since.hour or until.hour or since.minute or until.minute:
        return f"{since:%Y-%m-%d %H:%M} … {until:%m-%d %H:%M}"
    last = datetime.fromordinal(until.toordinal() - 1)
    return f"{since:%Y-%m-%d}" if since.toordinal() == last.toordinal() else f"{since:%Y-%m-%d} … {last:%Y-%m-%d}"
