"""What a backup says of itself."""

import hashlib
import json
import os
from collections.abc import Callable
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


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("bytes", 10**40),
        ("messages", 2**63),
        ("made_at", "9999-12-31T23:59:59-23:00"),
        ("made_at", "0001-01-01T00:00:00+23:00"),
    ],
)
def test_a_figure_that_nobody_could_tell_on_makes_it_none(tmp_path: Path, key: str, value: object) -> None:
    (tmp_path / MANIFEST).write_text(json.dumps({**SAID.model_dump(mode="json"), key: value}))

    assert read_manifest(tmp_path) is None


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_none_and_nobody_waits_for_it(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / MANIFEST)

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
