"""Options that several commands share."""

from enum import StrEnum
from typing import Annotated

import typer


class Locale(StrEnum):
    """The languages that EchoVessel speaks."""

    ZH = "zh"
    EN = "en"


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
WhichPersona = Annotated[
    str,
    typer.Option(
        "--persona",
        "-p",
        metavar="NAME",
        help="Name (or how it begins) or id of the persona; not needed with only one.",
    ),
]
