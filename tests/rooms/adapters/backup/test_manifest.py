"""What a backup says of itself."""

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from echovessel.adapters.backup.manifest import (
    MANIFEST,
    Manifest,
    name_at,
    read_manifest,
    sha256_of,
    write_manifest,
)
from echovessel.ports.backups import Reason

AT = datetime(2026, 3, 2, 9, 0, 7, tzinfo=UTC)
SAID = Manifest(made_at=AT, reason=Reason.ASKED, program="1", revision="0001", messages=3, bytes=5, sha256="ab")


def test_what_is_written_is_read_again_by_its_owner_alone(tmp_path: Path) -> None:
    write_manifest(tmp_path, SAID)

    assert read_manifest(tmp_path) == SAID
    assert (tmp_path / MANIFEST).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "[]", "{}", "\x00", SAID.model_dump_json().replace("backup/1", "backup/9")])
def test_what_is_no_manifest_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST).write_text(text)

    assert read_manifest(tmp_path) is None


def test_no_manifest_is_none(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) is None


def test_names_tell_when_and_why() -> None:
    assert name_at(AT, Reason.AUTOMATIC) == "20260302T090007Z-automatic"
    assert name_at(AT, Reason.BEFORE_RESTORE, 2) == "20260302T090007Z-2-before-restore"


def test_the_hash_is_that_of_the_whole_file(tmp_path: Path) -> None:
    held = b"0123456789" * 300_000
    (tmp_path / "file").write_bytes(held)

    assert sha256_of(tmp_path / "file") == hashlib.sha256(held).hexdigest()
