"""`echovessel import`: take in history that was said elsewhere."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Annotated
from zipfile import ZipFile, is_zipfile

import typer

from echovessel.runtime.commands.options import AsJson, WhichPersona
from echovessel.runtime.output import show

CHUNK = 1 << 20


def import_history(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A history file (JSONL, one conversation a line), or a zip that `export` made."
        ),
    ],
    persona: WhichPersona = "",
    me: Annotated[str | None, typer.Option(metavar="SPEAKER", help="Which of the speakers is you.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be added.")] = False,
    as_json: AsJson = False,
) -> None:
    """Import the history of another chat into a persona's memory. Importing it again adds nothing twice."""
    from echovessel.core.errors import BadInput
    from echovessel.runtime.session import connected
    from echovessel.runtime.talk import find_persona

    if not path.is_file():
        raise BadInput(f"{path} is not a file.", field="path", do="Name a JSONL file that you may read.")
    with connected() as client:
        found = find_persona(client, persona)
        report = client.upload(
            f"/api/v1/personas/{found['id']}/imports",
            _chunks(path),
            "application/x-ndjson",
            me=me,
            dry_run=str(dry_run).lower(),
        )
    verb = "would be added" if dry_run else "added"
    lines = [f"{report['added']} messages {verb}, {report['already_there']} were there already."]
    if report["first_at"]:
        lines.append(f"They were said between {report['first_at'][:10]} and {report['last_at'][:10]}.")
    lines += [f"Passed over: {reason}" for reason in report["refused"]]
    show(report, lines, as_json=as_json)


def _messages_in(archive: ZipFile) -> IO[bytes]:
    """The messages in a zip that `export` made."""
    from echovessel.core.errors import BadInput

    try:
        return archive.open("messages.jsonl")
    except KeyError as cause:
        raise BadInput(
            "This zip holds no messages.jsonl.",
            field="path",
            do="Name a zip that `echovessel export` made, or a JSONL file.",
        ) from cause


def _chunks(path: Path) -> Iterator[bytes]:
    with ExitStack() as opened:
        file = opened.enter_context(path.open("rb"))
        if is_zipfile(path):
            file = opened.enter_context(_messages_in(opened.enter_context(ZipFile(file))))
        while chunk := file.read(CHUNK):
            yield chunk
