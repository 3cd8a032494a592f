"""One process owns a home: an operating-system lock, and beside it how to reach the owner.

The lock ends with the process, however it ends, so a lock is never stale; `daemon.json` may be, and is believed only while
someone holds the lock, or while whom it names is seen to run: then somebody took the file `lock` away from under them.
"""

import json
import os
import sys
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from echovessel.adapters.home.folder import FILE_MODE, Home, write_private, writing_to
from echovessel.core.errors import ConfigError

_LOCKS = Path("/proc/locks")
_ANSWERS_WITHIN_S = 2.0


@dataclass(frozen=True, slots=True)
class Daemon:
    """The process that owns a home, and where its API listens."""

    url: str
    pid: int


class HomeInUse(ConfigError):
    """Stop: another process owns the home."""

    code = "home-in-use"

    def __init__(self, home: Home, owner: Daemon | None) -> None:
        who = f"process {owner.pid} ({owner.url})" if owner else "another process"
        super().__init__(
            f"{home.path} is already in use by {who}.",
            do="Use that one, stop it first, or name another home in ECHOVESSEL_HOME.",
        )


class HomeLock:
    """The lock of one home; held until `release`, or until the process ends."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        """Take the lock if it is free; whether we hold it now."""
        if self._descriptor is None:
            with writing_to(self._home):
                descriptor = os.open(self._home.lock, os.O_RDWR | os.O_CREAT, FILE_MODE)
                if not _try_lock(descriptor) or _still_runs(self.owner()):
                    os.close(descriptor)
                    return False
                self._descriptor = descriptor
                self._home.daemon.unlink(missing_ok=True)
        return True

    def publish(self, daemon: Daemon) -> None:
        """Say how we are reached; only the owner may."""
        if self._descriptor is None:
            raise RuntimeError("only the owner of a home says how it is reached")
        with writing_to(self._home):
            write_private(self._home.daemon, json.dumps(asdict(daemon)) + "\n")

    def owner(self) -> Daemon | None:
        """Who says to own the home; meaningful only after `acquire` returned False. None while they are still starting, or say
        nothing that can be read."""
        try:
            said = Daemon(**json.loads(self._home.daemon.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return said if isinstance(said.url, str) and isinstance(said.pid, int) else None  # pyright: ignore[reportUnnecessaryIsInstance]

    def holder(self) -> int | None:
        """The process that holds the lock, where the system tells (Linux: proc(5), `/proc/locks`)."""
        if not _LOCKS.exists() or not self._home.lock.exists():
            return None
        inode = str(self._home.lock.stat().st_ino)
        held = (line.split() for line in _LOCKS.read_text(encoding="ascii").splitlines())
        return next((int(f[4]) for f in held if f[1] == "FLOCK" and f[5].rpartition(":")[2] == inode), None)

    def release(self) -> None:
        """Let the next one in."""
        if self._descriptor is not None:
            with suppress(OSError):  # the home was taken away, or may only be read: nobody believes it without the lock
                self._home.daemon.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        if not self.acquire():
            raise HomeInUse(self._home, self.owner())
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _still_runs(owner: Daemon | None) -> bool:
    """Whether that process is there and its address answers as ours does, or takes connections and is too busy to answer."""
    if owner is None or not _is_process(owner.pid):
        return False
    try:
        address = urlsplit(owner.url)
        with closing(HTTPConnection(address.hostname or "", address.port, timeout=_ANSWERS_WITHIN_S)) as http:
            http.request("GET", "/healthz")
            return http.getresponse().status == HTTPStatus.OK
    except TimeoutError:
        return True
    except (OSError, HTTPException, ValueError):
        return False


if sys.platform == "win32":
    import msvcrt

    def _is_process(pid: int) -> bool:  # noqa: ARG001 - the other systems ask
        return False  # nobody can take a file away there that is open

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _is_process(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except (OSError, OverflowError):
            return False
        return pid > 0

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
