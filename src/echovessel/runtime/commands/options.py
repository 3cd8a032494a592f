"""Options that several commands share."""

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
WhichPersona = Annotated[
    str, typer.Option("--persona", "-p", help="Name or id of the persona; not needed with only one.")
]
