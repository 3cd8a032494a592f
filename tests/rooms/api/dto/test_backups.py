"""What of a backup goes over the wire."""

from datetime import UTC, datetime

from echovessel.api.dto.backups import BackupView
from echovessel.ports.backups import Backup, Reason


def test_a_backup_is_shown_without_where_it_lies() -> None:
    backup = Backup(
        name="20260302T090000Z-asked",
        path="somewhere",
        made_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
        reason=Reason.ASKED,
        program="1",
        revision="0001",
        messages=2,
        bytes=3,
        sha256="ab",
        mark="m",
    )

    assert BackupView.of(backup).model_dump(mode="json") == {
        "id": "20260302T090000Z-asked",
        "made_at": "2026-03-02T09:00:00.000Z",
        "reason": "asked",
        "program": "1",
        "revision": "0001",
        "messages": 2,
        "bytes": 3,
        "wrong": "",
        "holds_deleted": False,
    }
    assert BackupView.of(backup, holds_deleted=True).holds_deleted
