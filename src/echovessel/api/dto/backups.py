"""Backups of the database."""

from typing import Annotated, Self

from pydantic import Field

from echovessel.api.dto.base import Instant, Listing, View
from echovessel.ports.backups import Backup, Reason

BackupName = Annotated[str, Field(description="Its name.", examples=["20261130T172703Z-asked"])]


class BackupView(View):
    """One backup. `wrong` and `holds_deleted` say what speaks against relying on it."""

    id: BackupName
    made_at: Instant
    reason: Reason = Field(description="Why it was made; only automatic ones are removed by themselves.")
    program: str = Field(description="The version of EchoVessel that made it.")
    revision: str = Field(description="Revision of the schema.")
    messages: int
    bytes: int
    wrong: str = Field(description="Why it cannot be relied on; empty when it can.")
    holds_deleted: bool = Field(description="It still holds messages that were deleted since it was made.")

    @classmethod
    def of(cls, backup: Backup, *, holds_deleted: bool = False) -> Self:
        """The view of a backup."""
        return cls(
            id=backup.name,
            made_at=backup.made_at,
            reason=backup.reason,
            program=backup.program,
            revision=backup.revision,
            messages=backup.messages,
            bytes=backup.bytes,
            wrong=backup.wrong,
            holds_deleted=holds_deleted,
        )


class BackupList(Listing[BackupView]):
    """Every backup, the newest first."""

    folder: str = Field(description="Where they lie; empty where a database server keeps the data.")
    every_h: float = Field(description="Hours between automatic ones; 0: none are made.")
    failing: str = Field(description="Why the last automatic one failed, with what to do; empty when it did not.")
