"""`echovessel backup …` and `echovessel restore`: keep whole copies of the database, and bring one back."""

import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from echovessel.runtime.commands.options import AsJson
from echovessel.runtime.output import show

if TYPE_CHECKING:
    from echovessel.adapters.backup.restoring import Ready
    from echovessel.adapters.home import Home, HomeLock
    from echovessel.core.errors import StoreUnusable
    from echovessel.runtime.client import Json

group = typer.Typer(rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Its name, as `echovessel backup list` shows it.")]


@group.callback(invoke_without_command=True)
def backup(
    context: typer.Context,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FOLDER", help="Put it here instead of among the others.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a backup now: a whole copy of the database, opened and checked. Talking goes on meanwhile.

    A copy that is put elsewhere is yours to look after: what you delete later is not taken out of it, but stays deleted when
    you restore it here. Token, keys and config.toml are never in a backup.
    """
    if context.invoked_subcommand:
        return
    from echovessel.adapters.backup.carrying import carry, must_have_parent
    from echovessel.runtime.session import connected

    elsewhere = to.expanduser() if to is not None else None
    if elsewhere is not None:
        must_have_parent(elsewhere)
    with connected() as client:
        made = client.post("/api/v1/backups", patient=True)
        path = Path(client.get("/api/v1/backups")["folder"]) / made["id"]
        if elsewhere is not None:
            path = carry(path, elsewhere)
            client.delete(f"/api/v1/backups/{made['id']}")
    show({**made, "path": str(path)}, [f"{made['messages']} messages are in {path}"], as_json=as_json)


@group.command("list")
def list_backups(as_json: AsJson = False) -> None:
    """List the backups, the newest first, and what speaks against them."""
    from echovessel.core.errors import StoreUnusable
    from echovessel.runtime.session import connected

    try:
        with connected() as client:
            backups = client.get("/api/v1/backups")
    except StoreUnusable as unusable:  # then they are needed most
        backups = _beside(unusable)
    show(backups, _lines(backups), as_json=as_json)


@group.command()
def remove(name: Name, as_json: AsJson = False) -> None:
    """Remove a backup for good."""
    from echovessel.adapters.backup.folder import must_be_name
    from echovessel.runtime.session import connected

    must_be_name(name)  # no other name reaches the address of one
    with connected() as client:
        client.delete(f"/api/v1/backups/{quote(name, safe='')}")
    show({"removed": name}, [f"{name} is gone."], as_json=as_json)


def restore(
    backup: Annotated[
        str, typer.Argument(metavar="BACKUP", help="Name of a backup, or path of its folder or of its memory.db.")
    ],
    yes: Annotated[
        bool, typer.Option("--yes", help="Replace the database that is there, without being asked.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring a backup back. EchoVessel must not run meanwhile.

    The backup is checked first. What it replaces is kept as a backup too, and what you have deleted since stays deleted.
    """
    import os

    from echovessel.adapters.backup import folder_of
    from echovessel.adapters.backup.restoring import find, keep_present, made_ready, take_its_place
    from echovessel.adapters.backup.servers import restoring_to
    from echovessel.adapters.home import HomeLock, find_home
    from echovessel.adapters.system import SystemClock
    from echovessel.runtime.session import make_home
    from echovessel.runtime.wiring import open_settings

    home, now = find_home(os.environ), SystemClock().now()
    settings = open_settings(home).current()
    if settings.database.url:
        raise restoring_to(settings.database.url)
    folder = folder_of(home.path, settings.backup.folder)
    source = find(backup, folder)
    make_home(home)
    lock = HomeLock(home)
    _take(lock)
    try:
        with made_ready(source, home, folder, now) as ready:
            _may_replace(home, ready, yes=yes, can_ask=not as_json)
            kept = keep_present(home, folder, now)
            take_its_place(ready, home)
            messages, made_at = ready.messages, ready.made_at
    finally:
        lock.release()
    said = [f"{messages} messages are back{f', as of {made_at:%Y-%m-%d %H:%M} UTC' if made_at else ''}."]
    if kept:
        said.append(f"What was there is kept: {kept.name}")
    restored = {"messages": messages, "made_at": made_at and made_at.isoformat(), "kept": kept and kept.name}
    show(restored, said, as_json=as_json)


def _beside(unusable: "StoreUnusable") -> "Json":
    """The backups of a database that cannot be opened, as the API would tell them."""
    import os

    from echovessel.adapters.backup import folder_of
    from echovessel.adapters.backup.folder import backups_in, plain_errors
    from echovessel.adapters.home import find_home
    from echovessel.api.dto.backups import BackupList, BackupView
    from echovessel.runtime.wiring import open_settings

    home = find_home(os.environ)
    settings = open_settings(home).current().backup
    folder = folder_of(home.path, settings.folder)
    with plain_errors(folder):
        items = [BackupView.of(backup) for backup in backups_in(folder)]
    failing = f"{unusable.message} {unusable.do}"
    return BackupList(items=items, folder=str(folder), every_h=settings.every_h, failing=failing).model_dump(
        mode="json"
    )


def _lines(backups: "Json") -> Iterator[str]:
    if not backups["items"]:
        yield (
            f"No backup yet in {backups['folder']}."
            if backups["folder"]
            else "A server keeps the data, and its backups."
        )
    for item in backups["items"]:
        size = f"{item['bytes'] / 1e6:.1f} MB"
        yield f"{item['id']}  {_local(item['made_at'])}  {item['messages']} messages  {size}"
        if item["wrong"]:
            yield f"    Not to be relied on: {item['wrong']}"
        if item["holds_deleted"]:
            yield "    It still holds messages that were deleted; that is seen to while EchoVessel runs."
    if backups["failing"]:
        yield f"The automatic backup fails. {backups['failing']}"


def _local(instant: str) -> str:
    return f"{datetime.fromisoformat(instant).astimezone():%Y-%m-%d %H:%M}"


def is_terminal() -> bool:
    """Whether somebody is there to answer a question."""
    return sys.stdin.isatty()


def _take(lock: "HomeLock") -> None:
    from echovessel.core.errors import Conflict

    if not lock.acquire():
        owner = lock.owner()
        how = f"press Ctrl-C where it runs, or `kill {owner.pid}`" if owner else "close what uses the home"
        raise Conflict(
            "EchoVessel is running, and nothing can take the place of a database that is in use.",
            do=f"Stop it ({how}), restore, and start it again.",
        )


def _may_replace(home: "Home", ready: "Ready", *, yes: bool, can_ask: bool) -> None:
    """Ask before a database is replaced; without anybody to ask, it is not."""
    from echovessel.core.errors import BadInput

    if yes or not home.database.exists():
        return
    if can_ask and is_terminal():
        asked = (
            f"Replace {home.database} by this backup of {ready.messages} messages? What is there is kept as a backup."
        )
        typer.confirm(asked, abort=True)
        return
    raise BadInput(
        f"{home.database} is there already.",
        field="yes",
        do="Say --yes to replace it; what is there is kept as a backup.",
    )
