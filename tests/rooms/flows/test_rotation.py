"""Which backups are no longer needed."""

from datetime import UTC, datetime, timedelta

from echovessel.flows.rotation import superfluous
from echovessel.ports.backups import Backup, Reason

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LATER = MONDAY + timedelta(days=1000)


def backup(at: datetime, reason: Reason = Reason.AUTOMATIC, wrong: str = "") -> Backup:
    return Backup(
        name=f"{at:%Y%m%dT%H%M%S}Z-{reason}",
        path="",
        made_at=at,
        reason=reason,
        program="1",
        revision="0001",
        messages=0,
        bytes=0,
        sha256="",
        wrong=wrong,
    )


def test_over_sixty_days_of_three_a_day_seven_days_and_four_weeks_stay() -> None:
    kept: list[Backup] = []
    for hour in range(0, 60 * 24, 8):
        kept.append(backup(MONDAY + timedelta(hours=hour)))
        gone = superfluous(kept, now=LATER, keep_daily=7, keep_weekly=4)
        kept = [b for b in kept if b not in gone]
        assert kept[-1].made_at == MONDAY + timedelta(hours=hour), "the newest always stays"

    days = [b.made_at.date() for b in kept]
    assert len(days) == len(set(days)) == 9
    newest = days[-1]
    assert days[-7:] == [newest - timedelta(days=n) for n in range(6, -1, -1)]
    assert [day.weekday() for day in days[:2]] == [6, 6], "the last of each earlier week"


def test_what_someone_asked_for_or_what_is_not_sound_stays() -> None:
    others = [
        backup(MONDAY, Reason.ASKED),
        backup(MONDAY, Reason.BEFORE_RESTORE),
        backup(MONDAY, Reason.BEFORE_UPGRADE),
        backup(MONDAY, wrong="Its manifest is gone."),
    ]
    ours = [backup(MONDAY + timedelta(days=n)) for n in range(3)]

    assert superfluous([*others, *ours], now=LATER, keep_daily=1, keep_weekly=0) == ours[1::-1]


def test_a_long_pause_costs_nothing() -> None:
    old = [backup(MONDAY + timedelta(days=n)) for n in range(5)]
    late = backup(MONDAY + timedelta(days=300))

    assert superfluous([*old, late], now=LATER, keep_daily=7, keep_weekly=4) == []


def test_what_bears_a_date_to_come_stays_and_takes_nobodys_place() -> None:
    ahead = [backup(MONDAY + timedelta(days=400 + n)) for n in range(60)]
    today = [backup(MONDAY + timedelta(days=n)) for n in range(3)]

    assert superfluous([*ahead, *today], now=MONDAY + timedelta(days=2), keep_daily=2, keep_weekly=1) == [today[0]]
