"""The manifest: what one backup is, in a file beside its database."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from echovessel.adapters.home import write_private
from echovessel.core.time import iso
from echovessel.ports.backups import Backup, Reason

MANIFEST = "manifest.json"
DATABASE = "memory.db"
_BLOCK = 1 << 20
_MOST = 2**63 - 1
FIRST, LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
"""Whatever lies between is an instant in every time zone."""


class Manifest(BaseModel):
    """`bytes` and `sha256` are those of the database file."""

    model_config = ConfigDict(frozen=True)

    format: Literal["echovessel-backup/1"] = "echovessel-backup/1"
    made_at: AwareDatetime = Field(ge=FIRST, le=LAST)
    reason: Reason
    program: str
    revision: str
    messages: int = Field(ge=0, le=_MOST)
    bytes: int = Field(ge=0, le=_MOST)
    sha256: str
    mark: str = ""

    def of(self, path: Path, *, wrong: str = "") -> Backup:
        """The backup in the folder `path` that this manifest describes."""
        said: Mapping[str, object] = self.model_dump(exclude={"format"})
        return Backup(name=path.name, path=str(path), wrong=wrong, **said)  # pyright: ignore[reportArgumentType]


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Keep it, durably."""
    write_private(folder / MANIFEST, manifest.model_dump_json(indent=2) + "\n")


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest in a folder; None when there is none, or what lies there is none. OSError when it cannot be read."""
    file = folder / MANIFEST
    try:
        return Manifest.model_validate_json(file.read_bytes()) if file.is_file() else None
    except (FileNotFoundError, ValidationError):
        return None


def name_at(made_at: datetime, reason: Reason, number: int = 1) -> str:
    """The name of a backup: when in UTC, which one of that second, and why; names sort by age."""
    stamp = iso(made_at)[:19].replace("-", "").replace(":", "")
    return f"{stamp}Z-{reason}" if number == 1 else f"{stamp}Z-{number}-{reason}"


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
