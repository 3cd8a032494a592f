"""`echovessel doctor`: is everything in order?"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from echovessel.runtime.commands.options import AsJson
from echovessel.runtime.output import FAILED, show

if TYPE_CHECKING:
    from echovessel.adapters.home import Home
    from echovessel.flows.doctor import HomeFacts
    from echovessel.ports.front import Check


def doctor(as_json: AsJson = False) -> None:
    """Check that everything is in order, and say what to do.

    It looks at home, settings, database, embedder, model and page, and says who you are. Exit status 1 when something is
    broken.
    """
    import os
    from dataclasses import asdict

    from echovessel.adapters.home import find_home
    from echovessel.flows.doctor import look_at_home
    from echovessel.ports.front import Verdict

    home = find_home(os.environ)
    checks = [*look_at_home(_facts(home)), *(_vessel() if home.exists else ())]
    show({"items": [asdict(c) for c in checks], "next": None}, _lines(checks), as_json=as_json)
    if any(check.verdict is Verdict.BROKEN for check in checks):
        raise typer.Exit(FAILED)


def _facts(home: "Home") -> "HomeFacts":
    import shutil

    from echovessel.adapters.home.folder import open_to_others
    from echovessel.flows.doctor import HomeFacts
    from echovessel.runtime.package import page_folder

    nearest = next(folder for folder in (home.path, *home.path.parents) if folder.is_dir())
    return HomeFacts(
        path=str(home.path),
        exists=home.exists,
        open_to_others=[str(path) for path in open_to_others(home)],
        free_bytes=shutil.disk_usage(nearest).free,
        page_built=page_folder() is not None,
    )


def _vessel() -> "Iterator[Check]":
    """What the vessel says of itself; or the one thing that keeps it from starting."""
    from echovessel.core.errors import EchoVesselError, StoreUnusable
    from echovessel.flows.doctor import from_error
    from echovessel.ports.front import Check, Verdict
    from echovessel.runtime.session import connected

    try:
        with connected() as client:
            for check in client.all_items("/api/v1/doctor"):
                yield Check(**{**check, "verdict": Verdict(check["verdict"])})
    except StoreUnusable as error:
        yield from_error("database", error)
    except EchoVesselError as error:
        yield from_error("settings" if error.code == "config" else "start", error)


def _lines(checks: "list[Check]") -> Iterator[str]:
    marks = {"ok": "ok    ", "note": "note  ", "broken": "BROKEN"}
    for check in checks:
        yield f"{marks[check.verdict]}  {check.name}: {check.found}"
        if check.do:
            yield f"          {check.do}"
