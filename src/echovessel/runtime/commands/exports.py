"""`echovessel export`: take one pair elsewhere."""

import re
from pathlib import Path
from typing import Annotated

import typer

from echovessel.runtime.commands.options import AsJson, WhichPersona
from echovessel.runtime.output import show

LONGEST_NAME = 60


def export(
    persona: WhichPersona = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where to; left out, a zip named after the persona here."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Export all that was said with a persona, its card and its core blocks into a zip file.

    `echovessel import FILE` takes persona and messages into another home.
    """
    from echovessel.core.errors import BadInput
    from echovessel.runtime.session import connected
    from echovessel.runtime.talk import find_persona

    with connected() as client:
        found = find_persona(client, persona)
        path = out.expanduser() if out else Path(f"{_harmless(found['name'])}.zip")
        if path.exists():
            raise BadInput(f"{path} is there already.", field="out", do="Name another file with --out.")
        client.download(f"/api/v1/personas/{found['id']}/export", path)
    messages = _count(path)
    show({"path": str(path.absolute()), "messages": messages}, [f"{messages} messages are in {path}"], as_json=as_json)


def _harmless(name: str) -> str:
    """A persona's name as that of a file: letters of any script, digits and single signs."""
    return re.sub(r"[^\w]+", "-", name).strip("-_")[:LONGEST_NAME] or "persona"


def _count(path: Path) -> int:
    """How many messages the archive holds, by its own manifest."""
    import json
    from zipfile import ZipFile

    with ZipFile(path) as archive:
        return json.loads(archive.read("manifest.json"))["messages"]
