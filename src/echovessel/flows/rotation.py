"""Which backups are no longer needed: the newest of each of the last days, and of each of the last weeks, are."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime

from echovessel.ports.backups import Backup, Reason


def superfluous(backups: Sequence[Backup], *, now: datetime, keep_daily: int, keep_weekly: int) -> list[Backup]:
    """The automatic backups to remove. Days and weeks (ISO 8601) are those of UTC, and only those that have a backup count.

    One that bears a date to come was made before the clock was set back. It stays until that date, and takes nobody's place:
    else what is made today would be the oldest, and go at once.

    Whatever a person asked for, or that was kept before something was replaced, stays; so does one that is not sound: it may be
    the last trace of something.
    """
    ours = [b for b in backups if b.reason is Reason.AUTOMATIC and not b.wrong and b.made_at <= now]
    ours.sort(key=lambda backup: backup.made_at, reverse=True)
    kept = {backup.name for backup in _newest(ours, keep_daily, lambda day: day.toordinal())}
    kept |= {backup.name for backup in _newest(ours, keep_weekly, lambda day: day.isocalendar()[:2])}
    return [backup for backup in ours if backup.name not in kept]


def _newest(newest_first: Sequence[Backup], most: int, period: Callable[[date], object]) -> Iterator[Backup]:
    """The newest backup of each of the last `most` periods."""
    seen: set[object] = set()
    for backup in newest_first:
        found = period(backup.made_at.date())
        if found not in seen and len(seen) < most:
            seen.add(found)
            yield backup
