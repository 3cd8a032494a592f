"""What the doctor is told of a home before anything of it is opened: read from its folder, its lock and its address."""

import os
import shutil
import time
from contextlib import closing
from pathlib import Path

from echovessel.adapters.home import Home, HomeLock, held_token, open_to_others
from echovessel.core.errors import ConfigError
from echovessel.flows.doctor import HomeFacts, OwnerFacts, Token
from echovessel.ports.settings import ServerSettings
from echovessel.runtime.logs import FILE
from echovessel.runtime.package import page_folder
from echovessel.runtime.serve import listen

OWNER_STARTS_WITHIN_S = 5.0
"""Seconds that an owner may take to say how it is reached."""
OWNER_ANSWERS_WITHIN_S = 5.0


def facts_of(home: Home) -> HomeFacts:
    """The home as its folder shows it. Writes a file into it and one into its logs, and removes them again."""
    nearest = next(folder for folder in (home.path, *home.path.parents) if folder.is_dir())
    return HomeFacts(
        path=str(home.path),
        exists=home.exists,
        open_to_others=[str(path) for path in open_to_others(home)],
        free_bytes=shutil.disk_usage(nearest).free,
        page_built=page_folder() is not None,
        token=_token(home),
        unwritable=_why_unwritable(home.path) if home.exists else "",
        unlogged=_why_unlogged(home) if home.exists else "",
    )


def owner_of(home: Home) -> OwnerFacts | None:
    """The process that owns the home; None when nobody does. Takes ten seconds at most."""
    lock = HomeLock(home)
    until = time.monotonic() + OWNER_STARTS_WITHIN_S
    while time.monotonic() < until:
        if lock.acquire():
            lock.release()
            return None
        if owner := lock.owner():
            return OwnerFacts(pid=owner.pid, url=owner.url, answers=_answers(owner.url))
        time.sleep(0.05)
    return OwnerFacts(pid=lock.holder(), url="", answers=False)


def why_taken(server: ServerSettings) -> ConfigError | None:
    """Why a start could not listen at the address of the settings; None when it could."""
    try:
        with closing(listen(server.host, server.port)):
            return None
    except ConfigError as taken:
        return taken


def _token(home: Home) -> Token:
    try:
        return Token.GOOD if held_token(home.token) else Token.MISSING
    except ConfigError:
        return Token.SPOILT


def _why_unwritable(folder: Path) -> str:
    """Why a file cannot be written into this folder; empty when one could, and was removed again."""
    trial = folder / ".doctor"
    try:
        try:
            with trial.open("w", encoding="ascii") as file:
                file.write("This was only to see whether it can be written.\n")
                file.flush()
                os.fsync(file.fileno())
        finally:
            trial.unlink(missing_ok=True)
    except OSError as cause:
        return cause.strerror or str(cause)
    return ""


def _why_unlogged(home: Home) -> str:
    log = home.logs / FILE
    if not home.logs.exists():
        return ""  # it is made at the start
    try:
        with log.open("a", encoding="utf-8"):
            pass  # which a full disk allows
    except OSError as cause:
        return f"{log}: {cause.strerror or cause}"
    why = _why_unwritable(home.logs)
    return f"{home.logs}: {why}" if why else ""


def _answers(url: str) -> bool:
    import httpx2

    try:
        with httpx2.Client(timeout=OWNER_ANSWERS_WITHIN_S, trust_env=False, verify=False) as http:  # plain HTTP
            return http.get(f"{url}/healthz").is_success
    except (httpx2.HTTPError, httpx2.InvalidURL):
        return False
