"""The command line: `echovessel …`. Each group of commands is a file in `commands/`; this one puts them together.

What a command needs is imported inside it, so that `--version` and `--help` answer at once.
"""

import os
import sys
from io import TextIOWrapper
from typing import Annotated, cast

import typer

from echovessel import __version__
from echovessel.core.errors import BadInput, EchoVesselError
from echovessel.runtime.commands import (
    backup,
    bench,
    chat,
    doctor,
    exports,
    home,
    imports,
    memory,
    persona,
    reindex,
    run,
)
from echovessel.runtime.output import complain, say, unusable

cli = typer.Typer(
    name="echovessel",
    help="A digital persona engine: a long-lived companion that remembers you, on your own computer.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
cli.command("run")(run.run)
cli.command("chat")(chat.chat)
cli.command("init", short_help="Make the home folder and its settings, and say who you are.")(home.init)
cli.add_typer(persona.group, name="persona")
cli.add_typer(memory.group, name="memory")
cli.command("import")(imports.import_history)
cli.command("export")(exports.export)
cli.add_typer(backup.group, name="backup")
cli.command("restore")(backup.restore)
cli.add_typer(bench.group, name="bench")
cli.command("reindex")(reindex.reindex)
cli.command("doctor")(doctor.doctor)


def _version(asked: bool) -> None:
    if asked:
        say(f"echovessel {__version__}")
        raise typer.Exit


@cli.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """A digital persona engine: a long-lived companion that remembers you, on your own computer.

    Exit status: 0 done, 1 failed, 2 wrong use or configuration.
    """


def main() -> None:
    """Run the command that the arguments name. One of our errors is told in two lines, never as a traceback."""
    try:
        if sys.argv[1:] == ["--version"]:
            say(f"echovessel {__version__}")
            return
        sys.argv[1:] = map(_as_utf8, sys.argv[1:])
        if isinstance(sys.stdin, TextIOWrapper):
            cast("TextIOWrapper", sys.stdin).reconfigure(errors="replace")
        cli()
    except EchoVesselError as error:
        sys.exit(complain(error, as_json="--json" in sys.argv))
    except OSError as cause:
        sys.exit(complain(unusable(cause), as_json="--json" in sys.argv))


def _as_utf8(argument: str) -> str:
    """An argument as it was typed, whatever encoding the environment claims."""
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeDecodeError as cause:
        raise BadInput(
            f"{argument.encode('ascii', 'backslashreplace').decode()} is not UTF-8 text.",
            field="arguments",
            do="Set your terminal to UTF-8 and type it again.",
        ) from cause
