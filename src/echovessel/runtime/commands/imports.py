"""`echovessel import`: take in history that was said elsewhere."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from echovessel.runtime.commands.options import AsJson, WhichPersona
from echovessel.runtime.output import show

if TYPE_CHECKING:
    from echovessel.runtime.client import Client, Json
    from echovessel.runtime.pair_zip import PairZip

CHUNK = 1 << 20
_NOTHING: "Json" = {"added": 0, "already_there": 0, "refused": [], "first_at": None, "last_at": None}


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
    """Import the history of another chat into a persona's memory. Importing it again adds nothing twice.

    A zip that `export` made brings its persona along where they are missing.
    """
    from echovessel.core.errors import BadInput
    from echovessel.runtime.pair_zip import PairZip, is_zip
    from echovessel.runtime.session import connected

    if not path.is_file():
        raise BadInput(f"{path} is not a file.", field="path", do="Name a JSONL file that you may read.")
    with ExitStack() as opened:
        archive = opened.enter_context(PairZip.opened(path)) if is_zip(path) else None
        client = opened.enter_context(connected(makes_home=archive is not None))
        found, made = _persona_for(client, persona, archive, dry_run=dry_run)
        if made and archive and archive.is_silent:
            report = _NOTHING
        else:
            file = opened.enter_context(archive.messages() if archive else path.open("rb"))
            report = client.upload(
                f"/api/v1/personas/{found['id']}/imports",
                _chunks(file),
                "application/x-ndjson",
                me=me,
                dry_run=str(dry_run).lower(),
            )
    verb = "would be added" if dry_run else "added"
    lines = [f"{found['name']} is here now."] if made else []
    lines += [f"{report['added']} messages {verb}, {report['already_there']} were there already."]
    if report["first_at"]:
        lines.append(f"They were said between {report['first_at'][:10]} and {report['last_at'][:10]}.")
    lines += [f"Passed over: {reason}" for reason in report["refused"]]
    show(report, lines, as_json=as_json)


def _persona_for(client: "Client", named: str, archive: "PairZip | None", *, dry_run: bool) -> "tuple[Json, bool]":
    """Whose memory it becomes, and whether they were made just now. An export goes to the persona it is of unless another is
    named, and brings them along where they are missing."""
    from echovessel.core.errors import BadInput, NotFound
    from echovessel.runtime.talk import find_persona

    of = archive.persona if archive else None
    wanted = named or (of["name"] if of else "")
    try:
        return find_persona(client, wanted, exactly=bool(of) and not named), False
    except NotFound:
        if archive is None or of is None or wanted.casefold() != of["name"].casefold():
            raise
    if dry_run:
        raise BadInput(
            f"{of['name']} is not here yet, and would be made.",
            field="dry_run",
            do="Leave out --dry-run, or name a persona that is here (--persona).",
        )
    return archive.bring(client, of), True


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk
