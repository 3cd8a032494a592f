"""Copies of the database that are kept, and brought back when something went wrong with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class Reason(StrEnum):
    """Why a backup was made. Only automatic ones are ever removed by themselves."""

    AUTOMATIC = "automatic"
    ASKED = "asked"
    BEFORE_RESTORE = "before-restore"
    BEFORE_UPGRADE = "before-upgrade"


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """One backup, as its folder shows it.

    `mark` names the state of the data that it holds: equal marks, equal data; empty when nobody noted it. `wrong` says, in a
    sentence, why it cannot be relied on, empty when it can.
    """

    name: str
    path: str
    made_at: datetime
    reason: Reason
    program: str
    revision: str
    messages: int
    bytes: int
    sha256: str
    mark: str = ""
    wrong: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What lies in the folder: every backup, the newest first; the names of those that still hold what was deleted since; why
    the last automatic one failed, with what to do, empty when it did not."""

    backups: Sequence[Backup]
    holding_deleted: frozenset[str]
    failing: str


class Backups(Protocol):
    """The folder of backups of one database. Where a server keeps the data there are none, and its tools make them."""

    @property
    def here(self) -> bool:
        """Whether backups of this database are made here at all."""
        ...

    @property
    def folder(self) -> str:
        """Where they lie."""
        ...

    async def make(self, reason: Reason, mark: str = "") -> Backup:
        """Copy the database as it is at one moment, while others write. BackupFailed when it could not be done; then nothing is
        left of it."""
        ...

    async def listed(self) -> Sequence[Backup]:
        """Every backup, the newest first. It does not wait for one that is being made. BackupFailed when the folder cannot be
        read."""
        ...

    async def holding_deleted(self) -> frozenset[str]:
        """The names of those that still hold messages which are deleted by now, or cannot be looked into. StoreUnusable when
        the database, which knows what was deleted, is damaged; BackupFailed when it cannot be read for another reason."""
        ...

    async def remove(self, name: str) -> None:
        """Remove one; NotFound when there is none of this name."""
        ...

    async def forget_deleted(self) -> None:
        """Write those anew that hold messages which are deleted by now, without them. BackupFailed when one could not be; the
        others are done nevertheless."""
        ...

    async def sweep(self) -> None:
        """Remove what a process that was killed left half made, and finish what it had nearly done."""
        ...

    async def close(self) -> None:
        """Wait until work that was broken off has ended; nothing is asked for afterwards."""
        ...


class Safekeeping(Protocol):
    """Backups as the owner asks for them."""

    @property
    def folder(self) -> str: ...

    async def look(self) -> Kept: ...

    async def make(self) -> Backup: ...

    async def remove(self, name: str) -> None: ...
